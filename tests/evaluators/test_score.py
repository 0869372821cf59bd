"""Normalised grades, and the threshold that decides."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import InvalidReport, InvalidScore, is_a
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.score import Score

UNIT = st.floats(0, 1)


@pytest.mark.parametrize(
    ("score", "threshold", "verdict"),
    [
        pytest.param(0.82, 0.8, "pass", id="kernel 3.3: above"),
        pytest.param(0.8, 0.8, "pass", id="kernel 3.3: equal"),
        pytest.param(0.5, 0.4, "pass", id="kernel 3.3: 0.5 against 0.4"),
        pytest.param(0.5, 0.6, "fail", id="kernel 3.3: 0.5 against 0.6"),
        pytest.param(0.1 + 0.2, 0.3, "pass", id="kernel 1.4c: no tolerance above"),
        pytest.param(0.3, 0.1 + 0.2, "fail", id="kernel 1.4c: no tolerance below"),
        pytest.param(0.0, 0.0, "pass", id="zero"),
        pytest.param(-0.0, 0.0, "pass", id="minus zero equals zero"),
    ],
)
def test_a_score_passes_when_it_is_at_least_the_threshold(
    score: float, threshold: float, verdict: str
) -> None:
    """Kernel 3.3: inclusive and exact."""
    assert Score(score).decide(threshold).verdict == verdict


def test_the_threshold_is_the_parameter_of_the_decision() -> None:
    """Kernel 3.3: spelled shortly, and another threshold is another rule."""
    decision = Score(0.8).decide(0.8)
    assert (decision.policy, dict(decision.parameters)) == ("threshold", {"threshold": "0.8"})
    assert Score(0.5).decide(0.4).parameters != Score(0.5).decide(0.6).parameters
    assert dict(Score(0.5).decide(1).parameters) == {"threshold": "1"}


def test_a_threshold_of_minus_zero_is_another_rule() -> None:
    """Kernel 1.4c: it is spelled `-0`, so the two decisions are incompatible."""
    assert Score(0.5).decide(-0.0).identity != Score(0.5).decide(0.0).identity


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(-0.1, id="kernel 3.3: -0.1"),
        pytest.param(1.1, id="kernel 3.3: 1.1"),
        pytest.param(math.nan, id="kernel 3.3: NaN"),
        pytest.param(math.inf, id="kernel 3.3: Inf"),
        -math.inf,
        math.nextafter(1, 2),
        -5e-324,
        10**400,
        True,
        None,
        "0.5",
    ],
)
def test_what_is_no_number_in_the_interval_is_refused(value: float) -> None:
    """Kernel 3.3 and 1.4c: as a score, as a threshold, and inside a report."""
    with pytest.raises(InvalidScore, match="expected a number in"):
        Score(value)
    with pytest.raises(InvalidScore, match="threshold: expected a number in"):
        Score(0.5).decide(value)
    if value is not None:
        with pytest.raises(InvalidReport, match="score: expected a number in") as caught:
            Report.model_validate({"metric": Metric(name="m"), "score": value})
        assert is_a(caught.value, InvalidScore)


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, -0.0, 5e-324])
def test_the_ends_of_the_interval_belong_to_it(value: float) -> None:
    """Minus zero too: it is not less than zero."""
    assert Score(value) == value


@given(UNIT, UNIT)
def test_a_decision_agrees_with_the_comparison(score: float, threshold: float) -> None:
    """Whatever the two numbers are."""
    assert Score(score).decide(threshold).passed == (score >= threshold)


@given(UNIT, UNIT, UNIT)
def test_a_higher_score_never_fails_where_a_lower_one_passes(
    one: float, other: float, threshold: float
) -> None:
    """Higher is better, always."""
    low, high = sorted((one, other))
    assert Score(low).decide(threshold).passed <= Score(high).decide(threshold).passed


@given(UNIT)
def test_a_score_is_a_float(value: float) -> None:
    """It sorts, adds and pickles as one."""
    score = Score(value)
    assert score == value
    assert pickle.loads(pickle.dumps(score)) == value  # noqa: S301
    assert repr(score) == f"Score({value!r})"
