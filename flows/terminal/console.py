"""The two consoles: results on standard output, everything else on standard error."""

import os
import sys
from collections.abc import Callable
from io import StringIO
from typing import TextIO

from rich.console import Console

from assay.evaluators.canonical import is_text

_NARROW = 80
_WIDTH_OF_A_PIPE = 100


def notes() -> Console:
    """The console of progress and remarks."""
    return _console(sys.stderr, sys.stderr)


def rendered(show: Callable[[Console], None], stream: TextIO) -> str:
    """What `show` prints, as text for the stream; what its encoding lacks becomes `?`."""
    written = StringIO()
    show(_console(stream, written))
    encoding = stream.encoding or "utf-8"
    lines = (line.rstrip() for line in written.getvalue().split("\n"))
    return "\n".join(lines).encode(encoding, "replace").decode(encoding)


def _console(stream: TextIO, file: TextIO) -> Console:
    is_terminal = stream.isatty()
    # A pipe has no width; a fixed one keeps what scripts read from depending on the caller.
    width = None if is_terminal or "COLUMNS" in os.environ else _WIDTH_OF_A_PIPE
    return Console(
        file=file,
        width=width,
        force_terminal=is_terminal,
        highlight=False,
        emoji=False,
        markup=False,
    )


def is_narrow(console: Console) -> bool:
    """True if tables should drop what is not needed."""
    return console.width < _NARROW


def inert(text: str, limit: int = 200) -> str:
    """The text on one line, without anything that a terminal would obey.

    What a model wrote may hold escape sequences: control and format characters become `?`.
    """
    safe = text if is_text(text) else text.encode("utf-8", "replace").decode("utf-8")
    shown = "".join(char if char.isprintable() else "?" for char in safe[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."
