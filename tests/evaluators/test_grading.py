"""The columns that summaries read: nothing twice, and no number that no report can hold."""

import polars as pl
import pytest

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.assessment_summary import metric_summaries
from assay.evaluators.errors import AssayError, InvalidExperiment, InvalidReport
from assay.evaluators.grading import TRIALS, Grading, grade_columns
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.score import Score
from assay.evaluators.suite import SuiteResult
from assay.evaluators.summary import summarize
from assay.evaluators.trial import CaseResult

SCORED = Report(metric=Metric(name="m"), score=Score(1.0))


def grading(*scores: float | None, identities: dict[str, str] | None = None) -> Grading:
    """A grading of one assessment with these scores, as a damaged store might give them."""
    rows = range(len(scores))
    trials = pl.DataFrame(
        {"trial": rows, "case": rows, "case_id": [f"c{n}" for n in rows], "repeat": 0}
        | {"declared": 1, "kind": "receipt"},
        schema_overrides=dict(TRIALS),
    ).match_to_schema(TRIALS, missing_columns="insert")
    columns = grade_columns(("a",))
    grades = pl.DataFrame(
        {"trial": rows, "assessment": "a", "order": rows, "status": "completed", "verdict": ""}
        | {"observation": SCORED.observation_digest, "score": list(scores)},
        schema_overrides=dict(columns),
    ).match_to_schema(columns, missing_columns="insert")
    texts = {SCORED.observation_digest: SCORED.observation} if identities is None else identities
    return Grading("f", trials, grades, ("a",), {"a": len(scores)}, texts)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -0.1, 1.5])
def test_b14_a_number_that_is_no_score_never_reaches_a_mean(number: float) -> None:
    """B14: NaN poisons a mean, is skipped by a median and sorts last in a maximum."""
    (metric,) = metric_summaries(grading(1.0, number, None, 0.5))
    assert (metric.scores.count, metric.scores.mean, metric.scores.maximum) == (2, 0.75, 1.0)


def test_b07_such_a_number_is_a_failed_assessment() -> None:
    """B07: read back as 0.0 it would have lowered the mean after a resume."""
    found = summarize(grading(1.0, float("nan")))
    (assessment,) = found.assessments
    assert (assessment.completed, assessment.count("failed")) == (1, 1)
    assert found.headline.unknown == 1


def test_b50_a_case_that_stands_twice_is_refused() -> None:
    """B50: a join on doubled keys makes four rows out of two and two."""
    suite = SuiteResult((AssessmentResult("a", report=SCORED),))
    with pytest.raises(InvalidExperiment, match="each case and repeat once, got 1 more"):
        grading_of_results("f", [CaseResult("c", suite), CaseResult("c", suite)])


def test_b50_a_grade_that_stands_twice_is_refused() -> None:
    """B50: the store keeps one row a grade, and nothing else may be counted."""
    once = grading(1.0)
    doubled = pl.concat([once.grades, once.grades])
    with pytest.raises(InvalidExperiment, match="each assessment of a trial once"):
        Grading("f", once.trials, doubled, ("a",), {"a": 1}, once.identities)


def test_an_observation_without_its_text_is_named() -> None:
    """A digest alone says nothing about what was measured."""
    with pytest.raises(InvalidReport, match="expected its text among the identities"):
        summarize(grading(1.0, identities={}))


@pytest.mark.parametrize("text", ["[]", "{}", '{"metric":{"name":"m"},"details":3}', '"m"'])
def test_a_text_that_is_no_observation_is_refused(text: str) -> None:
    """A damaged table of identities must not invent metrics."""
    with pytest.raises(AssayError, match="expected"):
        summarize(grading(1.0, identities={SCORED.observation_digest: text}))
