"""What the trials of one run share, and the steps of one attempt."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.cancellation import Cancellation
from assay.evaluators.canonical import write
from assay.evaluators.errors import AssayError, ErrorClass
from assay.evaluators.limits import Limits
from assay.evaluators.suite import Suite, SuiteResult
from assay.tasks.call_target import Failed, Received, call_target
from assay.tasks.grade_columns import GradeColumns
from assay.tasks.grade_key import Graded
from assay.tasks.prepare_run import PreparedRun
from assay.tasks.stored_receipt import stored_receipt
from assay.tasks.store import ExecutionRow, GradeWriter, PartWriter
from assay.tasks.targets import FrozenReceipt
from assay.tasks.trial_key import TrialKey


class AttemptFailed(AssayError):
    """An attempt of a trial failed; the host tries again while attempts remain.

    Attributes:
        retryable: True if another attempt is wanted.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


@dataclass(slots=True)
class TrialNote:
    """What one trial came to, for progress and for the `on_result` callback.

    Attributes:
        key: The trial.
        executed: True once it left a receipt.
        error_class: Why the target failed, when it did.
        suite: The results of its assessments, where there is a receipt.
        attempts: How often it was tried in this process.
    """

    key: TrialKey
    executed: bool = False
    error_class: ErrorClass | None = None
    suite: SuiteResult | None = None
    attempts: int = 0


@dataclass(slots=True)
class _Progress:
    """What is known of a trial that has begun and not ended."""

    receipt: FrozenReceipt | None = None
    results: dict[str, AssessmentResult] = field(default_factory=dict)
    waits: list[dict[str, object]] = field(default_factory=list)
    attempts: int = 0
    holds_slot: bool = False
    settled: bool = False
    failure: BaseException | None = None

    def graded(self) -> frozenset[str]:
        """The ids of assessments that need not be run again."""
        settled = ("completed", "skipped", "unverified")
        return frozenset(one.id for one in self.results.values() if one.status in settled)


@dataclass(slots=True)
class Tally:
    """What a run did in this process.

    Attributes:
        target_calls: How often the target was called.
        computed: Grades that were computed.
        abandoned: Calls that were left behind at their time limit.
        ended: Trials that have ended.
        recorded: Task runs that the host showed as ended when the run left.
    """

    target_calls: int = 0
    computed: int = 0
    abandoned: int = 0
    ended: int = 0
    recorded: int = 0


