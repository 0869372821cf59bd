"""Long values in short sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.excerpt import excerpt, text_of


@given(st.text(), st.integers(min_value=3, max_value=40))
def test_an_excerpt_is_never_longer_than_asked(text: str, longest: int) -> None:
    """And a short value is whole."""
    assert len(excerpt(text, longest)) <= longest


def test_both_ends_of_a_long_value_are_kept() -> None:
    """Answers differ at the end as often as at the beginning."""
    assert excerpt("begin" + "x" * 200 + "end", 20) == '"beginxxxx…xxxxxend"'


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), (None, "null"), (b"\xc3\xa9", "é"), ([1, "<"], '[1,"<"]')]
)
def test_text_of_a_value_is_its_json_unless_it_is_text(value: object, text: str) -> None:
    """Library 1: Text(v), without escapes for HTML."""
    assert text_of(value) == text


def test_what_has_no_json_form_is_still_shown() -> None:
    """A reason must not fail where the check did not."""
    assert excerpt({1}) == "{1}"


@pytest.mark.parametrize("letter", ["x", '"', "\n", "é", "\ud800"])
def test_a_long_text_is_shown_as_if_it_had_been_written_whole(letter: str) -> None:
    """Only its ends are looked at, which must not show."""
    long, longer = (excerpt(letter * length, 20) for length in (40, 100_000))
    assert long == longer
    assert len(long) == 20
