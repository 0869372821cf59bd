"""The receipts of a run in chunks, each chunk one Prefect task."""

import gc
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pyarrow as pa
from prefect import task
from prefect.cache_policies import NO_CACHE

from assay.evaluators.limits import Limits
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.receipt_rows import RECEIPT_COLUMNS
from assay.tasks.regrade_report import RegradeReport, report_regrade
from assay.tasks.regrade_session import RegradeSession
from assay.tasks.regrade_tally import RegradeTally

CHUNK_ROWS = 1000
"""About how many receipts are graded, and held, at a time."""


class Chunk:
    """Some receipts of a run; a plain object, so that no host looks into its rows.

    Args:
        first: How many receipts come before.
        rows: Rows of executions.
        session: What they are graded with.

    Attributes:
        begun: True once the grading has begun.
    """

    def __init__(self, first: int, rows: pa.RecordBatch, session: RegradeSession) -> None:
        self.first = first
        self._rows = rows
        self._session = session
        self.begun = False

    async def grade(self) -> None:
        """Grade the receipts; their grades are durable when this returns."""
        self.begun = True
        await self._session.grade(self._rows)


GradeChunk: TypeAlias = Callable[[Chunk], Awaitable[object]]
"""Grades one chunk on a host, or without one: `Chunk.grade`."""


# It is not tried again: a writer that has failed once takes no more rows.
@task(
    name="chunk",
    task_run_name="receipts from {chunk.first}",
    cache_policy=NO_CACHE,
    persist_result=False,
)
async def grade_chunk(chunk: Chunk) -> None:
    """Grade a chunk of receipts; its grades are durable when this returns."""
    await chunk.grade()


async def regrade_chunks(prepared: PreparedRegrade) -> RegradeReport:
    """The report, once every receipt of the run has a grade of each assessment.

    Raises:
        StoreError: when a part cannot be read or written.
    """
    return report_regrade(prepared, await grade_all(prepared, grade_chunk))


async def grade_all(prepared: PreparedRegrade, grade: GradeChunk) -> RegradeTally:
    """What was reused and computed, once every receipt has been graded.

    Args:
        prepared: The regrade.
        grade: Grades one chunk: the task, or a plain call where there is no host.

    Raises:
        StoreError: when a part cannot be read or written.
    """
    # The plan and its cases live to the end: looking at them again and again for garbage costs a
    # fifth of the whole regrade.
    gc.freeze()
    try:
        return await _grade_all(prepared, grade)
    finally:
        gc.unfreeze()


async def _grade_all(prepared: PreparedRegrade, grade: GradeChunk) -> RegradeTally:
    seconds = prepared.plan.settings.evaluator_timeout_seconds
    async with EvaluatorProcesses() as processes, prepared.grading.writer() as writer:
        limits = Limits(seconds, processes)
        session = RegradeSession(prepared, writer, limits)
        first = 0
        for rows in prepared.run.iter_receipts(batch_size=CHUNK_ROWS, columns=RECEIPT_COLUMNS):
            await _graded(Chunk(first, rows, session), grade)
            first += rows.num_rows
    return session.tally


async def _graded(chunk: Chunk, grade: GradeChunk) -> None:
    """Grade a chunk on its host; one that fails before the grading begins changes nothing."""
    try:
        await grade(chunk)
    except Exception:
        if chunk.begun:
            raise
        await chunk.grade()
