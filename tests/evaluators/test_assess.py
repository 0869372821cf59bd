"""Running one assessment: whatever the evaluator does, there is a result."""

import asyncio
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import NoReturn

import pytest

from assay.evaluators.assess import assess, assess_now, is_synchronous
from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.cancellation import Cancellation, current_cancellation
from assay.evaluators.case import Case
from assay.evaluators.deadline import abandoned_calls
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import (
    Canceled,
    ErrorClass,
    EvaluatorError,
    IncompleteRecording,
    NotEvaluated,
    Skip,
    is_a,
)
from assay.evaluators.evaluator import Evaluator
from assay.evaluators.execution import Execution
from assay.evaluators.function import FunctionEvaluator, evaluator
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.evaluators.metric import Metric
from assay.evaluators.outcome import Expired, Given, TimedOutcome
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.score import Score

SAMPLE = Sample(Case(id="c", input="q"), Execution(output="a"))
REPORT = Report(metric=Metric(name="m"), score=Score(1))
NOTE: ContextVar[str] = ContextVar("note", default="none")


class Unprintable(Exception):
    """An exception that cannot be printed."""

    def __repr__(self) -> str:
        return "Unprintable()"

    def __str__(self) -> str:
        raise ValueError


class Custom:
    """An evaluator of any behaviour."""

    def __init__(self, behave: Callable[[object], Awaitable[object]]) -> None:
        self.descriptor = Descriptor(name="custom", revision="1")
        self._behave = behave

    async def evaluate(self, subject: object) -> Report:
        """Do whatever was asked."""
        return await self._behave(subject)  # type: ignore[return-value]


def assessed(
    one: Evaluator[object], *, limits: Limits = NO_LIMITS, token: Cancellation | None = None
) -> AssessmentResult:
    """Return the one result of the evaluator on the sample."""
    assessment = Assessment("x", one)
    (result,) = asyncio.run(assess(assessment, SAMPLE, token or Cancellation(), limits))
    return result


def raising(error: BaseException) -> NoReturn:
    """Raise the error."""
    raise error


def plain(call: Callable[[object], object]) -> FunctionEvaluator[object]:
    """Return an evaluator of a plain function."""
    return evaluator(name="plain", revision="1")(call)


def coroutine(call: Callable[[object], object]) -> FunctionEvaluator[object]:
    """Return an evaluator of a coroutine function."""

    async def grade(sample: object) -> object:
        await asyncio.sleep(0)
        return call(sample)

    return evaluator(name="coroutine", revision="1")(grade)


ERRORS: list[tuple[BaseException, ErrorClass]] = [
    (SystemExit(1), "internal"),
    (RecursionError(), "internal"),
    (MemoryError(), "internal"),
    (GeneratorExit(), "internal"),
    (StopIteration(1), "internal"),
    (StopAsyncIteration(), "internal"),
    (asyncio.CancelledError(), "canceled"),
    (Canceled(), "canceled"),
    (TimeoutError(), "timeout"),
    (Unprintable(), "internal"),
    (BaseException(), "internal"),
    (ExceptionGroup("g", [ValueError()]), "internal"),
    (BaseExceptionGroup("g", [SystemExit()]), "internal"),
    (ExceptionGroup("g", [Skip(), ValueError()]), "internal"),
    (EvaluatorError("malformed_reply"), "malformed_reply"),
    (ConnectionError(), "unavailable"),
]


@pytest.mark.parametrize("kind", [plain, coroutine])
@pytest.mark.parametrize("seconds", [None, 30.0])
@pytest.mark.parametrize(("error", "error_class"), ERRORS, ids=repr)
def test_whatever_an_evaluator_raises_is_its_own_failure(
    kind: Callable[[Callable[[object], object]], FunctionEvaluator[object]],
    seconds: float | None,
    error: BaseException,
    error_class: ErrorClass,
) -> None:
    """With and without a time limit, in a thread and on the loop: one failed result, no more."""
    one = kind(lambda _: raising(error))
    result = assessed(one, limits=Limits(timeout_seconds=seconds))
    assert (result.status, result.error_class) == ("failed", error_class)
    assert result.report is None


@pytest.mark.parametrize("kind", [plain, coroutine])
@pytest.mark.parametrize(
    "value", [None, float("nan"), float("inf"), b"1", object(), [[True]], 2.0, {"a": True}]
)
def test_whatever_an_evaluator_returns_is_a_report_or_its_failure(
    kind: Callable[[Callable[[object], object]], FunctionEvaluator[object]], value: object
) -> None:
    """Nothing that is no verdict becomes a zero."""
    result = assessed(kind(lambda _: value))
    assert (result.status, result.error_class) == ("failed", "invalid_report")


