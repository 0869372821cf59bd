"""Grades that nobody asked for and that nothing stands for: they stay visible without one."""

from collections.abc import Iterator

import polars as pl
from typing_extensions import override

from assay.evaluators.assessment import Assessment, settle
from assay.evaluators.errors import NotEvaluated
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded
from assay.tasks.regrade_session import RegradeSession
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.wanted_grades import RECEIPTS, WantedGrades

_BATCH_ROWS = 4096
_WHY = "it was not asked for, and no grade of this evaluator is there to carry over"


class LeaveOut(RegradeStep):
    """Rows of status `not_evaluated`, so that no denominator shrinks in silence.

    Args:
        rows: `receipt` and `check` of what is neither carried over nor computed.
        wanted: What these numbers stand for.
        session: Of the new grading.
    """

    def __init__(self, rows: pl.DataFrame, wanted: WantedGrades, session: RegradeSession) -> None:
        super().__init__("grades that were not asked for", session.retries)
        self._rows = rows
        self._wanted = wanted
        self._session = session

    @override
    async def _attempt(self) -> None:
        for rows in self._rows.iter_slices(_BATCH_ROWS):
            columns = GradeColumns()
            for graded, assessment in self._absent(rows):
                results = settle(assessment, NotEvaluated(_WHY), 0.0)
                columns.add(graded, assessment, results)
                self._session.tally.count_absent(results)
            await self._session.writer.commit_table(columns.table(), columns.identities)

    def _absent(self, rows: pl.DataFrame) -> Iterator[tuple[Graded, Assessment]]:
        receipts = self._wanted.receipts.select(RECEIPTS.names())[rows["receipt"]].iter_rows()
        for (case_id, repeat, digest, case), check in zip(receipts, rows["check"], strict=True):
            yield Graded(case_id, repeat, case, digest), self._wanted.checks[check]
