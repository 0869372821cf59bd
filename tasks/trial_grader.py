"""Grading the receipts of trials while a run is in progress."""

import asyncio

from assay.evaluators.cancellation import Cancellation
from assay.evaluators.limits import Limits
from assay.evaluators.suite import Suite
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded
from assay.tasks.planned_run import PlannedRun
from assay.tasks.store import GradeWriter
from assay.tasks.targets import FrozenReceipt
from assay.tasks.trial_progress import TrialProgress


class TrialGrader:
    """Runs suites over receipts, so many at a time, and commits what they find.

    Args:
        planned: The run.
        writer: Where its grades go.
        limits: Of the evaluators' calls.
        cancellation: Set when the run is stopped from outside.
    """

    def __init__(
        self, planned: PlannedRun, writer: GradeWriter, limits: Limits, cancellation: Cancellation
    ) -> None:
        self._planned = planned
        self._writer = writer
        self._limits = limits
        self._cancellation = cancellation
        self._slots = asyncio.Semaphore(planned.grading_concurrency)

    async def grade(
        self, progress: TrialProgress, receipt: FrozenReceipt, suite: Suite
    ) -> BaseException | None:
        """Why the suite ended early, or None; what it found is durable and noted.

        Args:
            progress: The trial; the results are added to it.
            receipt: What is graded.
            suite: The assessments that are missing.

        Raises:
            StoreError: when the grades cannot be stored.
        """
        key = progress.key
        async with self._slots:
            run = await suite.run(
                receipt.sample(self._planned.cases[key.case_id].texts, key.repeat),
                cancellation=self._cancellation,
                limits=self._limits,
            )
        progress.results.update({result.id: result for result in run.result.results})
        columns = self._columns(progress, receipt, suite)
        await self._writer.commit(columns.rows(), columns.identities)
        return run.error

    def _columns(
        self, progress: TrialProgress, receipt: FrozenReceipt, suite: Suite
    ) -> GradeColumns:
        case_id, repeat = progress.key
        # The highest attempt's grade counts, so it goes on from where an earlier process ended.
        attempt = progress.before.attempts + progress.attempts
        digest = self._planned.cases[case_id].digest
        graded = Graded(case_id, repeat, digest, receipt.digest, attempt=attempt)
        columns = GradeColumns(self._planned.secrets)
        for assessment in suite.assessments:
            results = tuple(progress.results[identity] for identity in assessment.ids)
            columns.add(graded, assessment, results)
        return columns
