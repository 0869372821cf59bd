"""Running the evaluators of a regrade over receipts, whichever thread or loop suits each."""

import asyncio
from collections.abc import Sequence

from assay.evaluators.assess import is_synchronous
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.evaluators.suite import Suite
from assay.tasks.experiment_settings import RetrySettings
from assay.tasks.grade_forgotten import grade_forgotten
from assay.tasks.grade_job import GradeJob
from assay.tasks.grade_lanes import GradeLanes
from assay.tasks.grade_outbox import GradeOutbox, Results
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.regrade_tally import RegradeTally
from assay.tasks.store import GradeWriter


class RegradeSession:
    """What the steps of one regrade share.

    Args:
        prepared: The regrade.
        writer: Where the new grades go.
        limits: Of the evaluators' calls.

    Attributes:
        tally: What was done so far.
        writer: Takes the new grades.
        retries: When an evaluator that failed is called again.
    """

    def __init__(
        self, prepared: PreparedRegrade, writer: GradeWriter, limits: Limits = NO_LIMITS
    ) -> None:
        self.tally = RegradeTally(prepared.plan.ids())
        self.writer = writer
        self.retries: RetrySettings = prepared.plan.settings.retries
        self._secrets = prepared.secrets
        self._limits = limits
        self._concurrency = prepared.plan.grading_concurrency
        self._forgotten = prepared.run.forgotten_cases()
        self._synchronous: dict[int, bool] = {}

    async def grade(
        self, jobs: Sequence[GradeJob], *, attempt: int, is_last: bool
    ) -> list[GradeJob]:
        """The jobs that are worth another attempt; the grades of this one are durable.

        Args:
            jobs: What is to be graded.
            attempt: Which one it is, from 1.
            is_last: True if there is no other.

        Raises:
            StoreError: when a grade cannot be stored.
        """
        again: list[GradeJob] = []

        def settle(job: GradeJob, results: Results) -> None:
            if not is_last and self._is_worth_another(results):
                again.append(job)
            else:
                self.tally.count(results)

        outbox = GradeOutbox(self.writer, self._secrets, settle)
        await outbox.ship(self._run(_numbered(jobs, attempt), outbox))
        return again

    async def _run(self, jobs: Sequence[GradeJob], outbox: GradeOutbox) -> None:
        here: list[GradeJob] = []
        awaited: list[GradeJob] = []
        for job in jobs:
            if job.graded.case_id in self._forgotten:
                outbox.put(job, grade_forgotten(job.assessment))
            else:
                (here if self._is_synchronous(job) else awaited).append(job)
        lanes = GradeLanes(
            here,
            lambda index, results: outbox.put(here[index], results),
            most_lanes=self._concurrency,
            timeout_seconds=self._limits.timeout_seconds,
        )
        await asyncio.gather(lanes.run(), self._await_all(awaited, outbox))

    def _is_worth_another(self, results: Results) -> bool:
        failed = [one for one in results if one.error is not None]
        return any(one.error_class in self.retries.on for one in failed)

    def _is_synchronous(self, job: GradeJob) -> bool:
        assessment = job.assessment
        known = self._synchronous.get(id(assessment))
        if known is None:
            known = self._synchronous[id(assessment)] = is_synchronous(assessment)
        return known

    async def _await_all(self, jobs: Sequence[GradeJob], outbox: GradeOutbox) -> None:
        waiting = iter(jobs)

        async def work() -> None:
            for job in waiting:
                run = await Suite([job.assessment]).run(job.sample, limits=self._limits)
                outbox.put(job, run.result.results)

        workers = min(self._concurrency, len(jobs))
        await asyncio.gather(*(work() for _ in range(workers)))


def _numbered(jobs: Sequence[GradeJob], attempt: int) -> Sequence[GradeJob]:
    if attempt == 1:
        return jobs
    return [job._replace(graded=job.graded._replace(attempt=attempt)) for job in jobs]
