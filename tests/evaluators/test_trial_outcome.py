"""The counting table, row by row: one outcome a trial, and what it says for the pass rate."""

from dataclasses import dataclass

import pytest

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.errors import (
    Canceled,
    ErrorClass,
    IncompleteRecording,
    NotEvaluated,
    Skip,
    TargetError,
)
from assay.evaluators.execution import Execution
from assay.evaluators.headline import Headline, TrialCounts, headline, trial_counts
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.score import Score
from assay.evaluators.suite import SuiteResult
from assay.evaluators.trial import CaseResult, TrialResult
from assay.evaluators.trial_outcome import TargetFailures, trial_outcomes

METRIC = Metric(name="quality")
PASS = Report(metric=METRIC, decision=Score(1.0).decide(0.5))
FAIL = Report(metric=METRIC, decision=Score(0.0).decide(0.5))
SCORE = Report(metric=METRIC, score=Score(1.0))
SKIPPED = Skip()
BROKEN = ValueError("the judge is out")
UNVERIFIED = IncompleteRecording("no spans")
UNSEEN = NotEvaluated()

Answer = Report | BaseException


def graded(*answers: Answer, status: str = "completed") -> TrialResult:
    """A trial with a receipt and these answers."""
    reason = "" if status == "completed" else "why"
    receipt = Execution(status=status, output=1, reason=reason)
    return TrialResult(_case(answers), receipt)


def target_failed(error_class: ErrorClass) -> TrialResult:
    """A trial without a receipt."""
    return TrialResult(_case([UNSEEN]), execution_error=TargetError(error_class))


def not_run() -> TrialResult:
    """A trial that never started."""
    return TrialResult(_case([UNSEEN]), execution_error=Canceled())


def _case(answers: tuple[Answer, ...] | list[Answer]) -> CaseResult:
    results = [
        AssessmentResult(f"a{n}", report=one)
        if isinstance(one, Report)
        else AssessmentResult(f"a{n}", error=one)
        for n, one in enumerate(answers)
    ]
    return CaseResult("case", SuiteResult(tuple(results)))


def judged(
    *trials: TrialResult, target_failures: TargetFailures = "failed"
) -> tuple[TrialCounts, Headline]:
    """The counts and the headline of trials."""
    results = [
        TrialResult(
            CaseResult(f"case-{n}", trial.case.suite), trial.execution, trial.execution_error
        )
        for n, trial in enumerate(trials)
    ]
    outcomes = trial_outcomes(grading_of_results("f", results), target_failures=target_failures)
    return trial_counts(outcomes), headline(outcomes, target_failures=target_failures)


@dataclass(frozen=True)
class Row:
    """A row of DESIGN 7.1: outcome, numerator, the two denominators, and unknown."""

    outcome: str
    passes: int
    planned: int
    judged: int
    unknown: int


ROWS = [
    pytest.param(graded(PASS), Row("graded", 1, 1, 1, 0), id="suite verdict pass"),
    pytest.param(graded(PASS, SCORE), Row("graded", 1, 1, 1, 0), id="pass beside a score"),
    pytest.param(graded(PASS, SKIPPED), Row("graded", 1, 1, 1, 0), id="pass beside a skip"),
    pytest.param(graded(FAIL), Row("graded", 0, 1, 1, 0), id="suite verdict fail"),
    pytest.param(graded(PASS, FAIL), Row("graded", 0, 1, 1, 0), id="any fail fails"),
    pytest.param(graded(SCORE), Row("graded", 0, 0, 0, 0), id="nothing decided"),
    pytest.param(graded(SCORE, SKIPPED), Row("graded", 0, 0, 0, 0), id="nothing decided, a skip"),
    pytest.param(graded(SKIPPED), Row("not_applicable", 0, 0, 0, 0), id="every one skipped"),
    pytest.param(
        graded(FAIL, BROKEN), Row("partly_graded", 0, 1, 0, 0), id="incomplete, one fail already"
    ),
    pytest.param(graded(PASS, BROKEN), Row("partly_graded", 0, 1, 0, 1), id="incomplete, a pass"),
    pytest.param(graded(SCORE, UNVERIFIED), Row("partly_graded", 0, 1, 0, 1), id="unverified"),
    pytest.param(graded(BROKEN), Row("ungraded", 0, 1, 0, 1), id="nothing completed"),
    pytest.param(graded(SKIPPED, BROKEN), Row("ungraded", 0, 1, 0, 1), id="a skip, no report"),
    pytest.param(graded(UNSEEN), Row("ungraded", 0, 1, 0, 1), id="a receipt, grading not begun"),
    *(
        pytest.param(target_failed(name), Row("target_failed", 0, 1, 0, 1), id=f"target {name}")
        for name in ("rate_limited", "unavailable", "canceled")
    ),
    *(
        pytest.param(target_failed(name), Row("target_failed", 0, 1, 0, 0), id=f"target {name}")
        for name in ("timeout", "internal", "invalid_input", "refused", "unsupported")
    ),
    pytest.param(not_run(), Row("not_run", 0, 1, 0, 1), id="never started"),
    *(
        pytest.param(graded(PASS, status=status), Row("graded", 1, 1, 1, 0), id=f"receipt {status}")
        for status in ("failed", "budget_exhausted", "canceled")
    ),
]


