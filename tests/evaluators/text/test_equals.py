"""Whether the answer is a given value."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.report import Report
from assay.evaluators.text import equals

Ask = Callable[..., Report]


@pytest.mark.parametrize(
    ("number", "output", "value", "verdict"),
    [
        ("E1", 1, 1.0, "pass"),
        ("E2", True, 1, "fail"),
        ("E3", float("nan"), 0.5, "fail"),
        ("E4", 0.1 + 0.2, 0.3, "fail"),
        ("E5", {"a": 1, "b": 2}, {"b": 2, "a": 1}, "pass"),
        ("a tuple", (1, 2), [1, 2], "pass"),
        ("null", None, None, "pass"),
        ("null as text", "null", None, "fail"),
    ],
)
def test_values_compare_as_json(
    ask: Ask, number: str, output: object, value: object, verdict: str
) -> None:
    """Library 17.1, E1 to E5; a setting cannot be NaN, so that E3 has it on one side."""
    del number
    assert ask(equals, output, settings={"value": value}).verdict == verdict


def test_space_may_be_trimmed(ask: Ask) -> None:
    """Library 17.1 E6."""
    settings = {"value": "Paris is nice", "trim_space": True}
    assert ask(equals, "  Paris \n is   nice\t", settings=settings).verdict == "pass"


def test_the_reason_names_both_values(ask: Ask) -> None:
    """Library 4: always a reason on failure."""
    assert ask(equals, "b", settings={"value": "a"}).feedback == 'expected "a", got "b"'


@given(st.text(), st.text())
def test_equality_is_symmetric(ask: Ask, one: str, other: str) -> None:
    """Whichever of the two is the answer."""
    first = ask(equals, one, settings={"value": other}).verdict
    assert first == ask(equals, other, settings={"value": one}).verdict
    assert ask(equals, one, settings={"value": one}).verdict == "pass"
