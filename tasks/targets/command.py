"""A program as a target: the input as JSON on its standard input, the output on its output."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from assay.evaluators.canonical import write
from assay.evaluators.errors import InputError, TargetError
from assay.evaluators.execution import Execution
from assay.tasks.targets.identity import TargetIdentity, digest_files
from assay.tasks.targets.program import Finished, Program
from assay.tasks.targets.reply import execution_of, require_size
from assay.tasks.targets.started_call import StartedCall, result_of
from assay.tasks.targets.thread_call import start_in_thread

T = TypeVar("T")


class CommandTarget:
    """Starts a program for each invocation.

    Exit code 0 and exactly one JSON value on standard output are the output; an object with the
    single key `execution` is a receipt. Whatever it prints, another exit code is a failure of class
    `internal` with the end of standard error. At a time limit or a cancellation the program is
    killed together with every process that it started.

    Args:
        argv: The program and its arguments. A program with a slash in its name is sought in the
            folder, any other one on the PATH.
        base: The folder in which it runs.
        revision: What its owner declared.

    Raises:
        InputError: for an empty command, arguments that are no text, and a missing program.
    """

    def __init__(self, argv: Sequence[str], base: Path, *, revision: str = "") -> None:
        self._argv = (_program(argv, base), *argv[1:])
        self._base = base
        files = [base / part for part in argv if _is_file(base / part)]
        self.identity = TargetIdentity("command", tuple(argv), revision, digest_files(files))

    def start(self, input_text: str, keep: Callable[[Execution], T]) -> StartedCall[T]:
        """One run of the program, in a daemon thread."""
        return start_in_thread(lambda call: self._answer(input_text, call), keep)

    async def run(self, input: object) -> Execution:  # noqa: A002 - the kernel's word
        """The receipt of one run of the program."""
        return await result_of(self.start(write(input), lambda execution: execution))

    def _answer(self, input_text: str, call: StartedCall[T]) -> Execution:
        with Program(self._argv, self._base) as program:
            call.on_cancel(program.kill)
            finished = program.exchange(f"{input_text}\n".encode())
        require_size(len(finished.output), "standard output")
        if finished.exit_code != 0:
            raise TargetError("internal", _failure(finished))
        return execution_of(finished.output, "standard output")


def _failure(finished: Finished) -> str:
    said = finished.errors.decode("utf-8", "replace").strip()
    ending = f"; the end of its standard error: {said}" if said else ""
    return f"the program {finished.how}{ending}"


def _program(argv: Sequence[str], base: Path) -> str:
    if not argv or any("\0" in part for part in argv):
        msg = "expected the program and its arguments, without NUL characters"
        raise InputError(msg, place="target command", kind="target")
    name = argv[0]
    if "/" in name:
        found = shutil.which(base / name)
        where = f"in {base}"
    else:
        found = shutil.which(name)
        where = "on the PATH"
    if not found:
        msg = f"expected a program that can be run, found none named {name[:80]!r} {where}"
        raise InputError(msg, place="target command", kind="target")
    return str(Path(found).absolute())


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a path, say: an argument that is a text
        return False
