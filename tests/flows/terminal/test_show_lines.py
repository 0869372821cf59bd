"""Lines of results: whole, and nothing in them that a terminal would obey."""

from io import StringIO

from rich.console import Console

from assay.flows.terminal.show_lines import show_lines


def _shown(*lines: str) -> str:
    sink = StringIO()
    show_lines(Console(file=sink, width=20, highlight=False, emoji=False, markup=False), lines)
    return sink.getvalue()


def test_a_long_line_stays_one_line() -> None:
    """A path that was folded cannot be copied."""
    path = "/a/long/path" * 9
    assert _shown(path, "next") == f"{path}\nnext\n"


def test_a_terminal_obeys_nothing_in_a_line() -> None:
    """File names and case ids may hold anything."""
    assert _shown("a\x1b[2J\nb [bold]c") == "a?[2J?b [bold]c\n"
