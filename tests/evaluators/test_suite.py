"""A set of assessments over one sample."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment, AssessmentResult, not_evaluated
from assay.evaluators.cancellation import Cancellation, current_cancellation, governed_by
from assay.evaluators.composite import Component, Composite
from assay.evaluators.decision import Decided, Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import (
    Canceled,
    EvaluatorError,
    IncompleteRecording,
    InvalidAssessment,
    InvalidEvaluatorConfig,
    InvalidReport,
    NotEvaluated,
    Skip,
    is_a,
)
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.score import Score
from assay.evaluators.suite import AssessmentFailed, Suite, SuiteResult, SuiteRun

SUBJECT = "subject"
Behaviour = Callable[[], Awaitable[Report]]


class Custom:
    """An evaluator of any behaviour, which counts its calls."""

    def __init__(self, behave: Behaviour) -> None:
        self.descriptor = Descriptor(name="custom", revision="1")
        self.calls = 0
        self._behave = behave

    async def evaluate(self, subject: object) -> Report:  # noqa: ARG002 - it has one behaviour
        """Behave."""
        self.calls += 1
        return await self._behave()


def saying(report: Report) -> Custom:
    """Return an evaluator that always gives the report."""

    async def behave() -> Report:
        return report

    return Custom(behave)


def raising(error: BaseException) -> Custom:
    """Return an evaluator that always raises the error."""

    async def behave() -> Report:
        raise error

    return Custom(behave)


def decided(verdict: Decided, score: float | None = None) -> Report:
    """Return a report with a decision."""
    return Report(
        metric=Metric(name="m"),
        decision=Decision(policy="p", verdict=verdict),
        score=None if score is None else Score(score),
    )


PASS, FAIL = decided("pass"), decided("fail")
SCORE = Report(metric=Metric(name="m"), score=Score(0.5))


def run(suite: Suite, token: Cancellation | None = None) -> SuiteRun:
    """Return what a run of the suite accumulated."""
    return asyncio.run(suite.run(SUBJECT, cancellation=token))


def statuses(result: SuiteResult) -> list[str]:
    """Return the statuses, in order."""
    return [one.status for one in result.results]


# --- examples --------------------------------------------------------------------------------


@pytest.mark.parametrize("concurrency", [1, 2])
def test_collecting_keeps_every_result_in_declared_order(concurrency: int) -> None:
    """Kernel 5.4 example 1: a judge that raises discards its report and harms no other."""
    cause = ConnectionError("judge is down")
    declared = [
        Assessment("quality", saying(PASS)),
        Assessment("judge", raising(cause)),
        Assessment("independent", saying(FAIL)),
    ]
    suite = Suite(declared, max_concurrency=concurrency)
    declared.reverse()
    done = run(suite)
    assert done.error is None
    assert [one.id for one in done.result.results] == ["quality", "judge", "independent"]
    assert statuses(done.result) == ["completed", "failed", "completed"]
    assert (done.result.complete, done.result.verdict) == (False, "")
    assert done.result.get("judge").report is None
    error = done.result.err()
    assert is_a(error, ConnectionError)
    assert "judge: ConnectionError: judge is down" in [str(one) for one in members(error)]


def members(error: BaseException | None) -> list[BaseException]:
    """Return the members of a group."""
    assert isinstance(error, BaseExceptionGroup)
    return list(error.exceptions)


def test_fail_fast_stops_at_the_first_failure() -> None:
    """Kernel 5.4 example 2: the rest is bare NotEvaluated, without a cause."""
    later = saying(PASS)
    suite = Suite(
        [Assessment("first", raising(OSError("disk"))), Assessment("second", later)],
        error_policy="fail_fast",
    )
    done = run(suite)
    assert isinstance(done.error, AssessmentFailed)
    assert str(done.error) == "first: OSError: disk"
    assert is_a(done.error, OSError)
    assert statuses(done.result) == ["failed", "not_evaluated"]
    untouched = done.result.get("second").error
    assert untouched is not None
    assert untouched.__cause__ is None
    assert later.calls == 0


def test_the_callers_cancellation_wins_over_fail_fast() -> None:
    """Kernel 5.4 example 3: the first cancels the caller's token and says so."""
    token = Cancellation()

    async def cancel() -> Report:
        token.cancel()
        raise asyncio.CancelledError

    suite = Suite(
        [Assessment("first", Custom(cancel)), Assessment("second", saying(PASS))],
        error_policy="fail_fast",
    )
    done = run(suite, token)
    assert done.error is token.cause
    assert is_a(done.error, Canceled)
    assert statuses(done.result) == ["canceled", "not_evaluated"]
    second = done.result.get("second").error
    assert is_a(second, NotEvaluated)
    assert is_a(second, Canceled)


