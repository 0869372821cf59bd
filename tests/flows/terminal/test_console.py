"""What a model wrote is shown and never obeyed, on any width and in any encoding."""

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from assay.flows.terminal.console import inert, is_narrow, rendered

PAYLOADS = {
    "clear screen": ("\x1b[2J", "?[2J"),
    "C1 introducer": ("\x9b2J", "?2J"),
    "line breaks": ("one\ntwo\rthree\u2028four", "one?two?three?four"),
    "bell and null": ("\a\0", "??"),
    "right-to-left override": ("\u202egnp.exe", "?gnp.exe"),
    "zero width": ("=\u200b1", "=?1"),
    "markup": ("[bold red]x[/]", "[bold red]x[/]"),
    "emoji code": (":bomb:", ":bomb:"),
    "lone surrogate": ("\ud800", "?"),
    "accents": ("日本 é", "日本 é"),
}


@pytest.mark.parametrize(("text", "shown"), PAYLOADS.values(), ids=PAYLOADS)
def test_what_a_terminal_would_obey_is_replaced(text: str, shown: str) -> None:
    """A label must not be able to clear the screen or to forge a line of the report (B54)."""
    assert inert(text) == shown


@given(st.text(st.characters(codec=None)), st.integers(4, 50))
def test_inert_text_is_one_bounded_line_without_controls(text: str, limit: int) -> None:
    """Whatever comes, it stays within its line and its cell."""
    shown = inert(text, limit)
    assert len(shown) <= limit
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_a_long_text_ends_in_dots() -> None:
    """A text that was cut must not look whole; three dots exist in every encoding."""
    assert inert("x" * 300, 10) == "xxxxxxx..."
    assert inert("x" * 10, 10) == "x" * 10


def pipe(encoding: str) -> io.TextIOWrapper:
    """A strict stream, as standard output is."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_encoding_can_take_what_is_rendered(encoding: str) -> None:
    """The report of a paid run must not end in a UnicodeEncodeError."""
    text = rendered(lambda console: console.print("日本 … ─ é"), pipe(encoding))
    pipe(encoding).write(text)
    assert text.endswith("\n")


def test_markup_and_emoji_codes_are_printed_as_they_are() -> None:
    """Case ids such as `[a]` are no instructions to the printer."""
    text = rendered(lambda console: console.print("[bold]x[/bold] :bomb:"), pipe("utf-8"))
    assert text == "[bold]x[/bold] :bomb:\n"


def test_lines_end_where_their_text_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blanks up to the edge make every diff of two outputs unreadable."""
    monkeypatch.setenv("COLUMNS", "40")
    text = rendered(lambda console: console.print("a", justify="left", width=30), pipe("utf-8"))
    assert text == "a\n"


def test_a_pipe_gets_no_escape_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and other programs are no terminals."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    text = rendered(lambda console: console.print("x", style="bold red"), pipe("utf-8"))
    assert text == "x\n"


@pytest.mark.parametrize(("columns", "narrow"), [(40, True), (79, True), (80, False)])
def test_eighty_columns_are_wide_enough(columns: int, narrow: bool) -> None:  # noqa: FBT001
    """Eighty is what a terminal has unless somebody changed it."""
    assert is_narrow(Console(width=columns, file=io.StringIO())) is narrow
