"""Whether something stands in the answer: text, items, members."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.case import Case
from assay.evaluators.errors import IncompleteRecording, InvalidEvaluatorConfig
from assay.evaluators.execution import Execution
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.text import contains


@dataclass
class Point:
    """An output as a Python object."""

    x: int
    y: str


def report_of(output: object, **settings: object) -> Report:
    """What contains says of an output."""
    sample = Sample(Case(id="c", input=1), Execution(output=output))
    return contains.configured(settings).grade(sample)


@pytest.mark.parametrize(
    ("number", "output", "value", "verdict"),
    [
        ("C1", "Hello World", "World", "pass"),
        ("C2", "Hello World", "world", "fail"),
        ("C4", "abc", "", "pass"),
        ("C5", "", "a", "fail"),
        ("C6", [1, 2, 3], 2, "pass"),
        ("C7", [1, 2, 3], [2], "fail"),
        ("C8", [[1], [2]], [2], "pass"),
        ("C9", [1, 2, 3], 2.0, "pass"),
        ("C10", [1, 2, 3], True, "fail"),
        ("C11", {"k": "v", "z": 1}, {"k": "v"}, "pass"),
        ("C12", {"k": "v"}, {"k": "w"}, "fail"),
        ("C13", {"k": "v"}, {"m": 1}, "fail"),
        ("C14", {"k": {"a": 1, "b": 2}}, {"k": {"a": 1}}, "fail"),
        ("C15", {"k": "v"}, {}, "pass"),
        ("C16", {"n": 1}, {"n": 1.0}, "pass"),
        ("C17", {"k": "v"}, "k", "pass"),
        ("C18", {"k": "v"}, "v", "fail"),
        ("C19", Point(1, "a"), {"x": 1}, "pass"),
        ("C20", 42, "4", "pass"),
        ("C21", "42", 4, "pass"),
        ("C22", None, "None", "fail"),
        ("C23", {1, 2}, [2], "fail"),
        ("a null", None, "null", "pass"),
        ("a number as key", {"1": 2}, 1, "fail"),
        ("bytes", "é".encode(), "é", "pass"),
    ],
)
def test_what_an_output_contains(number: str, output: object, value: object, verdict: str) -> None:
    """Library 17.1; where its sources differ, the bold value of the table."""
    del number
    report = report_of(output, value=value)
    assert report.verdict == verdict
    assert report.score == (1.0 if verdict == "pass" else 0.0)
    assert bool(report.feedback) == (verdict == "fail")


@pytest.mark.parametrize(
    ("number", "output", "value"),
    [
        ("C3", "Hello World", "world"),
        ("C24", "STRASSE", "straße"),
        ("C25", ["Hello"], "hello"),
        ("in a member", {"k": "Hello"}, {"k": "hello"}),
    ],
)
def test_case_may_be_ignored_at_any_depth(number: str, output: object, value: object) -> None:
    """Library 17.1, C3, C24 and C25."""
    del number
    assert report_of(output, value=value, ignore_case=True).verdict == "pass"
    assert report_of(output, value=value).verdict == "fail"


def test_space_may_be_trimmed() -> None:
    """An answer broken over lines still says it."""
    assert report_of("New\n  York", value="new york", trim_space=True).verdict == "fail"
    assert report_of("New\n  York", value="New York", trim_space=True).verdict == "pass"


def test_no_output_is_no_failure() -> None:
    """DESIGN 3.1: without a candidate the check is unverified, never failed."""
    with pytest.raises(IncompleteRecording):
        contains.configured({"value": "a"}).grade(Sample(Case(id="c", input=1), Execution()))


def test_the_value_must_be_given() -> None:
    """A check for nothing would pass everything."""
    with pytest.raises(InvalidEvaluatorConfig, match="expected the setting 'value'"):
        contains.require_settings()


@given(st.text(), st.text(), st.text())
def test_a_text_contains_all_its_parts(before: str, part: str, after: str) -> None:
    """The law of substrings, also under folding, which is done letter by letter."""
    assert report_of(before + part + after, value=part).verdict == "pass"
    assert report_of(before + part + after, value=part, ignore_case=True).verdict == "pass"


@given(st.lists(st.integers()), st.integers())
def test_a_list_contains_its_items_and_no_others(items: list[int], item: int) -> None:
    """No part of the list's text counts."""
    assert (report_of(items, value=item).verdict == "pass") == (item in items)
