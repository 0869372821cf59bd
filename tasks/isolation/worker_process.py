"""A worker process, seen from the host."""

import os
import pickle
import subprocess
import sys
import time
from multiprocessing import Pipe

from assay.evaluators.errors import EvaluatorError
from assay.evaluators.outcome import Expired, Raised, TimedOutcome
from assay.tasks.isolation import worker
from assay.tasks.isolation.errand import Errand, unpack_outcome
from assay.tasks.process_group import ProcessGroup

LOAD_SECONDS = 120.0
"""How long a worker may take to start and to import an evaluator, beside the evaluator's limit."""

_TICK_SECONDS = 1.0


class WorkerProcess:
    """A process that runs evaluators, one at a time; what they print goes to standard error.

    It is a fresh interpreter, not a fork: a fork of a process with threads may never get a lock.
    """

    def __init__(self) -> None:
        self._path = tuple(sys.path)
        self._channel, theirs = Pipe()
        with theirs:
            descriptor = theirs.fileno()
            process = subprocess.Popen(  # noqa: S603 - our own program
                # -P keeps the current folder from standing before the search path.
                [sys.executable, "-P", "-m", worker.__name__, str(descriptor), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=sys.__stderr__,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(_folders(self._path))},
                pass_fds=[descriptor],
                start_new_session=True,
            )
        self._group = ProcessGroup(process)
        self._condemned = False

    def ask(self, errand: Errand) -> TimedOutcome[object]:
        """The evaluator's answer or error, or that it took too long; then the worker is dead."""
        try:
            self._channel.send_bytes(pickle.dumps(errand))
            if not self._answers(LOAD_SECONDS):
                msg = f"the evaluator could not be loaded within {LOAD_SECONDS:g} s"
                return Raised(EvaluatorError("timeout", msg))
            reply = self._channel.recv_bytes()
            if reply == worker.STARTED:
                if not self._answers(errand.seconds):
                    return Expired(errand.seconds or 0.0, abandoned=False)
                reply = self._channel.recv_bytes()
            return unpack_outcome(reply)
        except (EOFError, OSError):
            return Raised(EvaluatorError("internal", f"the evaluator's process {self._ending()}"))
        except Exception as error:  # noqa: BLE001 - the evaluator wrote into our channel, say
            self.kill()
            msg = f"the evaluator's process gave an answer that cannot be read: {error}"
            return Raised(EvaluatorError("internal", msg))

    def fits(self) -> bool:
        """True if it lives and finds the modules that this process would find."""
        return self.alive and self._path == tuple(sys.path)

    @property
    def alive(self) -> bool:
        """True while it can be asked again."""
        return not self._condemned and self._group.exit_code is None

    def kill(self) -> None:
        """End it and everything that it started; whoever waits for its answer learns of it."""
        self._condemned = True  # it may take the system a moment
        self._group.kill()

    def close(self) -> None:
        """End it and wait until it is gone."""
        self._ending()
        self._channel.close()

    def _answers(self, seconds: float | None) -> bool:
        """True once there is an answer; false, and the worker killed, when the time is up."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            left = _TICK_SECONDS if end is None else end - time.monotonic()
            if self._channel.poll(max(0.0, min(left, _TICK_SECONDS))):
                return True
            if not self.alive:  # a child of it may hold the channel open
                raise EOFError
            if end is not None and time.monotonic() >= end:
                self.kill()
                return False

    def _ending(self) -> str:
        # The channel is closed a moment before the process has ended.
        end = time.monotonic() + _TICK_SECONDS
        while self._group.exit_code is None:
            if time.monotonic() > end:
                self.kill()
            time.sleep(0.001)
        return self._group.explain()


def _folders(path: tuple[str, ...]) -> list[str]:
    return [os.path.abspath(folder) for folder in map(str, path) if os.pathsep not in folder]  # noqa: PTH100
