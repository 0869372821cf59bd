"""The receipts of a run in chunks, each chunk one Prefect task."""


import gc
from collections.abc import Awaitable, Callable

import pyarrow as pa
from prefect import task
from prefect.cache_policies import NO_CACHE

from assay.evaluators.limits import Limits
from assay.tasks.evaluator_process import EvaluatorProcesses
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.receipt_rows import RECEIPT_COLUMNS
from assay.tasks.regrade_report import RegradeReport, report_regrade
from assay.tasks.regrade_session import RegradeSession, RegradeTally

CHUNK_ROWS = 1000


class ChunkDone:
    """What a chunk's task returns: how many receipts it graded."""

    def __init__(self, receipts: int) -> None:
        self.receipts = receipts


class Chunk:
    """Rows of executions, opaque to the host."""

    def __init__(self, rows: pa.RecordBatch) -> None:
        self.rows = rows


@task(
    name="chunk",
    task_run_name="receipts from {first}",
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=1,
)
async def grade_chunk(first: int, batch: Chunk, session: RegradeSession) -> ChunkDone:
    """Grade a chunk of receipts; its grades are durable when this returns."""
    await session.grade(batch.rows)
    return ChunkDone(batch.rows.num_rows)


GradeChunk = Callable[[int, Chunk, RegradeSession], Awaitable[object]]


async def regrade_chunks(prepared: PreparedRegrade) -> RegradeReport:
    """The report, once every receipt of the run has a grade of each assessment."""
    return report_regrade(prepared, await grade_all(prepared, grade_chunk))


async def grade_all(prepared: PreparedRegrade, grade: GradeChunk) -> RegradeTally:
    """What was reused and computed, once every receipt has been graded.

    Args:
        prepared: The regrade.
        grade: Grades one chunk: the task, or a plain call where there is no host.
    """
    settings = prepared.plan.settings
    # The plan and its cases live to the end: looking at them again and again for garbage costs a
    # fifth of the whole regrade.
    gc.freeze()
    async with EvaluatorProcesses() as processes, prepared.grading.writer() as writer:
        session = RegradeSession(
            prepared.plan.suite,
            cases=prepared.plan.cases,
            old=prepared.old,
            writer=writer,
            limits=Limits(settings.evaluator_timeout_seconds, processes),
            concurrency=settings.grading_concurrency or settings.concurrency,
        )
        first = 0
        batches = prepared.run.iter_receipts(batch_size=CHUNK_ROWS, columns=RECEIPT_COLUMNS)
        for rows in batches:
            await grade(first, Chunk(rows), session)
            first += rows.num_rows
    gc.unfreeze()
    return session.tally
