"""What the return value of an evaluator function means."""

import enum
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import InvalidMetric, InvalidReport, Skip
from assay.evaluators.measured import Measured
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.returned import ReturnRule
from assay.evaluators.score import Score

RULE = ReturnRule("check", OpenMap.of({"k": 1}), OpenMap.of({"limit": 3}))


class Label(enum.StrEnum):
    """A closed set of labels."""

    GOOD = "good"


@pytest.mark.parametrize(("value", "verdict"), [(True, "pass"), (False, "fail")])
def test_a_bool_is_a_decision(value: bool, verdict: str) -> None:  # noqa: FBT001 - that is the case
    """Of policy `assertion`, with the acceptance settings as its parameters, and no score."""
    report = RULE.report(value)
    assert report.decision is not None
    assert (report.verdict, report.decision.policy) == (verdict, "assertion")
    assert dict(report.decision.parameters) == {"limit": "3"}
    assert (report.score, report.measurement, report.label) == (None, None, None)


@given(st.floats(0, 1))
def test_a_float_in_the_interval_is_a_score(value: float) -> None:
    """And decides nothing."""
    report = RULE.report(value)
    assert report.score == value
    assert report.decision is None


@pytest.mark.parametrize("value", [0, 1, 7, -3, 2**60])
def test_an_int_is_a_measurement_never_a_score(value: int) -> None:
    """Also 0 and 1, which would be in the interval."""
    report = RULE.report(value)
    assert (report.measurement, report.score) == (float(value), None)


def test_measured_brings_its_unit_and_direction() -> None:
    """They are part of the metric, so seconds and characters are never averaged."""
    report = RULE.report(Measured(1.5, unit="second", direction="lower_is_better"))
    assert (report.measurement, report.metric.unit) == (1.5, "second")
    assert report.metric.direction == "lower_is_better"
    assert report.metric != RULE.report(Measured(1.5)).metric


@pytest.mark.parametrize("value", ["fine", "", Label.GOOD])
def test_a_text_is_a_label(value: str) -> None:
    """The empty one too; an enum stands for its value."""
    assert RULE.report(value).label == str(value)


def test_a_report_stands_for_itself() -> None:
    """An evaluator may say all that a report can."""
    report = Report(metric=Metric(name="other"), score=Score(0.5))
    assert RULE.report(report) is report


def test_a_returned_skip_is_raised() -> None:
    """Returning and raising it mean the same."""
    with pytest.raises(Skip, match="not here"):
        RULE.report(Skip("not here"))


@pytest.mark.parametrize(
    "value",
    [
        None,
        math.nan,
        math.inf,
        -math.inf,
        1.0000000000000002,
        -0.1,
        10**400,
        b"good",
        [],
        [[True]],
        {},
        {"a": True},
        (True,),
        object(),
        1j,
        Report,
        "x" * 257,
        "\ud800",
        ValueError("returned"),
    ],
)
def test_anything_else_is_an_evaluator_failure(value: object) -> None:
    """DESIGN 3.1: None, NaN and a list of grades are not quietly a zero."""
    with pytest.raises(InvalidReport, match="expected"):
        RULE.report(value)


def test_a_coroutine_is_refused_and_closed() -> None:
    """A plain function that hands out one would otherwise leave Python's warning behind."""

    async def grade() -> bool:
        return True

    with pytest.raises(InvalidReport, match="got coroutine"):
        RULE.report(grade())


def test_equal_values_of_other_kinds_mean_other_things() -> None:
    """1, 1.0 and True are equal to Python and three different reports here."""
    kinds = [RULE.report(value) for value in (1, 1.0, True, 1, 1.0, True)]
    assert [report.measurement for report in kinds] == [1.0, None, None] * 2
    assert [report.score for report in kinds] == [None, 1.0, None] * 2
    assert [report.verdict for report in kinds] == ["", "", "pass"] * 2


def test_minus_zero_keeps_its_sign() -> None:
    """Though it equals zero, which was returned just before."""
    texts = [RULE.report(value).encode() for value in (0.0, -0.0)]
    assert texts[0] != texts[1]


def test_settings_are_parameters_of_the_metric_and_of_the_decision() -> None:
    """DESIGN 3.1: acceptance settings only decide, so they are no part of the metric."""
    assert dict(RULE.report(value=True).metric.parameters) == {"k": "1"}


@pytest.mark.parametrize("name", ["", "a/b", " a"])
def test_a_wrong_name_is_found_when_the_rule_is_made(name: str) -> None:
    """Not at the first answer, when a target has been paid."""
    with pytest.raises(InvalidMetric):
        ReturnRule(name)


@pytest.mark.parametrize("value", [math.nan, math.inf, "1", None, True])
def test_measured_takes_finite_numbers_only(value: float) -> None:
    """A measurement that is no number is an evaluator failure where it is made."""
    with pytest.raises(InvalidReport):
        Measured(value)


def test_measured_refuses_an_unknown_direction() -> None:
    """As a metric does."""
    with pytest.raises(InvalidReport):
        Measured(1.0, direction="sideways")  # type: ignore[arg-type]
