"""What a regrade changed: reused, graded and failed grades, and the verdicts that flipped."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import polars as pl

from assay.tasks.find_grading import REGRADED_FACT
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.regrade_tally import RegradeTally
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.store import GradingStore
from assay.tasks.tally import Tally

_PLACE = ["case_id", "repeat", "assessment_id"]


@dataclass(frozen=True, slots=True)
class Flip:
    """A verdict that differs from the one before, on the same receipt.

    Attributes:
        case_id: The case.
        repeat: Which repeat, from 0.
        assessment_id: The assessment.
        before: The verdict in the older grading; empty where it had none.
        after: The verdict now; empty where there is none.
        reason: Why it could change: another evaluator, or another answer of the same one.
    """

    case_id: str
    repeat: int
    assessment_id: str
    before: str
    after: str
    reason: str

    def payload(self) -> dict[str, object]:
        """The machine form."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RegradeReport:
    """The numbers of the new grading, and how they came about.

    Attributes:
        report: The new grading's numbers.
        before: The grading that flips are counted against, or None.
        tally: What was reused, graded and failed, by assessment.
        flips: In the order of cases.
    """

    report: RunReport
    before: str | None
    tally: RegradeTally
    flips: tuple[Flip, ...]

    def verdict_line(self) -> str:
        """One line for the host."""
        reused, computed = self.tally.reused.total(), self.tally.computed.total()
        return f"{reused} grades reused, {computed} computed, {len(self.flips)} verdicts flipped"

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            **self.report.payload(),
            "before": self.before,
            "by_assessment": [
                {
                    "id": one,
                    "reused": self.tally.reused[one],
                    "computed": self.tally.computed[one],
                    "failed": self.tally.failed[one],
                }
                for one in self.tally.ids()
            ],
            "flips": [flip.payload() for flip in self.flips],
        }


def report_regrade(prepared: PreparedRegrade, tally: RegradeTally) -> RegradeReport:
    """The report of a regrade that has ended; keeps that it has, and the grading's summary."""
    grading_id = prepared.grading.grading_id
    prepared.run.add_journal({"kind": REGRADED_FACT, "grading_id": grading_id})
    work = Tally(computed=tally.computed.total(), reused=tally.reused.total())
    report = report_run(prepared.run, prepared.grading, work)
    before = prepared.before
    if before is None:
        return RegradeReport(report, None, tally, ())
    flips = find_flips(before, prepared.grading, order=list(prepared.plan.cases))
    return RegradeReport(report, before.grading_id, tally, flips)


def find_flips(
    before: GradingStore, after: GradingStore, *, order: Sequence[str]
) -> tuple[Flip, ...]:
    """The verdicts of assessments that stand in both gradings and differ.

    Args:
        before: The older grading.
        after: The newer grading of the same receipts.
        order: The ids of the cases, in the order in which their flips are listed.
    """
    columns = [*_PLACE, "verdict", "evaluator"]
    old, new = (_texts(grading.grades(columns)) for grading in (before, after))
    both = old.join(new, on=_PLACE, how="inner", suffix="_after")
    positions = pl.DataFrame({"case_id": order}, schema={"case_id": pl.String})
    changed = (
        both.filter(pl.col("verdict") != pl.col("verdict_after"))
        .join(positions.with_row_index("position"), on="case_id", how="inner")
        .sort("position", "repeat", "assessment_id")
    )
    return tuple(
        Flip(
            case_id=row["case_id"],
            repeat=row["repeat"],
            assessment_id=row["assessment_id"],
            before=row["verdict"],
            after=row["verdict_after"],
            reason="evaluator changed"
            if row["evaluator"] != row["evaluator_after"]
            else "same evaluator, other answer",
        )
        for row in changed.iter_rows(named=True)
    )


def _texts(grades: pl.DataFrame) -> pl.DataFrame:
    return grades.with_columns(pl.col(pl.Categorical).cast(pl.String))
