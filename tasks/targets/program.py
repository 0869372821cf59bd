"""One run of a program: talk to it without a deadlock, and kill all of it."""

import atexit
import os
import selectors
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from assay.tasks.process_group import ProcessGroup
from assay.tasks.targets.reply import LARGEST_REPLY

_CHUNK = 65_536
_LARGEST_ERRORS = 65_536
# Between two looks at whether the program has ended while something it started holds its pipes.
_TICK_SECONDS = 0.1
_SHORTEST_PAUSE_SECONDS = 0.0005


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended.

    Attributes:
        exit_code: Negative for the number of the signal that killed it.
        how: The same in words.
        output: Its standard output, cut off after the largest reply.
        errors: The end of its standard error.
    """

    exit_code: int
    how: str
    output: bytes
    errors: bytes


class Program:
    """A running program in a process group of its own; none outlives the block it is used in."""

    def __init__(self, argv: Sequence[str], folder: Path) -> None:
        self._output = bytearray()
        self._errors = bytearray()
        self._process = subprocess.Popen(  # noqa: S603 - running the user's program is the purpose
            argv,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._group = ProcessGroup(self._process)
        _running.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):  # what was not read any more is not flushed either
                    pipe.close()
        self._wait()
        _running.discard(self)

    def kill(self) -> None:
        """Kill the program and every process in its group, unless it has ended."""
        self._group.kill()

    def exchange(self, message: bytes) -> Finished:
        """Give it the message as its whole input, and take what it writes until it has ended.

        A process that it leaves behind may hold its pipes for ever: that is not waited for.
        """
        with selectors.DefaultSelector() as selector:
            self._register(selector, message)
            while selector.get_map():
                ready = selector.select(_TICK_SECONDS)
                for key, _ in ready:
                    key.data(selector)
                if not ready and self._group.exit_code is not None:
                    break
        exit_code = self._wait()
        how = self._group.explain()
        return Finished(exit_code, how, bytes(self._output), self._cut_errors())

    def _register(self, selector: selectors.BaseSelector, message: bytes) -> None:
        process = self._process
        if process.stdin is None or process.stdout is None or process.stderr is None:
            return
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        for pipe in (stdin, stdout, stderr):
            os.set_blocking(pipe.fileno(), False)
        rest = [memoryview(message)]
        selector.register(stdin, selectors.EVENT_WRITE, lambda on: _feed(on, stdin, rest))
        selector.register(stdout, selectors.EVENT_READ, lambda on: self._take_output(on, stdout))
        selector.register(stderr, selectors.EVENT_READ, lambda on: self._take_errors(on, stderr))

    def _take_output(self, selector: selectors.BaseSelector, pipe: IO[bytes]) -> None:
        self._output += _read(selector, pipe)
        if len(self._output) > LARGEST_REPLY:
            self.kill()

    def _take_errors(self, selector: selectors.BaseSelector, pipe: IO[bytes]) -> None:
        self._errors += _read(selector, pipe)
        if len(self._errors) > 2 * _LARGEST_ERRORS:
            del self._errors[:-_LARGEST_ERRORS]

    def _cut_errors(self) -> bytes:
        """The last whole lines: a secret that is cut in two would not be known for one."""
        kept = bytes(self._errors[-_LARGEST_ERRORS:])
        if len(self._errors) < _LARGEST_ERRORS:
            return kept
        return kept[kept.find(b"\n") + 1 :]

    def _wait(self) -> int:
        pause = _SHORTEST_PAUSE_SECONDS
        while (exit_code := self._group.exit_code) is None:
            time.sleep(pause)
            pause = min(2 * pause, _TICK_SECONDS)
        return exit_code


_running: set[Program] = set()


def _feed(selector: selectors.BaseSelector, pipe: IO[bytes], rest: list[memoryview]) -> None:
    try:
        written = os.write(pipe.fileno(), rest[0][:_CHUNK])
    except BlockingIOError:
        return
    except OSError:  # it reads no more, which is its own affair
        written = len(rest[0])
    rest[0] = rest[0][written:]
    if not rest[0]:
        selector.unregister(pipe)
        with suppress(OSError):
            pipe.close()


def _read(selector: selectors.BaseSelector, pipe: IO[bytes]) -> bytes:
    try:
        chunk = os.read(pipe.fileno(), _CHUNK)
    except BlockingIOError:
        return b""
    if not chunk:
        selector.unregister(pipe)
    return chunk


@atexit.register
def _kill_all() -> None:
    """Leave no program behind when the process ends in the middle of a run."""
    for program in tuple(_running):
        program.kill()
