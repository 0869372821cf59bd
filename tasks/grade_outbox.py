"""Results on their way to the store: they leave it together, and none waits for long."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from assay.evaluators.assessment import AssessmentResult
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_job import GradeJob
from assay.tasks.mask_secrets import Secrets
from assay.tasks.store import GradeWriter

Results = tuple[AssessmentResult, ...]

_PATIENCE_SECONDS = 0.5


class GradeOutbox:
    """Takes results from any thread, and makes them durable twice a second and at the end.

    A regrade that is killed so loses what its evaluators found in the last moment, whatever the
    size of its chunks.

    Args:
        writer: Where the grades go.
        secrets: Masked in them.
        on_settled: Called on the event loop with the results of each job, before they are written.
    """

    def __init__(
        self, writer: GradeWriter, secrets: Secrets, on_settled: Callable[[GradeJob, Results], None]
    ) -> None:
        self._writer = writer
        self._secrets = secrets
        self._on_settled = on_settled
        self._waiting: deque[tuple[GradeJob, Results]] = deque()

    def put(self, job: GradeJob, results: Results) -> None:
        """Take the results of a job; from any thread."""
        self._waiting.append((job, results))

    async def ship(self, work: Awaitable[object]) -> None:
        """Return when the work has ended and all that it put here is durable.

        Work that fails or is cancelled has its results stored all the same.

        Raises:
            StoreError: when a result cannot be stored; the work is cancelled then.
            BaseException: what the work raises.
        """
        try:
            async with asyncio.TaskGroup() as group:
                flushing = group.create_task(self._keep_flushing())
                await work
                flushing.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            await self._flush()

    async def _keep_flushing(self) -> None:
        while True:
            await asyncio.sleep(_PATIENCE_SECONDS)
            await self._flush()

    async def _flush(self) -> None:
        columns = GradeColumns(self._secrets)
        for _ in range(len(self._waiting)):
            job, results = self._waiting.popleft()
            self._on_settled(job, results)
            columns.add(job.graded, job.assessment, results)
        if len(columns):
            await self._writer.commit_table(columns.table(), columns.identities)
