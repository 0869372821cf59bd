"""Running one assessment: the gate, the call, and what came of it."""

import asyncio
import time

from assay.evaluators.assessment import (
    Assessment,
    AssessmentResult,
    missing_evidence,
    not_evaluated,
    settle,
)
from assay.evaluators.cancellation import Cancellation, governed_by
from assay.evaluators.deadline import call_within
from assay.evaluators.errors import Canceled, EvaluatorError, is_a
from assay.evaluators.evaluator import Synchronous
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.evaluators.off_loop import outcome_of
from assay.evaluators.outcome import Expired, Given, TimedOutcome, raised_by
from assay.evaluators.sample import Sample

_NEVER = Cancellation()


async def assess(
    assessment: Assessment,
    subject: object,
    cancellation: Cancellation,
    limits: Limits = NO_LIMITS,
) -> tuple[AssessmentResult, ...]:
    """The results of an assessment, one for each of its ids; it never raises.

    A cancelled token leaves it not evaluated, and missing evidence unverified, both without a call.
    """
    if cancellation.canceled:
        cause = cancellation.cause
        return tuple(not_evaluated(identity, cause) for identity in assessment.ids)
    refusal = _refusal(assessment, subject)
    if refusal is not None:
        return settle(assessment, refusal, 0.0)
    started = time.perf_counter()
    with governed_by(cancellation):
        outcome = await _call(assessment, subject, limits)
    seconds = time.perf_counter() - started
    return settle(assessment, _answer(outcome, cancellation), seconds)


def assess_now(assessment: Assessment, subject: object) -> tuple[AssessmentResult, ...]:
    """The results of an assessment whose evaluator is synchronous, from this thread.

    The caller keeps the time limit, because nothing in a thread can interrupt itself.
    """
    refusal = _refusal(assessment, subject)
    if refusal is not None:
        return settle(assessment, refusal, 0.0)
    started = time.perf_counter()
    try:  # as `outcome_of` does, without its wrapping, which this path would feel
        answer = grade_in_place(assessment.evaluator, _fresh(subject))
    except BaseException as error:  # noqa: BLE001 - containing foreign code is the purpose
        answer = _answer(raised_by(error), _NEVER)
    return settle(assessment, answer, time.perf_counter() - started)


def _refusal(assessment: Assessment, subject: object) -> BaseException | None:
    evaluator = assessment.evaluator
    if isinstance(evaluator, FunctionEvaluator) and not evaluator.descriptor.requires:
        return None  # nothing foreign is asked, and nothing can break
    outcome = outcome_of(lambda: missing_evidence(assessment, subject))
    return outcome.value if isinstance(outcome, Given) else outcome.error


def is_synchronous(assessment: Assessment) -> bool:
    """True if `assess_now` can run it: a plain function in a thread."""
    evaluator = assessment.evaluator
    if not isinstance(evaluator, Synchronous) or evaluator.isolation != "thread":
        return False
    return not (isinstance(evaluator, FunctionEvaluator) and evaluator.is_async)


def grade_in_place(evaluator: object, subject: object) -> object:
    """The report of a synchronous evaluator, or its answers by output."""
    if isinstance(evaluator, FunctionEvaluator):  # cheaper to see than a protocol
        return evaluator.grade_outputs(subject) if evaluator.outputs else evaluator.grade(subject)
    if isinstance(evaluator, Synchronous):
        return evaluator.grade(subject)
    msg = "expected a synchronous evaluator"
    raise EvaluatorError("unsupported", msg)


async def _call(assessment: Assessment, subject: object, limits: Limits) -> TimedOutcome[object]:
    evaluator = assessment.evaluator
    subject = _fresh(subject)
    isolation = getattr(evaluator, "isolation", "thread")
    if isolation == "process" and limits.runner is not None:
        return await limits.runner.call(evaluator, subject, limits.timeout_seconds)
    if isinstance(evaluator, FunctionEvaluator) and evaluator.outputs:
        return await call_within(
            lambda: evaluator.evaluate_outputs(subject), limits.timeout_seconds
        )
    return await call_within(lambda: evaluator.evaluate(subject), limits.timeout_seconds)


def _answer(outcome: TimedOutcome[object], cancellation: Cancellation) -> object:
    if isinstance(outcome, Given):
        return outcome.value
    if isinstance(outcome, Expired):
        return EvaluatorError("timeout", f"the evaluator took longer than {outcome.seconds:g} s")
    error = outcome.error
    canceled = cancellation.error()
    if canceled is not None and _is_about_canceling(error):
        return canceled
    if isinstance(error, Canceled):
        # It says that it was canceled, but nobody did: that is its own doing.
        return EvaluatorError("canceled", "the evaluator canceled itself")
    return error


def _fresh(subject: object) -> object:
    # What one evaluator does to a value must not reach the next.
    return subject.fresh() if isinstance(subject, Sample) else subject


def _is_about_canceling(error: BaseException) -> bool:
    return any(is_a(error, kind) for kind in (Canceled, asyncio.CancelledError, TimeoutError))