def test_a_cancelled_caller_evaluates_nothing() -> None:
    """Kernel 5.4 example 4: every result carries the cause, no evaluator is called."""
    token, one = Cancellation(), saying(PASS)
    token.cancel(TimeoutError("deadline"))
    done = run(Suite([Assessment("a", one), Assessment("b", one)]), token)
    assert isinstance(done.error, TimeoutError)
    assert statuses(done.result) == ["not_evaluated"] * 2
    assert all(is_a(result.error, TimeoutError) for result in done.result.results)
    assert one.calls == 0


def test_a_failure_does_not_cancel_what_is_in_flight_under_collect() -> None:
    """Kernel 5.4 example 5: the other one completes, and its token stays clear."""
    started, failed = asyncio.Event(), asyncio.Event()
    seen: list[bool] = []

    async def fail() -> Report:
        await started.wait()
        failed.set()
        raise ValueError

    async def finish() -> Report:
        started.set()
        await failed.wait()
        await asyncio.sleep(0)
        seen.append(current_cancellation().canceled)
        return PASS

    suite = Suite(
        [Assessment("fails", Custom(fail)), Assessment("finishes", Custom(finish))],
        max_concurrency=2,
    )
    done = run(suite)
    assert (statuses(done.result), done.error, seen) == (["failed", "completed"], None, [False])


@pytest.mark.parametrize(
    "build",
    [
        pytest.param(lambda: Suite([]), id="kernel 5.4 example 6, none"),
        pytest.param(lambda: Suite([Assessment("", PASSING)]), id="kernel 5.4 example 6, no id"),
        pytest.param(
            lambda: Suite([Assessment(" spaced", PASSING)]), id="kernel 5.4 example 6, id"
        ),
        pytest.param(
            lambda: Suite([Assessment("a", None)]),  # type: ignore[arg-type]
            id="kernel 5.4 example 6, no evaluator",
        ),
        pytest.param(
            lambda: Suite([Assessment("a", PASSING)] * 2), id="kernel 5.4 example 6, duplicate"
        ),
        pytest.param(
            lambda: Suite([Assessment("a", PASSING)], max_concurrency=-1),
            id="kernel 5.4 example 6, concurrency",
        ),
        pytest.param(
            lambda: Suite([Assessment("a", PASSING)], error_policy="unknown"),  # type: ignore[arg-type]
            id="kernel 5.4 example 6, policy",
        ),
        pytest.param(lambda: Suite([PASSING]), id="no assessment"),  # type: ignore[list-item]
    ],
)
def test_a_broken_rule_is_found_at_construction(build: Callable[[], Suite]) -> None:
    """Kernel 5.4 example 6: an id is also refused as one; a typed null only Go can pose."""
    with pytest.raises((InvalidEvaluatorConfig, InvalidAssessment)):
        build()


PASSING = saying(PASS)


def test_a_repeated_id_is_a_wrong_suite_and_a_wrong_assessment() -> None:
    """Kernel 5.3: both can be tested for; an output's id counts as well."""
    several = evaluator(name="n", revision="1", outputs=("b",))(lambda _: {})
    for pair in (
        [Assessment("a", PASSING), Assessment("a", saying(FAIL))],
        [Assessment("a", several), Assessment("a.b", PASSING)],
    ):
        with pytest.raises(InvalidEvaluatorConfig, match="unique ids, got 'a") as caught:
            Suite(pair)
        assert is_a(caught.value, InvalidAssessment)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(None, id="kernel 5.4 example 7, empty"),
        pytest.param("a\ud800", id="kernel 5.4 example 7, bad text"),
    ],
)
def test_an_invalid_report_is_a_failure_without_a_report(answer: str | None) -> None:
    """Kernel 5.4 example 7: an invalid report cannot be made here, so its making is the failure."""

    async def behave() -> Report:
        members = {"metric": Metric(name="m"), "feedback": answer}
        return Report.model_validate(members if answer else {"metric": members["metric"]})

    done = run(Suite([Assessment("a", Custom(behave))]))
    assert statuses(done.result) == ["failed"]
    assert done.result.get("a").report is None
    assert is_a(done.result.err(), InvalidReport)


def test_a_gate_fails_the_suite_and_leaves_the_quality_where_it_was() -> None:
    """Kernel 5.4 example 8: a high score beside a failed safety check."""
    quality = Composite([Component[object](saying(decided("pass", 0.9)))])
    safety = saying(FAIL)
    done = run(Suite([Assessment("quality", quality), Assessment("safety", safety)]))
    assert done.result.verdict == "fail"
    report, gate = done.result.get("quality").report, done.result.get("safety").report
    assert report is not None
    assert report.score == 0.9
    assert gate is not None
    assert gate.score is None


