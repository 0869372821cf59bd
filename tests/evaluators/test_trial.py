"""One case, one execution of it, and one suite over the receipt."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.cancellation import Cancellation, current_cancellation
from assay.evaluators.case import Case
from assay.evaluators.errors import (
    Canceled,
    InvalidCase,
    InvalidEvaluatorConfig,
    InvalidExecution,
    InvalidTrial,
    NotEvaluated,
    TargetError,
    classify,
    is_a,
)
from assay.evaluators.execution import Execution
from assay.evaluators.function import FunctionEvaluator, evaluator
from assay.evaluators.open_map import OpenMap
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite
from assay.evaluators.trial import Trial, TrialRun

CASE = Case(id="c", input={"q": 1}, expected="secret", metadata=OpenMap.of({"k": 1}))


class Fake:
    """A target of any behaviour, which notes its inputs."""

    def __init__(self, behave: Callable[[], Awaitable[object]]) -> None:
        self.inputs: list[object] = []
        self._behave = behave

    async def run(self, input: object) -> Execution:  # noqa: A002 - the field's word
        """Behave."""
        self.inputs.append(input)
        return await self._behave()  # type: ignore[return-value]


def answering(receipt: object) -> Fake:
    """Return a target that always answers the same."""

    async def behave() -> object:
        return receipt

    return Fake(behave)


def raising(error: BaseException) -> Fake:
    """Return a target that always raises."""

    async def behave() -> NoReturn:
        raise error

    return Fake(behave)


def grader(call: Callable[[Sample], object]) -> FunctionEvaluator[object]:
    """Return an evaluator of the function."""
    return evaluator(name="grader", revision="1")(call)


GOOD = grader(lambda _: 1.0)
SUITE = Suite([Assessment("good", GOOD)])


def run(
    target: Fake,
    suite: Suite = SUITE,
    case: Case = CASE,
    *,
    token: Cancellation | None = None,
    timeout_seconds: float | None = None,
) -> TrialRun:
    """Return what one trial left behind."""
    trial = Trial(target, suite)
    return asyncio.run(trial.run(case, cancellation=token, timeout_seconds=timeout_seconds))


def statuses(done: TrialRun) -> list[str]:
    """Return the statuses of the assessments."""
    return [one.status for one in done.result.case.suite.results]


def fail(_: Sample) -> NoReturn:
    """Raise."""
    raise ValueError("grader")


def test_a_receipt_survives_a_failed_grader_and_can_be_graded_again() -> None:
    """Kernel 8.3 example 1: without calling the target a second time."""
    receipt = Execution(status="budget_exhausted", output="half", reason="token limit")
    target = answering(receipt)
    suite = Suite([Assessment("good", GOOD), Assessment("broken", grader(fail))])
    done = run(target, suite)
    assert done.error is None
    assert done.result.execution is receipt
    assert statuses(done) == ["completed", "failed"]
    result = done.result.case.suite
    assert (result.complete, result.verdict) == (False, "")
    again = asyncio.run(suite.run(Sample(CASE, receipt)))
    assert [one.status for one in again.result.results] == ["completed", "failed"]
    assert len(target.inputs) == 1


@pytest.mark.parametrize(
    "target",
    [
        pytest.param(
            lambda: Execution(status="completed", reason="contradiction"),
            id="kernel 8.3 example 2, contradiction",
        ),
        pytest.param(lambda: Execution.decode("{"), id="kernel 8.3 example 2, no receipt"),
        pytest.param(lambda: "a bare answer", id="an answer that is no receipt"),
        pytest.param(lambda: None, id="nothing"),
    ],
)
def test_without_a_valid_receipt_there_is_an_error_and_no_grading(
    target: Callable[[], object],
) -> None:
    """Kernel 8.3 example 2: planned assessments are there, bare not_evaluated, uncalled."""
    calls: list[object] = []

    async def behave() -> object:
        return target()

    done = run(Fake(behave), Suite([Assessment("a", grader(calls.append))]))
    assert is_a(done.error, InvalidExecution)
    assert done.result.execution is None
    assert done.result.execution_error is done.error
    assert (statuses(done), calls) == (["not_evaluated"], [])
    error = done.result.case.suite.get("a").error
    assert error is not None
    assert error.__cause__ is None


def test_a_target_that_cancels_the_run_keeps_its_receipt() -> None:
    """Kernel 8.3 example 3: with its empty candidate; grading is not evaluated, with the cause."""
    token = Cancellation()

    async def behave() -> Execution:
        token.cancel()
        return Execution(status="canceled", output="", reason="stopped")

    done = run(Fake(behave), token=token)
    assert done.error is token.cause
    assert done.result.execution is not None
    assert (done.result.execution.has_output, done.result.execution.output) == (True, "")
    result = done.result.case.suite.get("good")
    assert result.status == "not_evaluated"
    assert is_a(result.error, NotEvaluated)
    assert is_a(result.error, Canceled)


def test_a_receipt_without_output_is_graded() -> None:
    """Kernel 8.3 example 4: an evaluator may object, the trial has no error.

    Asking for the absent output is missing evidence here, where the kernel has a failure.
    """
    suite = Suite(
        [
            Assessment("status", grader(lambda sample: sample.execution.status == "completed")),
            Assessment("output", grader(lambda sample: sample.output == "x")),
            Assessment("broken", grader(fail)),
        ]
    )
    done = run(answering(Execution()), suite)
    assert done.error is None
    assert statuses(done) == ["completed", "unverified", "failed"]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Trial(None, SUITE),  # type: ignore[arg-type]
        lambda: Trial("bot:answer", SUITE),  # type: ignore[arg-type]
        lambda: Trial(Fake, SUITE),  # type: ignore[arg-type]
        lambda: Trial(answering(1), None),  # type: ignore[arg-type]
        lambda: Trial(answering(1), [Assessment("a", GOOD)]),  # type: ignore[arg-type]
    ],
    ids=["no target", "text", "class", "no suite", "list"],
)
def test_a_trial_has_a_target_and_a_suite(build: Callable[[], Trial]) -> None:
    """Kernel 8.3: found at construction."""
    with pytest.raises(InvalidTrial):
        build()


def test_a_trial_runs_a_case() -> None:
    """Kernel 8.3: anything else is an invalid case, and the target is not called."""
    target = answering(Execution())
    with pytest.raises(InvalidCase):
        run(target, case={"id": "c"})  # type: ignore[arg-type]
    assert target.inputs == []


def test_a_cancelled_trial_calls_nobody() -> None:
    """Kernel 8.3: the cause is the execution's error, and stands with every assessment."""
    token, target = Cancellation(), answering(Execution())
    token.cancel(TimeoutError("deadline"))
    done = run(target, token=token)
    assert done.error is done.result.execution_error is token.cause
    assert target.inputs == []
    assert is_a(done.result.case.suite.get("good").error, TimeoutError)


