"""Results that are a few sentences."""

from collections.abc import Sequence

from rich.console import Console

from assay.flows.terminal.console import inert

_LONGEST_LINE = 2000


def show_lines(console: Console, lines: Sequence[str]) -> None:
    """Print one line each."""
    for line in lines:
        console.print(inert(line, _LONGEST_LINE), soft_wrap=True)
