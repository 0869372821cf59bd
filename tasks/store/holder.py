"""A process, so described that another one can tell whether it still lives."""

import os
import platform
import socket
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Holder:
    """A process on a machine.

    Attributes:
        host: Name of the machine, for people.
        machine: Equal for two processes that see each other's process ids.
        pid: The process id.
        started: When the process started, in the machine's own count; empty where unknown. It
            tells a process from a later one of the same id.
    """

    host: str
    machine: str
    pid: int
    started: str

    def is_gone(self) -> bool:
        """True if the process certainly has ended; of another machine's nothing is certain."""
        if self.machine != _machine():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:  # it lives, and belongs to somebody else
            return False
        return bool(self.started) and self.started != _started(self.pid)


def this_process() -> Holder:
    """The process that asks."""
    pid = os.getpid()
    return Holder(socket.gethostname(), _machine(), pid, _started(pid))


@cache
def _machine() -> str:
    # One boot of one kernel and one name space of process ids: containers share the former.
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return f"{platform.node()}/{uuid.getnode():x}"


def _started(pid: int) -> str:
    try:
        # The name of the program, in parentheses, may hold anything; the rest is numbers.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        state, *rest = fields.rpartition(")")[2].split()
    except (OSError, ValueError):
        return ""
    start_time = 18  # of the fields behind the state: proc(5) counts it as the 22nd
    return "" if state in {"Z", "X"} else rest[start_time]
