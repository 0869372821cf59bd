"""One command: results on standard output, all else on standard error, and an exit code."""

import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import TextIO

import typer
from rich.console import Console

from assay.evaluators.errors import InputError
from assay.flows.terminal.console import inert, rendered
from assay.flows.terminal.failures import DEFECT, Failure, failure_of
from assay.flows.terminal.interruption import every_signal_interrupts
from assay.flows.terminal.standard_output import kept_for_results, write_results

_LONGEST_SENTENCE = 2000


@dataclass(slots=True)
class Command:
    """What a command has to say once it has done its work.

    Attributes:
        show: Prints the results for people.
        payload: The results for machines.
        exit_code: How the process is to end.
    """

    show: Callable[[Console], None] = lambda _: None
    payload: Callable[[], Mapping[str, object]] = dict
    exit_code: int = 0


@contextmanager
def command(*, as_json: bool) -> Iterator[Command]:
    """A command to be given its results; at the end they are printed, or why there are none.

    Wrong use, wrong input, a store that fails and an interruption end it with one sentence.
    Anything else is a bug of Assay and shows its traceback too.

    Args:
        as_json: Print one object on standard output, and nothing else there.

    Raises:
        typer.Exit: with the exit code.
    """
    done = Command()
    # Nothing may print between the results, so they are for people as well written at once.
    with kept_for_results() if as_json else nullcontext(sys.stdout) as stream:
        try:
            with every_signal_interrupts():
                yield done
                text = json_line(done.payload()) if as_json else rendered(done.show, stream)
                write_results(text, stream)
        except BaseException as error:  # noqa: BLE001 - a bug is told as well, and not as code 1
            failure = failure_of(error)
            if failure.exit_code == DEFECT:
                traceback.print_exception(error)
            report(failure, stream, as_json=as_json)
            raise typer.Exit(failure.exit_code) from None
    raise typer.Exit(done.exit_code)


def report(failure: Failure, stream: TextIO, *, as_json: bool) -> None:
    """Say in one sentence on standard error why there are no results; as JSON on the stream."""
    sys.stderr.write(f"assay: {inert(failure.message, _LONGEST_SENTENCE)}\n")
    if as_json:
        with suppress(InputError):  # then standard error has to do
            write_results(json_line(failure.payload()), stream)


def json_line(payload: Mapping[str, object]) -> str:
    """The object on a line, in ASCII: no terminal obeys it and no locale mangles it."""
    return json.dumps(payload, allow_nan=False) + "\n"