def test_undecided_reports_do_not_block_a_pass() -> None:
    """Kernel 5.4 example 9: a pass of 0.8 beside a latency of 125 ms."""
    latency = Report(metric=Metric(name="latency", unit="ms"), measurement=125.0)
    done = run(
        Suite(
            [
                Assessment("quality", saying(decided("pass", 0.8))),
                Assessment("latency", saying(latency)),
            ]
        )
    )
    assert (done.result.verdict, done.result.complete) == ("pass", True)


# --- results ---------------------------------------------------------------------------------


def completed(identity: str, report: Report) -> AssessmentResult:
    """Return a completed result."""
    return AssessmentResult(identity, report=report)


SKIPPED = AssessmentResult("skip", error=Skip("no reference"))


@pytest.mark.parametrize(
    ("reports", "others", "complete", "verdict"),
    [
        ([PASS], [], True, "pass"),
        ([PASS, FAIL], [], True, "fail"),
        ([PASS, SCORE], [], True, "pass"),
        ([SCORE], [], True, ""),
        ([PASS], [SKIPPED], True, "pass"),
        ([FAIL], [SKIPPED], True, "fail"),
        ([], [SKIPPED], False, ""),
        ([FAIL], [not_evaluated("n")], False, ""),
        ([PASS], [AssessmentResult("u", error=IncompleteRecording())], False, ""),
        ([PASS], [AssessmentResult("f", error=ValueError())], False, ""),
        ([PASS], [AssessmentResult("c", error=Canceled())], False, ""),
    ],
)
def test_there_is_a_verdict_only_when_nothing_is_left_to_do(
    reports: list[Report],
    others: list[AssessmentResult],
    *,
    complete: bool,
    verdict: Literal["", "pass", "fail"],
) -> None:
    """DESIGN 3.1: completed or skipped, and at least one of them completed."""
    results = [completed(str(index), report) for index, report in enumerate(reports)]
    result = SuiteResult((*results, *others))
    assert (result.complete, result.verdict) == (complete, verdict)
    unfinished = [one for one in others if one.status != "skipped"]
    assert (result.err() is None) == (not unfinished)


def test_a_suite_result_has_results_with_unique_ids() -> None:
    """Kernel 5.4: none at all is no result."""
    for results in ((), (completed("a", PASS), completed("a", FAIL))):
        with pytest.raises(InvalidAssessment):
            SuiteResult(results)
    with pytest.raises(KeyError):
        SuiteResult((completed("a", PASS),)).get("b")


# --- running ---------------------------------------------------------------------------------


def test_by_default_one_assessment_runs_at_a_time() -> None:
    """Kernel 5.3: in declared order, and never more than there are."""
    running, most, order = 0, 0, []

    def noting(name: str) -> Custom:
        async def behave() -> Report:
            nonlocal running, most
            order.append(name)
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            return PASS

        return Custom(behave)

    suite = Suite([Assessment(name, noting(name)) for name in "abc"])
    assert suite.max_concurrency == 1
    run(suite)
    assert (most, order) == (1, ["a", "b", "c"])
    assert Suite([Assessment("a", PASSING)], max_concurrency=9).max_concurrency == 1


def test_under_fail_fast_what_is_in_flight_may_finish_or_notice() -> None:
    """Kernel 5.3: its result is kept, and the first failure in time is the error."""
    failed = asyncio.Event()

    async def fail() -> Report:
        failed.set()
        raise OSError("first in time")

    async def notice() -> Report:
        await failed.wait()
        while not current_cancellation().canceled:  # noqa: ASYNC110 - a token wakes nobody
            await asyncio.sleep(0)
        current_cancellation().raise_if_canceled()
        return PASS

    async def finish() -> Report:
        await failed.wait()
        return PASS

    suite = Suite(
        [
            Assessment("n", Custom(notice)),
            Assessment("f", Custom(finish)),
            Assessment("x", Custom(fail)),
            Assessment("never", PASSING),
        ],
        max_concurrency=3,
        error_policy="fail_fast",
    )
    done = run(suite)
    assert statuses(done.result) == ["canceled", "completed", "failed", "not_evaluated"]
    assert str(done.error) == "x: OSError: first in time"