@pytest.mark.parametrize("value", [None, 1, "good", b"", [REPORT], Report, {"a": REPORT}])
def test_a_custom_evaluator_has_to_return_a_report(value: object) -> None:
    """Kernel 5.1: what came instead is discarded."""

    async def behave(_: object) -> object:
        return value

    result = assessed(Custom(behave))
    assert (result.status, result.error_class) == ("failed", "invalid_report")


def test_a_method_that_is_no_coroutine_is_a_failure() -> None:
    """`def evaluate` instead of `async def evaluate` is found when it is called."""
    result = assessed(Custom(lambda _: REPORT))  # type: ignore[arg-type, return-value]
    assert result.status == "failed"
    assert is_a(result.error, TypeError)


def test_leaving_the_interpreter_from_a_thread_leaves_nothing() -> None:
    """`sys.exit` is an exception; in a grader it is the grader's."""
    result = assessed(plain(lambda _: sys.exit(3)))
    assert result.status == "failed"
    assert is_a(result.error, SystemExit)


def test_an_interrupt_in_a_thread_is_the_graders_own() -> None:
    """Signals reach the main thread alone, so nobody pressed Ctrl-C."""
    result = assessed(plain(lambda _: raising(KeyboardInterrupt())))
    assert (result.status, result.error_class) == ("failed", "internal")
    assert is_a(result.error, KeyboardInterrupt)


def test_an_interrupt_in_the_main_thread_is_the_users() -> None:
    """It ends the run, as Ctrl-C has to."""
    with pytest.raises(KeyboardInterrupt):
        assessed(coroutine(lambda _: raising(KeyboardInterrupt())))
    with pytest.raises(KeyboardInterrupt):
        assess_now(Assessment("x", plain(lambda _: raising(KeyboardInterrupt()))), SAMPLE)


@pytest.mark.parametrize("seconds", [None, 30.0])
def test_an_evaluator_that_cancels_its_task_cancels_nothing_else(seconds: float | None) -> None:
    """Its task is its own."""

    async def behave(_: object) -> Report:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)
        return REPORT

    result = assessed(Custom(behave), limits=Limits(timeout_seconds=seconds))
    assert (result.status, result.error_class) == ("failed", "canceled")


def test_what_an_evaluator_sets_in_its_context_stays_there() -> None:
    """The next evaluator does not see it."""
    seen: list[str] = []

    async def note(_: object) -> Report:
        seen.append(NOTE.get())
        NOTE.set("mine")
        return REPORT

    async def main() -> None:
        assessment = Assessment("x", Custom(note))
        for _ in range(2):
            await assess(assessment, SAMPLE, Cancellation())

    asyncio.run(main())
    assert seen == ["none", "none"]


# --- time limits -----------------------------------------------------------------------------


def test_a_coroutine_that_takes_too_long_is_a_timeout() -> None:
    """DESIGN 3.1: its own deadline is a failure, not a cancellation."""
    stopped: list[bool] = []

    async def behave(_: object) -> Report:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(True)
        return REPORT

    result = assessed(Custom(behave), limits=Limits(timeout_seconds=0.02))
    assert (result.status, result.error_class) == ("failed", "timeout")
    assert "longer than 0.02 s" in str(result.error)
    assert stopped == [True]


def test_a_coroutine_that_swallows_its_cancellation_is_left_behind() -> None:
    """Nobody waits for it: not the suite, not the loop at its end."""
    free = threading.Event()

    async def behave(_: object) -> Report:
        while not free.is_set():
            try:
                await asyncio.sleep(0.01)
            except BaseException:  # noqa: BLE001, S112 - that is the misbehaviour
                continue
        return REPORT

    started = time.perf_counter()
    result = assessed(Custom(behave), limits=Limits(timeout_seconds=0.02))
    assert (result.status, result.error_class) == ("failed", "timeout")
    assert time.perf_counter() - started < 5


def test_a_function_that_never_returns_is_left_behind() -> None:
    """The others go on; it is counted until it ends, if ever."""
    free = threading.Event()
    one = plain(lambda _: free.wait(60))
    before = abandoned_calls()
    result = assessed(one, limits=Limits(timeout_seconds=0.02))
    assert (result.status, result.error_class) == ("failed", "timeout")
    assert abandoned_calls() == before + 1
    free.set()
    for _ in range(500):
        if abandoned_calls() == before:
            break
        time.sleep(0.01)
    assert abandoned_calls() == before


def test_what_a_late_coroutine_gives_is_dropped() -> None:
    """An answer within the grace is still an answer after the limit."""

    async def behave(_: object) -> Report:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return REPORT
        return REPORT

    result = assessed(Custom(behave), limits=Limits(timeout_seconds=0.02))
    assert (result.status, result.report) == ("failed", None)