def test_the_target_gets_the_input_alone() -> None:
    """Never the expected value, the metadata or the graders; what it gets is the case's own."""
    target = answering(Execution(output=1))
    done = run(target)
    assert target.inputs == [CASE.input]
    assert target.inputs[0] is CASE.input
    assert (done.result.case.case_id, done.result.case.metadata) == ("c", CASE.metadata)


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(3),
        RecursionError(),
        MemoryError(),
        GeneratorExit(),
        StopIteration(),
        asyncio.CancelledError(),
        Canceled("by itself"),
        TargetError("rate_limited", retry_after=1.0),
        BaseExceptionGroup("g", [SystemExit()]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("seconds", [None, 30.0])
def test_whatever_a_target_raises_harms_its_own_trial_only(
    error: BaseException, seconds: float | None
) -> None:
    """The other trials of the same loop have their receipts."""

    async def main() -> list[TrialRun]:
        trials = [Trial(raising(error), SUITE), Trial(answering(Execution(output=1)), SUITE)]
        return await asyncio.gather(*(one.run(CASE, timeout_seconds=seconds) for one in trials))

    broken, sound = asyncio.run(main())
    assert broken.result.execution is None
    assert is_a(broken.error, type(error))
    assert statuses(broken) == ["not_evaluated"]
    assert sound.error is None
    assert statuses(sound) == ["completed"]


def test_a_target_is_given_up_on_at_its_limit() -> None:
    """Also one that ignores its cancellation; the class says that it was the time."""

    async def stubborn() -> Execution:
        while True:
            try:
                await asyncio.sleep(60)
            except BaseException:  # noqa: BLE001, S112 - that is the misbehaviour
                continue

    done = run(Fake(stubborn), timeout_seconds=0.02)
    assert done.error is not None
    assert classify(done.error) == "timeout"
    assert statuses(done) == ["not_evaluated"]


def test_a_target_can_ask_for_the_token() -> None:
    """It is expected to notice a cancellation, so it has to see it."""
    token, seen = Cancellation(), []

    async def behave() -> Execution:
        seen.append(current_cancellation())
        return Execution()

    run(Fake(behave), token=token)
    assert seen == [token]


def test_the_suite_of_the_case_is_run_beside_the_trials() -> None:
    """DESIGN 3.1: behind it; a clash of ids and entries as written are found before the call."""
    target = answering(Execution(output=1))
    own = Case(id="c", input=1, suite=[Assessment("own", GOOD)])
    done = run(target, case=own)
    assert [one.id for one in done.result.case.suite.results] == ["good", "own"]
    clash = Case(id="c", input=1, suite=[Assessment("good", GOOD)])
    written = Case(id="c", input=1, suite=[{"id": "x", "use": "text.contains"}])
    for case, category in ((clash, InvalidEvaluatorConfig), (written, InvalidCase)):
        with pytest.raises(category):
            run(target, case=case)
    assert len(target.inputs) == 1


def test_a_repeat_is_part_of_the_result() -> None:
    """Trials of one case are told apart by it."""
    trial = Trial(answering(Execution(output=1)), SUITE)
    assert asyncio.run(trial.run(CASE, repeat=3)).result.case.repeat == 3
