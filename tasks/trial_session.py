"""What the trials of one run share in one process, and the steps of one attempt."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from assay.evaluators.cancellation import Cancellation
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.backoff import backoff_seconds
from assay.tasks.call_target import Failed, Received, call_target
from assay.tasks.execution_rows import failure_row, late_row, receipt_row
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.store import ExecutionRow, GradeWriter, PartWriter
from assay.tasks.stored_receipt import stored_receipt
from assay.tasks.tally import Tally
from assay.tasks.targets import FrozenReceipt
from assay.tasks.trial_grader import TrialGrader
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import TrialNote
from assay.tasks.trial_progress import TrialProgress

WAITING_FOR_COMMIT = 256
"""How many trials may wait for their rows to become durable."""


@dataclass(frozen=True, slots=True)
class RunWriters:
    """Where the rows of a run go.

    Attributes:
        executions: Takes receipts and failures.
        grades: Takes grades.
    """

    executions: PartWriter[ExecutionRow]
    grades: GradeWriter


class TrialSession:
    """Slots, writers and limits that the trials of one run share in one process.

    The host begins a trial, makes attempts until none is wanted, and ends it. Whatever an attempt
    has made is durable before anything is built on it.

    Args:
        prepared: The run.
        writers: Where its rows go.
        limits: Of the evaluators' calls.

    Attributes:
        settings: The settings in force.
        tally: What was done so far.
        target_slots: One for each target that may be in flight.
        cancellation: Set when the run is stopped from outside.
    """

    def __init__(
        self, prepared: PreparedRun, writers: RunWriters, limits: Limits = NO_LIMITS
    ) -> None:
        self.settings = prepared.planned.settings
        self.tally = Tally(reused=prepared.grades_before())
        self.target_slots = asyncio.Semaphore(self.settings.concurrency)
        self.cancellation = Cancellation()
        self._stopped = asyncio.Event()
        self._prepared = prepared
        self._planned = prepared.planned
        self._retries = self.settings.retries
        self._executions = writers.executions
        self._grader = TrialGrader(self._planned, writers.grades, limits, self.cancellation)
        self._active: dict[TrialKey, TrialProgress] = {}

    def stop(self) -> None:
        """Let no further trial and no further attempt start."""
        self._stopped.set()

    @property
    def window(self) -> int:
        """How many trials may have begun and not ended."""
        return self.settings.concurrency + self._planned.grading_concurrency + WAITING_FOR_COMMIT

    @property
    def stopping(self) -> bool:
        """True when no further trial and no further attempt may start."""
        return self._stopped.is_set()

    def begin(self, key: TrialKey) -> None:
        """Note that the trial starts, and that it holds a slot of the target."""
        self._active[key] = TrialProgress(
            key, before=self._prepared.graded_before(key), holds_slot=True
        )

    def end(self, key: TrialKey) -> TrialNote:
        """What the trial came to; it will not be tried again, and what it still holds is freed."""
        progress = self._active.pop(key)
        self._release_slot(progress)
        self.tally.ended += 1
        return progress.note()

    def in_flight(self) -> int:
        """How many trials have begun and not ended."""
        return len(self._active)

    async def attempt(self, key: TrialKey, number: int) -> None:
        """One attempt of a trial: a receipt, unless there is one, then the grades that are missing.

        Args:
            key: The trial.
            number: Which attempt, from 1.

        Raises:
            AttemptFailed: when the target left no receipt, or when an assessment failed with a
                class that is worth another attempt.
            StoreError: when a row cannot be stored.
        """
        progress = self._active[key]
        progress.attempts = number
        try:
            self._require_wanted(progress)
            await self._attempt(progress)
        except AttemptFailed as error:
            progress.settled = not error.retryable
            raise
        except Exception as error:
            progress.broken = error
            raise
        progress.settled = True

    async def finish(self, key: TrialKey) -> None:
        """Make the attempts that are still wanted, whatever became of the trial's host.

        Raises:
            Exception: what went wrong beside the target and its assessments, such as the store.
        """
        progress = self._active[key]
        while not progress.settled and not self.cancellation.canceled:
            if progress.broken is not None:
                raise progress.broken
            if progress.attempts:
                await self._sleep(backoff_seconds(self._retries, progress.attempts))
            with suppress(AttemptFailed):
                await self.attempt(key, progress.attempts + 1)

    async def _attempt(self, progress: TrialProgress) -> None:
        try:
            if progress.receipt is None:
                progress.receipt = self._stored(progress.key) or await self._execute(progress)
        finally:
            self._release_slot(progress)
        await self._grade(progress, progress.receipt)

    def _stored(self, key: TrialKey) -> FrozenReceipt | None:
        """The receipt that an earlier process left, so that its target call is not repeated."""
        if key not in self._prepared.work.received:
            return None
        row = self._prepared.run.receipt(key.case_id, key.repeat)
        return None if row is None else stored_receipt(row)

    async def _execute(self, progress: TrialProgress) -> FrozenReceipt:
        if not progress.holds_slot:
            await self.target_slots.acquire()
            progress.holds_slot = True
        case = self._planned.cases[progress.key.case_id]
        failures = tuple(progress.failures)
        self.tally.target_calls += 1
        answer = await call_target(
            self._planned.target,
            case.target_input,
            timeout_seconds=self.settings.timeout_seconds,
            secrets=self._planned.secrets,
            on_late=lambda late: self._keep_late(progress.key, late, failures),
        )
        # Waiting for the commit must not keep the target idle.
        self._release_slot(progress)
        if isinstance(answer, Failed):
            raise await self._refuse(progress, answer)
        row = receipt_row(progress.key, case.digest, answer.receipt, failures)
        await self._executions.commit(row)
        return answer.receipt

    async def _refuse(self, progress: TrialProgress, failed: Failed) -> AttemptFailed:
        """The error that ends the attempt, once it may be raised."""
        progress.failures.append(failed)
        self.tally.abandoned += failed.abandoned
        if failed.error_class not in self._retries.on or self._was_last(progress):
            case = self._planned.cases[progress.key.case_id]
            row = failure_row(progress.key, case.digest, progress.failures)
            await self._executions.commit(row)
            return AttemptFailed(failed.error, retryable=False)
        await self._sleep(failed.retry_after or 0)
        # A trial that the end of the run keeps from its next attempt has not failed: it stays open.
        return AttemptFailed(failed.error, retryable=not self.stopping)

    async def _sleep(self, seconds: float) -> None:
        """Return after so many seconds, or once the run is stopping."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), seconds)

    def _require_wanted(self, progress: TrialProgress) -> None:
        if self.stopping and progress.attempts > 1:
            raise AttemptFailed("the run ends before this attempt", retryable=False)

    def _was_last(self, progress: TrialProgress) -> bool:
        return progress.attempts >= self._retries.attempts

    def _release_slot(self, progress: TrialProgress) -> None:
        if progress.holds_slot:
            progress.holds_slot = False
            self.target_slots.release()

    async def _grade(self, progress: TrialProgress, receipt: FrozenReceipt) -> None:
        suite = progress.missing(self._planned.suite_of(progress.key.case_id), self._retries.on)
        if suite is None:
            return
        ended_by = await self._grader.grade(progress, receipt, suite)
        self.tally.computed += len(suite.ids)
        if self._is_worth_another(progress):
            message = "an assessment failed in a way that is worth another attempt"
            raise AttemptFailed(message, retryable=True)
        if ended_by is not None:
            self.stop()

    def _is_worth_another(self, progress: TrialProgress) -> bool:
        classes = {result.error_class for result in progress.results.values()}
        failed = not classes.isdisjoint(self._retries.on)
        return failed and not self._was_last(progress) and not self.stopping

    def _keep_late(self, key: TrialKey, late: Received, failures: tuple[Failed, ...]) -> None:
        digest = self._planned.cases[key.case_id].digest
        row = late_row(key, digest, late.receipt, failures)
        self._executions.commit_blocking(row)