# --- cancellation ----------------------------------------------------------------------------


def test_a_cancelled_token_calls_nobody() -> None:
    """Kernel 5.1: the result joins NotEvaluated and the caller's cause."""
    calls: list[object] = []
    token = Cancellation()
    token.cancel(TimeoutError("the caller's deadline"))
    result = assessed(plain(calls.append), token=token)
    assert (result.status, calls) == ("not_evaluated", [])
    assert is_a(result.error, NotEvaluated)
    assert is_a(result.error, TimeoutError)


@pytest.mark.parametrize(
    "error", [Canceled(), asyncio.CancelledError(), TimeoutError(), None], ids=repr
)
def test_an_evaluator_that_notices_the_cancellation_is_canceled(
    error: BaseException | None,
) -> None:
    """From outside; by itself it would have failed."""
    token = Cancellation()

    async def behave(_: object) -> Report:
        token.cancel()
        assert current_cancellation().canceled
        if error is not None:
            raise error
        current_cancellation().raise_if_canceled()
        return REPORT

    result = assessed(Custom(behave), token=token)
    assert (result.status, result.error_class) == ("canceled", "canceled")


@pytest.mark.parametrize("error", [ValueError(), Skip(), IncompleteRecording()], ids=repr)
def test_another_error_stays_what_it_is_under_a_cancellation(error: BaseException) -> None:
    """A bug that shows while the run is being stopped is a bug."""
    token = Cancellation()

    async def behave(_: object) -> Report:
        token.cancel()
        raise error

    result = assessed(Custom(behave), token=token)
    assert result.error is error


def test_a_report_that_came_in_time_is_kept_under_a_cancellation() -> None:
    """Work that is done is not thrown away."""
    token = Cancellation()

    async def behave(_: object) -> Report:
        token.cancel()
        return REPORT

    assert assessed(Custom(behave), token=token).report == REPORT


def test_the_surrounding_task_can_be_cancelled_although_the_evaluator_swallows_it() -> None:
    """Ctrl-C ends the run, with and without a time limit."""

    async def behave(_: object) -> Report:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return REPORT
        return REPORT

    async def main() -> None:
        for limits in (NO_LIMITS, Limits(timeout_seconds=60)):
            work = assess(Assessment("x", Custom(behave)), SAMPLE, Cancellation(), limits)
            task = asyncio.create_task(work)
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())


# --- the gate --------------------------------------------------------------------------------


def test_missing_evidence_calls_nobody() -> None:
    """Evidence G2: unverified, which is incomplete and never a pass."""
    calls: list[object] = []
    one = evaluator(name="n", revision="1", requires=("usage", "spans"))(calls.append)
    for result in (assessed(one), assess_now(Assessment("x", one), SAMPLE)[0]):
        assert (result.status, result.complete, result.verdict) == ("unverified", False, "")
        assert result.finding is not None
        assert result.finding.message == "usage, spans"
    assert calls == []


class Odd(Sample):
    """A sample that cannot tell what it holds."""

    def provides(self) -> frozenset[str]:
        """Raise."""
        raise OSError


class Fickle(Custom):
    """An evaluator that forgets who it is."""

    asked = 0

    @property
    def descriptor(self) -> Descriptor:
        """Raise, but for the first time."""
        self.asked += 1
        if self.asked > 1:
            raise RuntimeError("who am I?")
        return Descriptor(name="fickle")

    @descriptor.setter
    def descriptor(self, value: Descriptor) -> None:
        """Forget it."""


def test_a_gate_that_breaks_is_a_failure_too() -> None:
    """Whatever is foreign is contained, before the call as well."""

    async def behave(_: object) -> Report:
        return REPORT

    assert assessed(Fickle(behave)).status == "failed"
    one = evaluator(name="n", revision="1", requires=("usage",))(lambda _: True)
    odd = Odd(SAMPLE.case, SAMPLE.execution)
    (result,) = asyncio.run(assess(Assessment("x", one), odd, Cancellation()))
    assert result.status == "failed"


# --- several outputs, and grading in place -----------------------------------------------------


def test_every_declared_output_has_a_result() -> None:
    """Whether the function answers, answers wrongly or raises; in a thread and on the loop."""

    async def grade(_: object) -> object:
        return {"a": True, "b": Skip("no")}

    for function, statuses in (
        (lambda _: {"a": True, "b": None}, ["completed", "failed"]),
        (lambda _: {"a": True}, ["failed", "failed"]),
        (lambda _: raising(Skip("none")), ["skipped", "skipped"]),
        (lambda _: raising(SystemExit()), ["failed", "failed"]),
        (grade, ["completed", "skipped"]),
    ):
        one = evaluator(name="n", revision="1", outputs=("a", "b"))(function)
        results = asyncio.run(assess(Assessment("x", one), SAMPLE, Cancellation()))
        assert [result.id for result in results] == ["x.a", "x.b"]
        assert [result.status for result in results] == statuses


