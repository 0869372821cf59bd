"""The program of a worker process: run one evaluator after the other, and outlive nobody.

Arguments: the file descriptor of the channel to the host, and the host's process id.
"""

import asyncio
import ctypes
import os
import pickle
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection

from assay.evaluators.assess import grade_in_place
from assay.evaluators.evaluator import Evaluator, Synchronous
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.off_loop import outcome_of
from assay.evaluators.outcome import Outcome, Raised
from assay.tasks.isolation.errand import Errand, pack_outcome

STARTED = b"started"
"""What a worker says when the evaluator is loaded and its time begins."""

_SPARE_SECONDS = 5.0
_SET_PARENT_DEATH_SIGNAL = 1


def serve(channel: Connection) -> None:
    """Do errands until the host closes the channel."""
    while True:
        try:
            request = channel.recv_bytes()
        except EOFError:
            return
        channel.send_bytes(pack_outcome(_outcome(pickle.loads(request), channel)))  # noqa: S301 - the host's


def _outcome(errand: Errand, channel: Connection) -> Outcome[object]:
    try:
        evaluator, subject = errand.unpack()
    except BaseException as error:  # noqa: BLE001 - the host decides what it means
        return Raised(error)
    channel.send_bytes(STARTED)
    _end_anyway_after(errand.seconds)
    outcome = _contained(lambda: _grade(evaluator, subject))
    _end_anyway_after(None)
    return outcome


def _contained(function: Callable[[], object]) -> Outcome[object]:
    """What it gave or raised; no terminal reaches this process, so an interrupt is its own too."""
    try:
        return outcome_of(function)
    except KeyboardInterrupt as error:
        return Raised(error)


def _grade(evaluator: Evaluator[object], subject: object) -> object:
    if isinstance(evaluator, FunctionEvaluator) and evaluator.is_async:
        if evaluator.outputs:
            return asyncio.run(evaluator.evaluate_outputs(subject))
        return asyncio.run(evaluator.evaluate(subject))
    if isinstance(evaluator, Synchronous):
        return grade_in_place(evaluator, subject)
    return asyncio.run(evaluator.evaluate(subject))


def _end_anyway_after(seconds: float | None) -> None:
    """Let the system kill this process some time after the limit, in case the host cannot.

    What holds the interpreter also holds every handler, so the signal has none.
    """
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, seconds + _SPARE_SECONDS)


def _end_with(host: int) -> None:
    """Let the system kill this process when the host ends, where the system can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != host:  # it ended before it was watched
        os._exit(1)


def main() -> None:
    """Serve the channel, and leave at its end whatever threads an evaluator left behind."""
    descriptor, host = int(sys.argv[1]), int(sys.argv[2])
    _end_with(host)
    os.set_inheritable(descriptor, False)  # noqa: FBT003 - the signature is Python's
    serve(Connection(descriptor))
    os._exit(0)


if __name__ == "__main__":
    main()
