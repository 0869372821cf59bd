"""A process together with everything that it started."""

import os
import signal
import subprocess
import threading
from contextlib import suppress


class ProcessGroup:
    """A process that leads a group of its own, to be killed with all of it.

    Args:
        process: Started with `start_new_session=True`. Nobody but this collects it.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        # Under it nobody collects the process, so its number cannot yet name another one.
        self._lock = threading.Lock()

    @property
    def exit_code(self) -> int | None:
        """How it ended: negative for the number of a signal, None while it runs."""
        with self._lock:
            return self._process.poll()

    def kill(self) -> None:
        """Kill the process and all others of its group, unless the process has ended."""
        with self._lock:
            if self._process.returncode is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def explain(self) -> str:
        """How it ended, in words that go on from a noun."""
        code = self.exit_code
        if code is None:
            return "still runs"
        return (
            f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