@pytest.mark.parametrize(("error", "error_class"), ERRORS, ids=repr)
def test_grading_in_place_is_contained_as_well(
    error: BaseException, error_class: ErrorClass
) -> None:
    """The hot path of grading again has no loop, and no other rules."""
    (result,) = assess_now(Assessment("x", plain(lambda _: raising(error))), SAMPLE)
    assert (result.status, result.error_class) == ("failed", error_class)


def test_only_plain_functions_in_threads_are_graded_in_place() -> None:
    """A coroutine function needs a loop, an isolated one a process."""

    async def behave(_: object) -> Report:
        return REPORT

    isolated = evaluator(name="n", revision="1", isolation="process")(lambda _: True)
    expected = {
        plain(lambda _: True): True,
        coroutine(lambda _: True): False,
        isolated: False,
        Custom(behave): False,
    }
    for one, synchronous in expected.items():
        assert is_synchronous(Assessment("x", one)) is synchronous
    (result,) = assess_now(Assessment("x", Custom(behave)), SAMPLE)
    assert (result.status, result.error_class) == ("failed", "unsupported")


# --- isolation -------------------------------------------------------------------------------


class Recorder:
    """A runner that notes what it was handed."""

    def __init__(self, outcome: TimedOutcome[object]) -> None:
        self.calls: list[tuple[object, float | None]] = []
        self._outcome = outcome

    async def call(
        self,
        evaluator: Evaluator[object],
        subject: object,  # noqa: ARG002 - the protocol's
        seconds: float | None,
    ) -> TimedOutcome[object]:
        """Note the call, and answer."""
        self.calls.append((evaluator, seconds))
        return self._outcome


@pytest.mark.parametrize(
    ("outcome", "status"), [(Given(REPORT), "completed"), (Expired(1.0, abandoned=False), "failed")]
)
def test_an_isolated_evaluator_is_handed_to_the_runner(
    outcome: TimedOutcome[object], status: str
) -> None:
    """With the time limit, which the runner keeps by killing; without a runner it is a thread."""
    isolated = evaluator(name="n", revision="1", isolation="process")(lambda _: True)
    runner = Recorder(outcome)
    result = assessed(isolated, limits=Limits(timeout_seconds=1.0, runner=runner))
    assert (result.status, runner.calls) == (status, [(isolated, 1.0)])
    assert assessed(isolated).status == "completed"
    assessed(plain(lambda _: True), limits=Limits(runner=runner))
    assert len(runner.calls) == 1


# --- shared evaluators -------------------------------------------------------------------------


def test_one_evaluator_shared_by_concurrent_trials_does_not_mix_their_scores() -> None:
    """B53: it stores `self.score`, two trials meet at a barrier; what counts is what it returns."""

    class Grader:
        descriptor = Descriptor(name="stateful", revision="1")
        score = -1.0

        async def evaluate(self, subject: Sample) -> Report:
            score = float(str(subject.input))
            self.score = score
            await meeting.wait()
            if score == 0:
                raise ValueError("sticks?")
            return Report(metric=Metric(name="m"), score=Score(score))

    async def main() -> list[tuple[AssessmentResult, ...]]:
        assessment = Assessment("x", Grader())
        samples = [Sample(Case(id=str(n), input=n / 4), Execution(output=1)) for n in range(5)]
        return await asyncio.gather(*(assess(assessment, one, Cancellation()) for one in samples))

    meeting = asyncio.Barrier(5)
    results = [result for (result,) in asyncio.run(main())]
    scores = [result.report.score if result.report else None for result in results]
    assert scores == [None, 0.25, 0.5, 0.75, 1.0]


def test_one_function_shared_by_threads_does_not_mix_their_answers() -> None:
    """B53 for plain functions: all of them are in the function at the same moment."""
    meeting = threading.Barrier(4)

    def grade(sample: object) -> float:
        assert isinstance(sample, Sample)
        score = float(str(sample.input))
        meeting.wait(5)
        return score

    async def main() -> list[tuple[AssessmentResult, ...]]:
        assessment = Assessment("x", plain(grade))
        samples = [Sample(Case(id=str(n), input=n / 4), Execution(output=1)) for n in range(4)]
        return await asyncio.gather(*(assess(assessment, one, Cancellation()) for one in samples))

    results = [result for (result,) in asyncio.run(main())]
    assert [result.report and result.report.score for result in results] == [0, 0.25, 0.5, 0.75]