@pytest.mark.parametrize(("trial", "row"), ROWS)
def test_each_row_of_the_counting_table_holds(trial: TrialResult, row: Row) -> None:
    """DESIGN 7.1: every rate and bound follows from these."""
    counts, rates = judged(trial)
    assert getattr(counts, row.outcome) == counts.planned == 1
    found = (rates.passes, rates.planned, rates.judged, rates.unknown)
    assert found == (row.passes, row.planned, row.judged, row.unknown)


@pytest.mark.parametrize("name", ["timeout", "internal", "invalid_input", "rate_limited"])
def test_target_failures_are_unknown_when_the_experiment_says_so(name: ErrorClass) -> None:
    """DESIGN 7.1: `target_failures: unknown` moves the rest of them."""
    _, rates = judged(target_failed(name), target_failures="unknown")
    assert (rates.planned, rates.unknown) == (1, 1)


def test_b01_errors_do_not_raise_the_rate() -> None:
    """B01: of 8 trials 2 are right, 4 wrong, and 2 have no receipt."""
    trials = [graded(PASS)] * 2 + [graded(FAIL)] * 4 + [target_failed("internal")] * 2
    counts, rates = judged(*trials)
    assert (counts.planned, counts.graded, counts.target_failed) == (8, 6, 2)
    assert (rates.over_planned, rates.over_graded) == (0.25, pytest.approx(1 / 3))
    assert rates.payload()["target_failures"] == "failed"
    assert (rates.low, rates.high) == (0.25, 0.25)
    _, rates = judged(*trials, target_failures="unknown")
    assert (rates.low, rates.high) == (0.25, 0.5)


@pytest.mark.parametrize("error", [BROKEN, UNVERIFIED, UNSEEN])
def test_b01_grader_errors_leave_the_rate_between_bounds(error: BaseException) -> None:
    """B01, the same with a grader that raised, lacked evidence, or never ran."""
    _, rates = judged(*[graded(PASS)] * 2, *[graded(FAIL)] * 4, *[graded(error)] * 2)
    assert (rates.low, rates.high) == (0.25, 0.5)
    assert rates.over_graded == pytest.approx(1 / 3)


def test_b02_failed_evaluations_stay_in_the_denominator() -> None:
    """B02: 108 right, 40 wrong, 24 without a receipt are 108 of 172, never of 148 unlabelled."""
    trials = [graded(PASS)] * 108 + [graded(FAIL)] * 40 + [target_failed("internal")] * 24
    _, rates = judged(*trials)
    assert (rates.passes, rates.planned, rates.judged) == (108, 172, 148)
    assert float(rates.over_planned or 0) == pytest.approx(0.6279, abs=5e-5)


def test_the_interval_takes_cases_as_the_unit() -> None:
    """Repeats of one case are no independent trials, so they get no binomial interval."""
    _, rates = judged(graded(PASS), graded(FAIL))
    assert rates.interval() == pytest.approx((0.0945, 0.9055), abs=5e-5)
    repeats = [
        CaseResult("one", graded(PASS).case.suite, repeat=0),
        CaseResult("one", graded(FAIL).case.suite, repeat=1),
    ]
    outcomes = trial_outcomes(grading_of_results("f", repeats))
    assert headline(outcomes, target_failures="failed").interval() is None
