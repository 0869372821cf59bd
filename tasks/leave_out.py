"""Grades that nobody asked for and that nothing stands for: they stay visible without one."""

from collections.abc import Iterator

import polars as pl
from typing_extensions import override

from assay.tasks.regrade_session import RegradeSession
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.store import GradeRow
from assay.tasks.wanted_grades import WantedGrades

_BATCH_ROWS = 8192
_WHY = "NotEvaluated: it was not asked for, and no grade of this evaluator is there to carry over"


class LeaveOut(RegradeStep):
    """Rows of status `not_evaluated`, so that no denominator shrinks in silence.

    Args:
        rows: The wanted grades that are neither carried over nor computed.
        wanted: All of them.
        session: Of the new grading.
    """

    def __init__(self, rows: pl.DataFrame, wanted: WantedGrades, session: RegradeSession) -> None:
        super().__init__("grades that were not asked for", session.retries)
        self._rows = rows
        self._wanted = wanted
        self._session = session

    @override
    async def _attempt(self) -> None:
        checks = self._wanted.checks
        descriptors = [
            checks[number].evaluator.descriptor for number in self._rows["check"].unique()
        ]
        texts = {one.identity: ("evaluator", one.identity_text) for one in descriptors}
        for rows in self._rows.iter_slices(_BATCH_ROWS):
            await self._session.writer.commit(list(self._absent(rows)), texts)
        self._session.tally.count_absent(self._rows["assessment_id"])

    def _absent(self, rows: pl.DataFrame) -> Iterator[GradeRow]:
        digests = self._wanted.receipts["receipt_digest"].gather(rows["receipt"])
        columns = ("case_id", "repeat", "assessment_id", "key", "check")
        for (case_id, repeat, identity, key, check), receipt_digest in zip(
            rows.select(columns).iter_rows(), digests, strict=True
        ):
            yield GradeRow(
                case_id,
                repeat,
                identity,
                key=key,
                status="not_evaluated",
                evaluator=self._wanted.checks[check].evaluator.descriptor.identity,
                receipt_digest=receipt_digest,
                error=_WHY,
            )
