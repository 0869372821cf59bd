"""What a regrade changed: grades carried over, computed and left out, and verdicts that flipped."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from assay.tasks.corrected_cases import LeftOut
from assay.tasks.find_flips import Flip, find_flips
from assay.tasks.find_grading import REGRADED_FACT
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.regrade_tally import RegradeTally
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.store import GradingStore
from assay.tasks.tally import Tally


@dataclass(frozen=True, slots=True)
class RegradeReport:
    """The numbers of the new grading, and how they came about.

    Attributes:
        report: The new grading's numbers.
        before: The grading that flips are counted against, or None.
        tally: What was reused, graded, failed and left out, by assessment.
        carried: How many grades were carried over, by status.
        flips: In the order of cases.
        left_out: The cases that a corrected dataset left out; None where there was no such dataset.
    """

    report: RunReport
    before: str | None
    tally: RegradeTally
    carried: Mapping[str, int]
    flips: tuple[Flip, ...]
    left_out: LeftOut | None = None

    def verdict_line(self) -> str:
        """One line for the host."""
        reused, computed = self.tally.reused.total(), self.tally.computed.total()
        line = f"{reused} grades reused, {computed} computed, {len(self.flips)} verdicts flipped"
        absent = self.tally.absent.total()
        return f"{line}, {absent} not evaluated because not asked for" if absent else line

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            **self.report.payload(),
            "before": self.before,
            "carried": dict(self.carried),
            "by_assessment": [
                {
                    "id": one,
                    "reused": self.tally.reused[one],
                    "computed": self.tally.computed[one],
                    "failed": self.tally.failed[one],
                    "not_evaluated": self.tally.absent[one],
                }
                for one in self.tally.ids()
            ],
            "left_out": None if self.left_out is None else self.left_out.document(),
            "flips": [flip.payload() for flip in self.flips],
        }


def report_regrade(prepared: PreparedRegrade, tally: RegradeTally) -> RegradeReport:
    """The report of a regrade that has ended; keeps that it has, and writes the summary.

    Raises:
        StoreError: when the store cannot be read or written.
    """
    work = Tally(computed=tally.computed.total(), reused=tally.reused.total())
    before, grading = prepared.before, prepared.grading
    prepared.run.add_journal({"kind": REGRADED_FACT, "grading_id": grading.grading_id})
    order = list(prepared.plan.cases)
    return RegradeReport(
        report=report_run(prepared.run, grading, work),
        before=None if before is None else before.grading_id,
        tally=tally,
        carried=_carried(grading),
        flips=() if before is None else find_flips(prepared.run, before, grading, order=order),
        left_out=prepared.plan.left_out,
    )


def _carried(grading: GradingStore) -> dict[str, int]:
    grades = grading.grades(["status", "reused_from"])
    carried = grades.filter(pl.col("reused_from").is_not_null())["status"].cast(pl.String)
    return dict(carried.value_counts(name="grades").sort("status").iter_rows())
