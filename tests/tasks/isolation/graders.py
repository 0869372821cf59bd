"""Evaluators for worker processes, some of which no thread survives."""

import asyncio
import ctypes
import os
import re
import signal
import subprocess
import sys
import threading
import time

from assay.evaluators.errors import EvaluatorError, IncompleteRecording, Skip
from assay.evaluators.function import evaluator
from assay.evaluators.sample import Sample


@evaluator(revision="1", isolation="process")
def exact(sample: Sample, *, ignore_case: bool = False) -> bool:
    """True if output and expected value are equal."""
    output, expected = str(sample.output), str(sample.expected)
    return output.lower() == expected.lower() if ignore_case else output == expected


@evaluator(revision="1", isolation="process", outputs=("length", "pid"))
def several(sample: Sample) -> dict[str, int]:
    """Two measurements."""
    return {"length": len(str(sample.output)), "pid": os.getpid()}


@evaluator(revision="1", isolation="process")
async def patient(sample: Sample) -> bool:
    """A coroutine."""
    await asyncio.sleep(0.01)
    return bool(sample.output)


@evaluator(revision="1", isolation="process")
def tower(_: Sample) -> bool:
    """Evaluate `5**(5**(5**5))`, which holds the interpreter until the memory is gone (B32)."""
    return bool(eval("5**(5**(5**5))"))  # noqa: S307 - the grader in question


@evaluator(revision="1", isolation="process")
def backtracking(sample: Sample) -> bool:
    """Match a pattern that takes exponential time and holds the interpreter (B32)."""
    return re.search(r"(a+)+$", str(sample.output)) is not None


@evaluator(revision="1", isolation="process")
def sleepy(sample: Sample) -> bool:
    """Sleep as long as the input says, after leaving the pids of itself and of a child."""
    seconds, note = sample.input  # type: ignore[misc]
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(f"{note}.tmp", "w") as file:  # noqa: PTH123
        file.write(f"{os.getpid()} {child.pid}")
    os.rename(f"{note}.tmp", note)  # noqa: PTH104
    time.sleep(seconds)
    return True


@evaluator(revision="1", isolation="process")
def dying(sample: Sample) -> bool:
    """End the process in the way that the input names."""
    match sample.input:
        case "exit":
            os._exit(3)
        case "segfault":
            ctypes.string_at(0)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "system exit":
            raise SystemExit(3)
        case "thread":
            threading.Thread(target=time.sleep, args=(600,)).start()
    return True


class Odd(Exception):
    """An exception that pickle cannot make again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")
        self.status_code = 429


@evaluator(revision="1", isolation="process")
def raising(sample: Sample) -> bool:
    """Raise what the input names."""
    match sample.input:
        case "skip":
            raise Skip("not here")
        case "incomplete":
            raise IncompleteRecording("no spans")
        case "error":
            raise EvaluatorError("rate_limited", "slow down", retry_after=2.0)
        case "value":
            raise ValueError("no")
        case _:
            raise Odd(1, 2)


@evaluator(revision="1", isolation="process")
def chatty(_: Sample) -> bool:
    """Print on standard output, which belongs to the host's report."""
    sys.stdout.write("chatter\n")
    return True


@evaluator(revision="1", isolation="process")
def signalled(_: Sample) -> bool:
    """Limit itself by a signal, as mathematical graders do; that needs the main thread."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.alarm(1)
    signal.alarm(0)
    return True


class Plain:
    """An evaluator that is not made by the decorator."""

    isolation = "process"
    descriptor = exact.descriptor

    async def evaluate(self, subject: Sample) -> object:
        """What `exact` says."""
        return exact.grade(subject)
