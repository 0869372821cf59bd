"""Grading retained receipts with a suite: old grades first, then only what is missing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
import pyarrow as pa

from assay.evaluators.assess import is_synchronous
from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.evaluators.sample import RetainedSample
from assay.evaluators.suite import Suite
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded, grade_key
from assay.tasks.grade_lanes import GradeLanes, Job
from assay.tasks.planned_case import PlannedCase
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.receipt_rows import ReceiptRow, ReceiptRows
from assay.tasks.regrade_tally import RegradeTally
from assay.tasks.store import GradeWriter


@dataclass(frozen=True, slots=True)
class _Receipt:
    """A receipt of a batch; its sample is made only when it is graded."""

    graded: Graded
    case: PlannedCase
    row: ReceiptRow


class RegradeSession:
    """What the chunks of one regrade share.

    Args:
        prepared: The suite, the cases and the old grades.
        writer: Where the new ones go.
        limits: Of the evaluators' calls.

    Attributes:
        tally: What was done so far.
    """

    def __init__(
        self, prepared: PreparedRegrade, writer: GradeWriter, limits: Limits = NO_LIMITS
    ) -> None:
        self.tally = RegradeTally(prepared.plan.ids())
        self._suite = prepared.plan.suite
        self._cases = prepared.plan.cases
        self._old = prepared.old
        self._secrets = prepared.secrets
        self._writer = writer
        self._limits = limits
        self._concurrency = prepared.plan.grading_concurrency

    async def grade(self, batch: pa.RecordBatch) -> None:
        """Grade a batch of receipts; its grades are durable when this returns.

        Args:
            batch: Rows of executions with at least `receipt_rows.RECEIPT_COLUMNS`.
        """
        receipts = self._receipts(batch)
        self.tally.receipts += len(receipts)
        reused, missing = self._split(receipts)
        columns = GradeColumns(self._secrets)
        for (graded, assessment), results in await self._compute(missing):
            columns.add(graded, assessment, results)
            self.tally.count(results)
        if len(reused):
            await self._writer.commit_table(reused.to_arrow(), self._old.identities(reused))
        if len(columns):
            await self._writer.commit_table(columns.table(), columns.identities)

    def _receipts(self, batch: pa.RecordBatch) -> list[_Receipt]:
        places = ("case_id", "repeat", "receipt_digest")
        columns = [batch.column(name).to_pylist() for name in places]
        rows = ReceiptRows(batch)
        return [
            _Receipt(Graded(case_id, repeat, case.digest, receipt_digest), case, rows.at(index))
            for index, (case_id, repeat, receipt_digest) in enumerate(zip(*columns, strict=True))
            if (case := self._cases.get(case_id)) is not None
        ]

    def _split(
        self, receipts: Sequence[_Receipt]
    ) -> tuple[pl.DataFrame, list[tuple[_Receipt, Assessment]]]:
        wanted: list[tuple[str, str, int, str]] = []
        missing: list[tuple[_Receipt, Assessment]] = []
        for receipt in receipts:
            for assessment in (*self._suite.assessments, *receipt.case.assessments):
                keys = self._keys(receipt.graded, assessment)
                if not self._old.has_all(keys):
                    missing.append((receipt, assessment))
                    continue
                case_id, repeat = receipt.graded.case_id, receipt.graded.repeat
                for identity, key in zip(assessment.ids, keys, strict=True):
                    wanted.append((case_id, identity, repeat, key))
                    self.tally.reused[identity] += 1
        return self._old.carried_over(wanted), missing

    def _keys(self, graded: Graded, assessment: Assessment) -> tuple[str, ...]:
        descriptor = assessment.evaluator.descriptor
        if not descriptor.reusable or not self._old:
            return ()
        return tuple(
            grade_key(graded, descriptor, output) for output in assessment.outputs or ("",)
        )

    async def _compute(
        self, missing: Sequence[tuple[_Receipt, Assessment]]
    ) -> list[tuple[tuple[Graded, Assessment], tuple[AssessmentResult, ...]]]:
        plain = {id(one): is_synchronous(one) for _, one in missing}
        here = [pair for pair in missing if plain[id(pair[1])]]
        awaited = [pair for pair in missing if not plain[id(pair[1])]]
        lanes = GradeLanes(
            [Job(_sample(receipt), assessment) for receipt, assessment in here],
            most_lanes=self._concurrency,
            timeout_seconds=self._limits.timeout_seconds,
        )
        results = [*await lanes.run(), *await self._await_all(awaited)]
        pairs = ((receipt.graded, assessment) for receipt, assessment in [*here, *awaited])
        return list(zip(pairs, results, strict=True))

    async def _await_all(
        self, pairs: Sequence[tuple[_Receipt, Assessment]]
    ) -> list[tuple[AssessmentResult, ...]]:
        results: list[tuple[AssessmentResult, ...]] = [()] * len(pairs)
        waiting = iter(enumerate(pairs))

        async def work() -> None:
            for index, (receipt, assessment) in waiting:
                run = await Suite([assessment]).run(_sample(receipt), limits=self._limits)
                results[index] = run.result.results

        workers = min(self._concurrency, len(pairs))
        await asyncio.gather(*(work() for _ in range(workers)))
        return results


def _sample(receipt: _Receipt) -> RetainedSample:
    return RetainedSample(receipt.case.texts, receipt.row, receipt.graded.repeat)
