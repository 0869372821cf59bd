"""The two consoles: results on standard output, everything else on standard error."""

import os
import sys

from rich.console import Console

from assay.evaluators.canonical import is_text

_NARROWEST = 40
_WIDEST_UNTIL_ASKED = 100


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    # A pipe has no width; a fixed one keeps what scripts read from depending on the caller.
    width = None if stream.isatty() or "COLUMNS" in os.environ else _WIDEST_UNTIL_ASKED
    return Console(stderr=stderr, width=width, highlight=False, emoji=False, markup=False)


def results() -> Console:
    """The console of results."""
    return _console(stderr=False)


def notes() -> Console:
    """The console of progress and remarks."""
    return _console(stderr=True)


def is_narrow(console: Console) -> bool:
    """True if tables should drop what is not needed."""
    return console.width < 2 * _NARROWEST


def inert(text: str, limit: int = 200) -> str:
    """The text on one line, without anything that a terminal would obey.

    What a model wrote may hold escape sequences: control and format characters become `?`.
    """
    safe = text if is_text(text) else text.encode("utf-8", "replace").decode("utf-8")
    shown = "".join(char if char.isprintable() else "?" for char in safe)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"
