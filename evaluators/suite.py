"""A set of assessments over one sample; a collection, not an evaluator."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from assay.evaluators.assess import assess
from assay.evaluators.assessment import Assessment, AssessmentResult, not_evaluated
from assay.evaluators.cancellation import Cancellation, current_cancellation
from assay.evaluators.decision import Verdict
from assay.evaluators.errors import AssayError, InvalidAssessment, InvalidEvaluatorConfig, describe
from assay.evaluators.limits import NO_LIMITS, Limits

ErrorPolicy = Literal["collect", "fail_fast"]
"""Whether a failed assessment lets the others go on."""


class AssessmentFailed(AssayError):
    """An assessment has no report; the message names its id, the cause is its error."""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """One result for each declared id, in declared order.

    Raises:
        InvalidAssessment: when there is none, or an id stands twice.
    """

    results: tuple[AssessmentResult, ...]

    def __post_init__(self) -> None:
        ids = [result.id for result in self.results]
        if not ids or len(set(ids)) != len(ids):
            msg = "suite result: expected at least one result, and each id once"
            raise InvalidAssessment(msg)

    @property
    def complete(self) -> bool:
        """True if every assessment is completed or skipped, and at least one is completed."""
        statuses = [result.status for result in self.results]
        return "completed" in statuses and all(result.complete for result in self.results)

    @property
    def verdict(self) -> Verdict:
        """Empty until complete; then fail if any failed, else pass if any passed, else empty."""
        if not self.complete:
            return ""
        verdicts = {result.verdict for result in self.results}
        return "fail" if "fail" in verdicts else "pass" if "pass" in verdicts else ""

    def err(self) -> BaseException | None:
        """Every error with its assessment's id, in one group; None where there is none."""
        errors = [labelled(result) for result in self.results if not result.complete]
        return ExceptionGroup("assessments without a report", errors) if errors else None

    def get(self, identity: str) -> AssessmentResult:
        """The result of an id; raises KeyError when the suite does not declare it."""
        for result in self.results:
            if result.id == identity:
                return result
        raise KeyError(identity)


def labelled(result: AssessmentResult) -> AssessmentFailed:
    """The result's error under its id."""
    error = result.error
    words = describe(error) if error is not None else "no error"
    failure = AssessmentFailed(f"{result.id}: {words}")
    failure.__cause__ = error
    return failure


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What a run accumulated, together with why it ended early.

    Attributes:
        result: A result for every declared id, whatever happened.
        error: The caller's cancellation, else the first failure under fail-fast, else None. None
            does not mean success: look at the statuses.
    """

    result: SuiteResult
    error: BaseException | None = None


class Suite:
    """Assessments with unique ids.

    Raises:
        InvalidEvaluatorConfig: when a rule is broken.
    """

    def __init__(
        self,
        assessments: Sequence[Assessment],
        *,
        max_concurrency: int = 0,
        error_policy: ErrorPolicy = "collect",
    ) -> None:
        """Check the configuration.

        Args:
            assessments: At least one; run in this order.
            max_concurrency: How many run at the same time on one sample; 0 means 1.
            error_policy: `collect` runs all; `fail_fast` stops at the first that failed.
        """
        self.assessments = tuple(assessments)
        if not self.assessments:
            raise _refusal("assessments: expected at least one")
        for assessment in self.assessments:
            _require_assessment(assessment)
        self.ids = tuple(identity for one in self.assessments for identity in one.ids)
        if len(set(self.ids)) != len(self.ids):
            twice = next(one for one in self.ids if self.ids.count(one) > 1)
            message = f"expected unique ids, got {twice[:60]!r} twice"
            raise _refusal(message) from InvalidAssessment(message)
        if max_concurrency < 0:
            raise _refusal(f"max_concurrency: expected 0 or more, got {max_concurrency}")
        if error_policy not in get_args(ErrorPolicy):
            raise _refusal("error_policy: expected collect or fail_fast")
        self.error_policy: ErrorPolicy = error_policy
        self.max_concurrency = min(max_concurrency or 1, len(self.assessments))

    def only(self, ids: Collection[str]) -> "Suite | None":
        """The part of the suite that yields any of the ids, or None where nothing does."""
        chosen = [one for one in self.assessments if any(each in ids for each in one.ids)]
        return self._with(chosen) if chosen else None

    def extended(self, assessments: Sequence[Assessment]) -> "Suite":
        """The suite with more assessments behind its own; ids must not clash."""
        return self._with([*self.assessments, *assessments]) if assessments else self

    def _with(self, assessments: Sequence[Assessment]) -> "Suite":
        return Suite(
            assessments, max_concurrency=self.max_concurrency, error_policy=self.error_policy
        )

    def nothing(self, cause: BaseException | None = None) -> SuiteResult:
        """A result in which nothing was evaluated, with the cause if there is one."""
        return SuiteResult(tuple(not_evaluated(identity, cause) for identity in self.ids))

    async def run(
        self,
        subject: object,
        *,
        cancellation: Cancellation | None = None,
        limits: Limits = NO_LIMITS,
    ) -> SuiteRun:
        """One result for every declared id, in declared order.

        Started assessments are awaited to their end, whatever happens. Under `collect` none
        disturbs another. Under `fail_fast` the first failure in time keeps the rest from starting,
        and is the run's error. The caller's cancellation wins over both.
        """
        caller = cancellation or current_cancellation()
        run = _Run(self, subject, caller, limits)
        await run.work()
        return run.finish()


class _Run:
    """One run of a suite: slots by position, filled in whatever order work ends."""

    def __init__(self, suite: Suite, subject: object, caller: Cancellation, limits: Limits) -> None:
        self._suite = suite
        self._subject = subject
        self._caller = caller
        self._limits = limits
        self._governing = Cancellation(caller)
        self._failure: BaseException | None = None
        self._slots: list[tuple[AssessmentResult, ...]] = [
            tuple(not_evaluated(identity) for identity in one.ids) for one in suite.assessments
        ]

    async def work(self) -> None:
        """Run every assessment that may start."""
        waiting = iter(enumerate(self._suite.assessments))
        if self._suite.max_concurrency == 1:
            await self._pull(waiting)
            return
        await asyncio.gather(*(self._pull(waiting) for _ in range(self._suite.max_concurrency)))

    async def _pull(self, waiting: "enumerate[Assessment]") -> None:
        for index, assessment in waiting:
            if self._governing.canceled:
                return
            results = await assess(assessment, self._subject, self._governing, self._limits)
            self._slots[index] = results
            if self._suite.error_policy == "fail_fast":
                self._note_failure(results)

    def _note_failure(self, results: tuple[AssessmentResult, ...]) -> None:
        for result in results:
            if result.status in ("failed", "canceled") and self._failure is None:
                self._failure = labelled(result)
                self._governing.cancel(self._failure)

    def finish(self) -> SuiteRun:
        """The results, and the error that ended the run early."""
        cause = self._caller.cause
        results = tuple(result for slot in self._slots for result in slot)
        if cause is None:
            return SuiteRun(SuiteResult(results), self._failure)
        results = tuple(
            not_evaluated(result.id, cause) if result.status == "not_evaluated" else result
            for result in results
        )
        return SuiteRun(SuiteResult(results), cause)


def _require_assessment(value: object) -> None:
    if not isinstance(value, Assessment):
        raise _refusal(f"expected an Assessment, got {type(value).__name__}")


def _refusal(message: str) -> InvalidEvaluatorConfig:
    return InvalidEvaluatorConfig(f"suite: {message}")
