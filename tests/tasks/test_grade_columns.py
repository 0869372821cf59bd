"""Results as rows of grades."""

import pyarrow as pa
import pytest

from assay.evaluators.assessment import Assessment, AssessmentResult, not_evaluated
from assay.evaluators.decision import Decision
from assay.evaluators.errors import EvaluatorError, Skip
from assay.evaluators.evidence import MessageIndex
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.schema import GRADES, given_columns
from assay.evaluators.score import Score
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded
from assay.tasks.mask_secrets import MASK, Secrets

GRADED = Graded("case", 2, "sha256:case", "sha256:receipt", attempt=3)
REPORT = Report(
    metric=Metric(name="near"),
    decision=Decision(policy="near", verdict="fail"),
    score=Score(0.25),
    label="far",
)


@evaluator(revision="1")
def near(_sample: Sample) -> float:
    """Stand for any evaluator: it is never called here."""
    return 0.25


NEAR = Assessment("near", near)


def _rows(columns: GradeColumns) -> list[dict[str, object]]:
    return columns.table().to_pylist()


def test_a_report_fills_its_columns() -> None:
    """And the identities say what its digests stand for."""
    columns = GradeColumns()
    columns.add(GRADED, NEAR, (AssessmentResult("near", report=REPORT, duration_seconds=0.5),))
    (row,) = _rows(columns)
    assert (row["case_id"], row["repeat"], row["attempt"]) == ("case", 2, 3)
    assert (row["status"], row["verdict"], row["score"], row["label"]) == (
        "completed",
        "fail",
        0.25,
        "far",
    )
    assert Report.decode(str(row["report"])) == REPORT
    named = [row[name] for name in ("evaluator", "metric", "observation", "policy")]
    assert [columns.identities[str(digest)][0] for digest in named] == [
        "evaluator",
        "metric",
        "observation",
        "policy",
    ]
    assert columns.identities[str(row["metric"])][1] == REPORT.metric.identity


@pytest.mark.parametrize(
    ("result", "status", "error_class"),
    [
        (AssessmentResult("near", error=EvaluatorError("refused", "no")), "failed", "refused"),
        (AssessmentResult("near", error=Skip("no reference")), "skipped", None),
        (not_evaluated("near"), "not_evaluated", None),
    ],
)
def test_a_result_without_report_has_no_number(
    result: AssessmentResult, status: str, error_class: str | None
) -> None:
    """Not even a zero."""
    columns = GradeColumns()
    columns.add(GRADED, NEAR, (result,))
    (row,) = _rows(columns)
    assert (row["status"], row["error_class"]) == (status, error_class)
    absent = ("metric", "observation", "policy", "score", "measurement", "label", "report")
    assert [row[name] for name in absent] == [None] * len(absent)
    assert row["verdict"] == ""


def test_each_output_has_a_row_and_a_key_of_its_own() -> None:
    """Otherwise one would be carried over as the other."""

    @evaluator(revision="1", outputs=("precision", "recall"))
    def both(_sample: Sample) -> dict[str, float]:
        return {"precision": 0.5, "recall": 1.0}

    assessment = Assessment("both", both)
    columns = GradeColumns()
    columns.add(GRADED, assessment, tuple(not_evaluated(one) for one in assessment.ids))
    rows = _rows(columns)
    assert [row["assessment_id"] for row in rows] == ["both.precision", "both.recall"]
    assert len({row["key"] for row in rows}) == 2
    assert len({row["evaluator"] for row in rows}) == 1


def test_rows_and_table_say_the_same() -> None:
    """Trials commit rows, regrades commit tables; the store sees no difference."""
    columns = GradeColumns()
    for result in (
        AssessmentResult("near", report=REPORT),
        AssessmentResult("near", report=Report(metric=Metric(name="n"), measurement=3.0)),
        AssessmentResult("near", error=ValueError("broken")),
    ):
        columns.add(GRADED, NEAR, (result,))
    names = given_columns(GRADES)
    from_rows = [{name: getattr(row, name) for name in names} for row in columns.rows()]
    assert from_rows == _rows(columns)
    assert len(columns) == 3


def test_the_columns_have_the_types_of_the_schema() -> None:
    """With no row too, and where every cell of a column is absent."""
    for results in ((), (not_evaluated("near"),), (AssessmentResult("near", report=REPORT),)):
        columns = GradeColumns()
        if results:
            columns.add(GRADED, NEAR, results)
        table = columns.table()
        assert table.schema == pa.schema([GRADES.field(name) for name in given_columns(GRADES)])


def test_a_secret_in_an_error_is_masked() -> None:
    """Whether it was declared or has the shape of one."""
    columns = GradeColumns(Secrets(["hunter22"]))
    key = "sk-" + "a1" * 20
    error = EvaluatorError("refused", f"hunter22 and {key}")
    columns.add(GRADED, NEAR, (AssessmentResult("near", error=error),))
    assert _rows(columns)[0]["error"] == f"EvaluatorError: {MASK} and {MASK}"


def test_what_evaluators_say_is_masked() -> None:
    """A label is a column of its own, and what is too long is masked before it is cut."""
    columns = GradeColumns(Secrets(["canary-7261"]))
    report = Report(metric=Metric(name="near"), label="it is canary-7261")
    columns.add(GRADED, NEAR, (AssessmentResult("near", report=report),))
    error = EvaluatorError("internal", "x" * 1970 + "canary-7261")
    columns.add(GRADED, NEAR, (AssessmentResult("near", error=error),))
    said, raised = _rows(columns)
    assert said["label"] == f"it is {MASK}"
    assert "canary" not in str(said) + str(raised)
    assert str(raised["error"]).endswith(MASK)
    assert Report.decode(str(said["report"])).metric.digest == said["metric"]


def test_a_report_that_cannot_be_masked_is_a_failed_grade() -> None:
    """Rather than a secret in the store, or a report that says something else."""
    columns = GradeColumns(Secrets(["canary-7261", "canary-9914"]))
    report = Report(
        metric=Metric(name="near"),
        label="x",
        evidence=tuple(MessageIndex(id=one, index=0) for one in ("canary-7261", "canary-9914")),
    )
    columns.add(GRADED, NEAR, (AssessmentResult("near", report=report),))
    (row,) = _rows(columns)
    assert (row["status"], row["error_class"], row["report"]) == ("failed", "invalid_report", None)
