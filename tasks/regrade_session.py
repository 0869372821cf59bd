"""Grading retained receipts with a suite: old grades first, then only what is missing."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl
import pyarrow as pa

from assay.evaluators.assess import is_synchronous
from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.limits import Limits
from assay.evaluators.retained import ExecutionTexts
from assay.evaluators.sample import RetainedSample, Sample
from assay.evaluators.suite import Suite
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded, grade_key
from assay.tasks.grade_lanes import GradeLanes, Job
from assay.tasks.planned_case import PlannedCase
from assay.tasks.reusable_grades import ReusableGrades
from assay.tasks.store import GradeWriter

RECEIPT_COLUMNS = (
    "case_id",
    "repeat",
    "status",
    "output",
    "reason",
    "messages",
    "tool_calls",
    "usage",
    "cost",
    "spans",
    "metadata",
    "started_at",
    "duration_seconds",
    "receipt_digest",
)
"""What grading reads of an execution."""


@dataclass(slots=True)
class RegradeTally:
    """What a regrade did, by assessment id.

    Attributes:
        reused: Grades carried over.
        computed: Grades computed.
        failed: Of the computed ones, those whose evaluator failed.
        receipts: Receipts read.
    """

    reused: Counter[str] = field(default_factory=Counter)
    computed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    receipts: int = 0

    def ids(self) -> list[str]:
        """The assessments that have a grade, in order of appearance."""
        return list(dict.fromkeys([*self.reused, *self.computed]))


@dataclass(frozen=True, slots=True)
class _Receipt:
    graded: Graded
    sample: Sample
    suite: Suite


class RegradeSession:
    """The suite, the cases, the old grades and the writer of one regrade.

    Attributes:
        tally: What was done so far.
    """

    def __init__(
        self,
        suite: Suite,
        *,
        cases: dict[str, PlannedCase],
        old: ReusableGrades,
        writer: GradeWriter,
        limits: Limits,
        concurrency: int,
    ) -> None:
        self.tally = RegradeTally()
        self._suite = suite
        self._cases = cases
        self._old = old
        self._writer = writer
        self._limits = limits
        self._concurrency = concurrency

    async def grade(self, batch: pa.RecordBatch) -> None:
        """Grade a batch of receipts; its grades are durable when this returns.

        Args:
            batch: Rows of executions with at least `RECEIPT_COLUMNS`.
        """
        receipts = self._receipts(batch)
        self.tally.receipts += len(receipts)
        reused, missing = self._split(receipts)
        columns = GradeColumns()
        for (graded, assessment), results in await self._compute(missing):
            columns.add(graded, assessment, results)
            self._count(results)
        if len(reused):
            await self._writer.commit_table(reused.to_arrow(), self._old.identities(reused))
        if len(columns):
            await self._writer.commit_table(columns.table(), columns.identities)

    def _receipts(self, batch: pa.RecordBatch) -> list[_Receipt]:
        columns = {name: batch.column(name).to_pylist() for name in RECEIPT_COLUMNS}
        case_ids, repeats = columns.pop("case_id"), columns.pop("repeat")
        digests = columns.pop("receipt_digest")
        rows = zip(*columns.values(), strict=True)
        receipts = []
        for case_id, repeat, receipt_digest, row in zip(
            case_ids, repeats, digests, rows, strict=True
        ):
            case = self._cases.get(case_id)
            if case is None:
                continue
            texts = ExecutionTexts(*row)
            receipts.append(
                _Receipt(
                    Graded(case_id, repeat, case.digest, receipt_digest),
                    RetainedSample(case.texts, texts, repeat),
                    self._suite.extended(case.assessments),
                )
            )
        return receipts

    def _split(
        self, receipts: Sequence[_Receipt]
    ) -> tuple[pl.DataFrame, list[tuple[_Receipt, Assessment]]]:
        wanted: list[tuple[str, str, int, str]] = []
        missing: list[tuple[_Receipt, Assessment]] = []
        for receipt in receipts:
            for assessment in receipt.suite.assessments:
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
            [Job(receipt.sample, assessment) for receipt, assessment in here],
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
                run = await Suite([assessment]).run(receipt.sample, limits=self._limits)
                results[index] = run.result.results

        workers = min(self._concurrency, len(pairs))
        await asyncio.gather(*(work() for _ in range(workers)))
        return results

    def _count(self, results: Sequence[AssessmentResult]) -> None:
        for result in results:
            self.tally.computed[result.id] += 1
            if result.status not in ("completed", "skipped", "unverified"):
                self.tally.failed[result.id] += 1