@pytest.mark.parametrize("error", [Skip("no reference"), IncompleteRecording("no spans")])
def test_fail_fast_goes_on_after_what_is_no_failure(error: Exception) -> None:
    """A check that does not apply, or evidence that is missing, broke nothing."""
    suite = Suite(
        [Assessment("a", raising(error)), Assessment("b", saying(PASS))], error_policy="fail_fast"
    )
    done = run(suite)
    assert done.error is None
    assert done.result.get("b").status == "completed"


def test_a_cancellation_is_reported_even_when_everything_was_done() -> None:
    """Kernel 5.3: the last assessment cancels the caller and completes."""
    token = Cancellation()

    async def cancel() -> Report:
        token.cancel()
        return PASS

    done = run(Suite([Assessment("a", Custom(cancel))]), token)
    assert done.error is token.cause
    assert statuses(done.result) == ["completed"]


def test_the_surrounding_token_governs_a_run_without_one_of_its_own() -> None:
    """A suite inside an evaluator or a trial is cancelled with it."""
    token = Cancellation()
    token.cancel()
    with governed_by(token):
        done = run(Suite([Assessment("a", PASSING)]))
    assert statuses(done.result) == ["not_evaluated"]


ANSWERS = st.sampled_from(
    ["pass", "fail", "score", "skip", "unverified", "error", "exit", "cancelled", "cancel", "none"]
)


def behaving(answer: str, token: Cancellation) -> Custom:
    """Return an evaluator that does what the word says."""

    async def behave() -> Report:
        await asyncio.sleep(0)
        errors: dict[str, BaseException] = {
            "skip": Skip(),
            "unverified": IncompleteRecording(),
            "error": ValueError(),
            "exit": SystemExit(),
            "cancelled": asyncio.CancelledError(),
        }
        if answer == "cancel":
            token.cancel()
        if answer in errors:
            raise errors[answer]
        reports = {"pass": PASS, "fail": FAIL, "score": SCORE, "cancel": PASS}
        return reports.get(answer)  # type: ignore[return-value]

    return Custom(behave)


@given(
    st.lists(ANSWERS, min_size=1, max_size=5),
    st.integers(0, 4),
    st.sampled_from(["collect", "fail_fast"]),
)
def test_there_is_one_result_for_every_declared_id_whatever_fails(
    answers: list[str], concurrency: int, policy: Literal["collect", "fail_fast"]
) -> None:
    """In declared order; under collect nothing but a cancellation keeps one from running."""
    token = Cancellation()
    suite = Suite(
        [Assessment(f"a{n}", behaving(answer, token)) for n, answer in enumerate(answers)],
        max_concurrency=concurrency,
        error_policy=policy,
    )
    done = run(suite, token)
    assert tuple(one.id for one in done.result.results) == suite.ids
    if "cancel" in answers and token.canceled:
        assert done.error is token.cause
    elif policy == "collect":
        assert done.error is None
        assert "not_evaluated" not in statuses(done.result)
    else:
        assert (done.error is None) == (not {"failed", "canceled"} & set(statuses(done.result)))


# --- parts and extensions --------------------------------------------------------------------


def test_a_part_of_a_suite_yields_only_what_was_asked_for() -> None:
    """An assessment of several outputs runs whole, since it is one call."""
    several = evaluator(name="n", revision="1", outputs=("x", "y"))(lambda _: {"x": 1, "y": 2})
    suite = Suite(
        [Assessment("a", PASSING), Assessment("b", several), Assessment("c", PASSING)],
        max_concurrency=3,
        error_policy="fail_fast",
    )
    part = suite.only(["c", "b.y"])
    assert part is not None
    assert part.ids == ("b.x", "b.y", "c")
    assert (part.max_concurrency, part.error_policy) == (2, "fail_fast")
    assert suite.only(["nothing"]) is None
    assert suite.only([]) is None


def test_a_suite_is_extended_by_the_assessments_of_a_case() -> None:
    """DESIGN 3.1: behind its own, and ids must not clash."""
    suite = Suite([Assessment("a", PASSING)])
    assert suite.extended(()) is suite
    assert suite.extended([Assessment("b", PASSING)]).ids == ("a", "b")
    assert suite.ids == ("a",)
    with pytest.raises(InvalidEvaluatorConfig, match="unique ids"):
        suite.extended([Assessment("a", PASSING)])


def test_an_evaluator_of_a_suite_may_run_a_suite() -> None:
    """Nothing of the one run leaks into the other."""
    inner = Suite([Assessment("i", raising(EvaluatorError("refused")))], error_policy="fail_fast")

    async def behave() -> Report:
        done = await inner.run(SUBJECT)
        assert is_a(done.error, EvaluatorError)
        assert not current_cancellation().canceled
        return PASS

    done = run(Suite([Assessment("o", Custom(behave))]))
    assert statuses(done.result) == ["completed"]