class TrialSession:
    """Slots, writers and limits that the trials of one run share in one process.

    Attributes:
        planned: The run.
        tally: What was done so far.
        cancellation: Set when the run is stopped from outside.
        stopping: Set when no further trial may start.
    """

    def __init__(
        self,
        prepared: PreparedRun,
        *,
        executions: PartWriter[ExecutionRow],
        grades: GradeWriter,
        limits: Limits,
        on_result: Callable[[TrialNote], Awaitable[None] | None] | None = None,
    ) -> None:
        settings = prepared.planned.settings
        self.planned = prepared.planned
        self._retries = settings.retries
        self.tally = Tally()
        self.cancellation = Cancellation()
        self.stopping = False
        self.callback_error: BaseException | None = None
        self._prepared = prepared
        self.target_slots = asyncio.Semaphore(settings.concurrency)
        self._grading_slots = asyncio.Semaphore(
            settings.grading_concurrency or settings.concurrency
        )
        self._executions = executions
        self._grades = grades
        self._limits = limits
        self._on_result = on_result
        self._callback_lock = asyncio.Lock()
        self._progress: dict[TrialKey, _Progress] = {}

    def begin(self, key: TrialKey) -> None:
        """Note that the trial starts, and that it holds a slot of the target."""
        self._progress[key] = _Progress(holds_slot=True)

    def end(self, key: TrialKey) -> None:
        """Note that the trial will not be tried again, and free what it still holds."""
        progress = self._progress.pop(key, None)
        if progress is not None and progress.holds_slot:
            self.target_slots.release()

    def in_flight(self) -> int:
        """How many trials have started and not ended."""
        return len(self._progress)

    async def attempt(self, key: TrialKey, number: int) -> TrialNote:
        """One attempt of a trial: a receipt, unless there is one, then the grades that are missing.

        Args:
            key: The trial.
            number: Which attempt, from 1.

        Raises:
            AttemptFailed: when the target left no receipt, or when an assessment failed with a
                class that is worth another attempt. What was made so far is durable.
        """
        progress = self._progress[key]
        progress.attempts = number
        try:
            note = await self._attempt(key, progress)
        except AttemptFailed as error:
            progress.settled = not error.retryable
            raise
        except Exception as error:
            progress.failure = error
            raise
        progress.settled = True
        return note

    async def _attempt(self, key: TrialKey, progress: _Progress) -> TrialNote:
        try:
            if progress.receipt is None:
                progress.receipt = self._durable(key) or await self._execute(key, progress)
        finally:
            self._release_slot(progress)
        results = await self._grade(key, progress)
        note = TrialNote(key, executed=True, suite=results, attempts=progress.attempts)
        await self.tell(note)
        return note

    def _durable(self, key: TrialKey) -> FrozenReceipt | None:
        """The receipt that an earlier process left, so that its target call is not repeated."""
        if key not in self._prepared.received:
            return None
        row = self._prepared.run.receipt(key.case_id, key.repeat)
        return None if row is None else stored_receipt(row)

    async def finish_unhosted(self, key: TrialKey) -> None:
        """End a trial that its host gave up on, with the same attempts and without waiting.

        Raises:
            AttemptFailed: when the last attempt failed; its failure is in the store.
            AssayError: when the store failed.
        """
        progress = self._progress[key]
        while not progress.settled:
            if progress.failure is not None:
                raise progress.failure
            try:
                await self.attempt(key, progress.attempts + 1)
            except AttemptFailed as error:
                if not error.retryable:
                    raise

    async def _execute(self, key: TrialKey, progress: _Progress) -> FrozenReceipt:
        if not progress.holds_slot:
            await self.target_slots.acquire()
            progress.holds_slot = True
        self.tally.target_calls += 1
        attempt = await call_target(
            self.planned.target,
            self.planned.cases[key.case_id].texts.input,
            timeout_seconds=self.planned.settings.timeout_seconds,
            secrets=self.planned.secrets,
            on_late=lambda late: self._keep_late(key, late),
        )
        # Waiting for the commit must not keep the target idle.
        self._release_slot(progress)
        if isinstance(attempt, Failed):
            await self._refuse(key, progress, attempt)
            raise AttemptFailed(attempt.error, retryable=self._is_wanted(progress, attempt))
        await self._executions.commit(self._receipt_row(key, progress, attempt.receipt))
        return attempt.receipt

    async def _refuse(self, key: TrialKey, progress: _Progress, attempt: Failed) -> None:
        self.tally.abandoned += attempt.abandoned
        progress.waits.append(
            {
                "attempt": progress.attempts,
                "error_class": attempt.error_class,
                "error": attempt.error,
                "retry_after_seconds": attempt.retry_after,
            }
        )
        if self._is_wanted(progress, attempt):
            await asyncio.sleep(attempt.retry_after or 0)
            return
        await self._executions.commit(self._failure_row(key, progress, attempt))
        note = TrialNote(key, error_class=attempt.error_class, attempts=progress.attempts)
        await self.tell(note)

    def _is_wanted(self, progress: _Progress, attempt: Failed) -> bool:
        return attempt.error_class in self._retries.on and self._may_retry(progress)

    def _may_retry(self, progress: _Progress) -> bool:
        return progress.attempts < self._retries.attempts and not self.stopping

    def _release_slot(self, progress: _Progress) -> None:
        if progress.holds_slot:
            progress.holds_slot = False
            self.target_slots.release()

    async def _grade(self, key: TrialKey, progress: _Progress) -> SuiteResult:
        case = self.planned.cases[key.case_id]
        suite = self.planned.suite_of(key.case_id)
        done = self._prepared.graded.get(key, frozenset()) | progress.graded()
        missing = suite.only([one for one in suite.ids if one not in done])
        if missing is not None and progress.receipt is not None:
            async with self._grading_slots:
                sample = progress.receipt.sample(case.texts, key.repeat)
                run = await missing.run(
                    sample, cancellation=self.cancellation, limits=self._limits
                )
            progress.results.update({result.id: result for result in run.result.results})
            await self._commit_grades(key, progress, missing)
            if run.error is not None:
                self.stopping = True
        self._ask_for_retry(progress)
        return SuiteResult(tuple(progress.results.values()) or suite.nothing().results)

    async def _commit_grades(self, key: TrialKey, progress: _Progress, suite: Suite) -> None:
        receipt = progress.receipt
        if receipt is None:
            return
        case = self.planned.cases[key.case_id]
        graded = Graded(
            key.case_id, key.repeat, case.digest, receipt.digest, attempt=progress.attempts
        )
        columns = GradeColumns()
        for assessment in suite.assessments:
            results = tuple(progress.results[identity] for identity in assessment.ids)
            columns.add(graded, assessment, results)
        self.tally.computed += len(columns)
        await self._grades.commit(columns.rows(), columns.identities)

    def _ask_for_retry(self, progress: _Progress) -> None:
        classes = [result.error_class for result in progress.results.values()]
        if any(one in self._retries.on for one in classes) and self._may_retry(progress):
            msg = "an assessment failed in a way that is worth another attempt"
            raise AttemptFailed(msg, retryable=True)

    def _receipt_row(
        self, key: TrialKey, progress: _Progress, receipt: FrozenReceipt, kind: str = "receipt"
    ) -> ExecutionRow:
        texts = receipt.texts
        first = progress.waits[0] if progress.waits else None
        return ExecutionRow(
            case_id=key.case_id,
            repeat=key.repeat,
            kind=kind,
            attempts=progress.attempts,
            status=texts.status,
            error=None if first is None else str(first["error"]),
            output_present=receipt.output_present,
            output=texts.output,
            reason=texts.reason,
            messages=texts.messages,
            tool_calls=texts.tool_calls,
            usage=texts.usage,
            cost=texts.cost,
            spans=texts.spans,
            metadata=texts.metadata,
            started_at=texts.started_at,
            duration_seconds=texts.duration_seconds,
            waits=write(progress.waits) if progress.waits else None,
            case_digest=self.planned.cases[key.case_id].digest,
            receipt_digest=receipt.digest,
        )

    def _failure_row(self, key: TrialKey, progress: _Progress, attempt: Failed) -> ExecutionRow:
        return ExecutionRow(
            case_id=key.case_id,
            repeat=key.repeat,
            kind="failure",
            attempts=progress.attempts,
            error_class=attempt.error_class,
            error=attempt.error,
            started_at=attempt.started_at,
            duration_seconds=attempt.duration_seconds,
            waits=write(progress.waits),
            case_digest=self.planned.cases[key.case_id].digest,
        )

    def _keep_late(self, key: TrialKey, late: Received) -> None:
        row = self._receipt_row(key, _Progress(), late.receipt, kind="late")
        self._executions.commit_blocking(row)

    async def tell(self, note: TrialNote) -> None:
        """Hand the note to the callback, one call at a time; its first error is kept for later."""
        if self._on_result is None:
            return
        async with self._callback_lock:
            try:
                answer = self._on_result(note)
                if answer is not None:
                    await answer
            except Exception as error:  # noqa: BLE001 - a callback never loses the report
                self.callback_error = self.callback_error or error
