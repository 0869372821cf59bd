"""Whether the answer is the expected one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.case import Case
from assay.evaluators.errors import IncompleteRecording, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.text import equals_expected


def report_of(output: object, expected: object, **settings: object) -> Report:
    """What equals_expected says of an output."""
    sample = Sample(Case(id="c", input=1, expected=expected), Execution(output=output))
    return equals_expected.configured(settings).grade(sample)


@pytest.mark.parametrize(
    ("output", "expected", "verdict"),
    [
        ("Paris", "Paris", "pass"),
        ("Paris", "paris", "fail"),
        ("", "", "pass"),
        (0, 0, "pass"),
        (False, False, "pass"),
        (1, 1.0, "pass"),
        (True, 1, "fail"),
        (None, "null", "fail"),
        ({"b": 2, "a": 1}, {"a": 1, "b": 2}, "pass"),
    ],
)
def test_output_and_expected_value_compare_as_json(
    output: object, expected: object, verdict: str
) -> None:
    """Library 17.1, E1, E2, E5 and E8: a falsy reference is a reference."""
    assert report_of(output, expected).verdict == verdict


def test_without_an_expected_value_it_does_not_apply() -> None:
    """Library 17.1 E7: skipped, also when the output is null."""
    with pytest.raises(Skip, match="no expected value"):
        report_of(None, None)


def test_without_an_output_it_is_unverified() -> None:
    """DESIGN 3.1: absent, null and "" are three things."""
    with pytest.raises(IncompleteRecording):
        equals_expected.grade(Sample(Case(id="c", input=1, expected="a"), Execution()))


def test_case_and_space_may_be_ignored() -> None:
    """Library 17.1 E6, and full folding."""
    assert report_of("STRASSE", "straße", ignore_case=True).verdict == "pass"
    assert report_of(" a \n b ", "a b", trim_space=True).verdict == "pass"


def test_the_reason_shows_both_values_in_short() -> None:
    """A report of a thousand failures stays readable."""
    feedback = report_of("x" * 500, "y").feedback
    assert feedback.startswith('expected "y", got "xxx')
    assert len(feedback) < 140


@given(st.text(), st.booleans(), st.booleans())
def test_an_answer_equals_itself_under_every_option(
    text: str, ignore_case: object, trim_space: object
) -> None:
    """Options only ever let more pass."""
    settings = {"ignore_case": ignore_case, "trim_space": trim_space}
    assert report_of(text, text, **settings).verdict == "pass"
