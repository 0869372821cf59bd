"""The steps of a trial's attempts: what is called, what is kept, and what is tried again."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import ErrorClass, EvaluatorError, TargetError
from assay.evaluators.execution import Execution
from assay.evaluators.function import evaluator
from assay.evaluators.registry import find
from assay.evaluators.sample import Sample
from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import TrialNote
from assay.tasks.trial_session import TrialSession

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]

RETRYABLE: tuple[ErrorClass, ...] = ("timeout", "rate_limited", "unavailable")
FINAL: tuple[ErrorClass, ...] = (
    "canceled",
    "malformed_reply",
    "refused",
    "unsupported",
    "invalid_report",
    "identity_mismatch",
    "invalid_input",
    "internal",
)


class Failing:
    """A target that fails so many times for each input, and then answers.

    Args:
        times: How often it fails.
        error: What it raises.
    """

    def __init__(self, times: int, error: Callable[[], BaseException]) -> None:
        self.calls: Counter[object] = Counter()
        self._times = times
        self._error = error

    def __call__(self, given: str) -> str:
        """The answer, or a failure."""
        self.calls[given] += 1
        if self.calls[given] <= self._times:
            raise self._error()
        return given.upper()


def _execution(prepared: PreparedRun, case_id: str = "c0") -> dict[str, object]:
    rows = prepared.run.executions().to_dicts()
    (row,) = [one for one in rows if one["case_id"] == case_id]
    return row


def _grades(prepared: PreparedRun) -> dict[tuple[str, str], dict[str, object]]:
    rows = prepared.grading.grades().to_dicts()
    return {(row["case_id"], row["assessment_id"]): row for row in rows}


def test_a_trial_leaves_a_receipt_and_its_grades(prepare: Prepare, execute: Execute) -> None:
    """Both name the same content, so that the grade can be traced."""
    prepared = prepare(cases=2)
    tally = execute(prepared)
    row, grade = _execution(prepared), _grades(prepared)["c0", "exact"]
    assert (row["kind"], row["attempts"], row["output"], row["error"]) == (
        "receipt",
        1,
        '"Q0"',
        None,
    )
    assert grade["receipt_digest"] == row["receipt_digest"]
    assert (grade["status"], grade["verdict"], grade["attempt"]) == ("completed", "pass", 1)
    assert (tally.target_calls, tally.computed, tally.ended) == (2, 2, 2)


@pytest.mark.parametrize("error_class", RETRYABLE)
def test_what_may_pass_is_tried_again(
    error_class: ErrorClass, prepare: Prepare, execute: Execute
) -> None:
    """A provider's bad minute must not become a wrong answer."""
    target = Failing(2, lambda: TargetError(error_class, "not now"))
    prepared = prepare(target, cases=1)
    assert execute(prepared).target_calls == 3
    row = _execution(prepared)
    assert (row["kind"], row["attempts"], row["output"]) == ("receipt", 3, '"Q0"')
    assert row["error"] == "TargetError: not now"
    assert [wait["attempt"] for wait in json.loads(str(row["waits"]))] == [1, 2]


@pytest.mark.parametrize("error_class", FINAL)
def test_what_will_not_pass_is_not_tried_again(
    error_class: ErrorClass, prepare: Prepare, execute: Execute
) -> None:
    """Asking again costs money and gives the same."""
    target = Failing(1, lambda: TargetError(error_class, "never"))
    prepared = prepare(target, cases=1)
    assert execute(prepared).target_calls == 1
    row = _execution(prepared)
    assert (row["kind"], row["attempts"], row["error_class"]) == ("failure", 1, error_class)


def test_attempts_that_are_used_up_leave_one_failure(prepare: Prepare, execute: Execute) -> None:
    """With every attempt in it, and no grade that somebody could count."""
    target = Failing(9, lambda: TargetError("unavailable", "down", retry_after=0.01))
    prepared = prepare(target, cases=1)
    assert execute(prepared).target_calls == 3
    row = _execution(prepared)
    assert (row["kind"], row["attempts"], row["error_class"]) == ("failure", 3, "unavailable")
    assert (row["receipt_digest"], row["output_present"]) == (None, False)
    waits = json.loads(str(row["waits"]))
    assert [(one["attempt"], one["retry_after_seconds"]) for one in waits] == [
        (1, 0.01),
        (2, 0.01),
        (3, 0.01),
    ]
    assert prepared.grading.grades().is_empty()


def test_the_error_classes_to_try_again_are_a_setting(prepare: Prepare, execute: Execute) -> None:
    """What is worth another call is the experimenter's to say."""
    target = Failing(1, lambda: ValueError("flaky"))
    prepared = prepare(target, cases=1, retries={"on": ["internal"], "backoff_seconds": 0})
    assert execute(prepared).target_calls == 2
    assert _execution(prepared)["kind"] == "receipt"


@pytest.mark.parametrize("status", ["failed", "budget_exhausted"])
def test_a_receipt_is_never_tried_again(status: str, prepare: Prepare, execute: Execute) -> None:
    """A target that returned has answered, however its execution ended."""
    prepared = prepare(lambda _: Execution(status=status, output="Q0", reason="?"), cases=1)
    assert execute(prepared).target_calls == 1
    assert _execution(prepared)["status"] == status
    assert _grades(prepared)["c0", "exact"]["verdict"] == "pass"


def test_a_provider_is_given_the_time_it_asks_for(prepare: Prepare, execute: Execute) -> None:
    """The wait holds no slot: another case is asked in the meantime."""
    calls: list[tuple[str, float]] = []

    def answer(given: str) -> str:
        calls.append((given, time.monotonic()))
        if len(calls) == 1:
            raise TargetError("rate_limited", "slow down", retry_after=0.3)
        return given

    execute(prepare(answer, cases=2, concurrency=1))
    assert [given for given, _ in calls] == ["q0", "q1", "q0"]
    (_, first), (_, between), (_, again) = calls
    assert between - first < 0.25
    assert again - first >= 0.3


def test_retryable_assessments_alone_are_graded_again(prepare: Prepare, execute: Execute) -> None:
    """The target and the graders that have answered are not asked a second time."""
    calls: Counter[str] = Counter()

    @evaluator(revision="1")
    def shaky(_sample: Sample) -> bool:
        calls["shaky"] += 1
        if calls["shaky"] < 3:
            raise EvaluatorError("rate_limited", "judge is busy")
        return True

    @evaluator(revision="1")
    def steady(_sample: Sample) -> bool:
        calls["steady"] += 1
        return True

    suite = [Assessment("shaky", shaky), Assessment("steady", steady)]
    prepared = prepare(cases=1, suite=suite)
    tally = execute(prepared)
    assert (tally.target_calls, calls["shaky"], calls["steady"]) == (1, 3, 1)
    grades = _grades(prepared)
    assert (grades["c0", "shaky"]["status"], grades["c0", "shaky"]["attempt"]) == ("completed", 3)
    assert grades["c0", "steady"]["attempt"] == 1
    assert tally.computed == 4


def test_the_last_attempt_of_a_grader_counts(prepare: Prepare, execute: Execute) -> None:
    """Also when it failed like those before it."""

    @evaluator(revision="1")
    def never(_sample: Sample) -> bool:
        raise EvaluatorError("unavailable", "judge is down")

    prepared = prepare(cases=1, suite=[Assessment("never", never)])
    execute(prepared)
    grade = _grades(prepared)["c0", "never"]
    assert (grade["status"], grade["error_class"], grade["attempt"]) == ("failed", "unavailable", 3)


def test_a_secret_in_an_evaluators_error_is_masked(
    prepare: Prepare, execute: Execute, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judges like to repeat the key that they refuse."""
    monkeypatch.setenv("JUDGE_KEY", "open-sesame-7")

    @evaluator(revision="1")
    def loud(_sample: Sample) -> bool:
        raise EvaluatorError("refused", "wrong key open-sesame-7")

    prepared = prepare(cases=1, suite=[Assessment("loud", loud)], secrets=["JUDGE_KEY"])
    execute(prepared)
    error = str(_grades(prepared)["c0", "loud"]["error"])
    assert "sesame" not in error
    assert "[masked]" in error


def test_a_target_that_ignores_its_limit_frees_its_slot(prepare: Prepare, execute: Execute) -> None:
    """One that never returns stops nothing but itself."""
    forever = threading.Event()

    def answer(given: str) -> str:
        if given == "q0":
            forever.wait()
        return given.upper()

    prepared = prepare(
        answer, cases=3, concurrency=1, timeout_seconds=0.05, retries={"attempts": 1}
    )
    tally = execute(prepared)
    forever.set()
    assert tally.abandoned == 1
    assert _execution(prepared, "c0")["error_class"] == "timeout"
    assert {_execution(prepared, one)["kind"] for one in ("c1", "c2")} == {"receipt"}


def test_a_late_result_is_kept_and_not_counted(prepare: Prepare, execute: Execute) -> None:
    """It was paid for, but it came after the trial had been given up."""
    let_go = threading.Event()

    def answer(given: str) -> str:
        if given == "q0":
            let_go.wait(10)
        else:
            time.sleep(0.2)  # the run goes on while the late result comes
        return given.upper()

    def heard(note: TrialNote) -> None:
        if note.key.case_id == "c0":
            let_go.set()

    prepared = prepare(answer, cases=2, concurrency=1, timeout_seconds=0.4, retries={"attempts": 1})
    execute(prepared, on_result=heard)
    assert _execution(prepared, "c0")["kind"] == "failure"
    (late,) = prepared.run.late().to_dicts()
    assert (late["case_id"], late["output"], late["attempts"]) == ("c0", '"Q0"', 1)
    assert {case_id for case_id, _ in _grades(prepared)} == {"c1"}


def test_fail_fast_ends_the_run_at_the_first_failed_assessment(
    prepare: Prepare, execute: Execute
) -> None:
    """What has not started is not paid for; what has is kept."""
    calls = count()

    @evaluator(revision="1")
    def broken(sample: Sample) -> bool:
        next(calls)
        if sample.input == "q1":
            raise ValueError("broken")
        return True

    suite = [Assessment("broken", broken), Assessment("exact", find("text.equals_expected"))]
    prepared = prepare(cases=400, suite=suite, error_policy="fail_fast", concurrency=1)
    tally = execute(prepared)
    grades = _grades(prepared)
    assert grades["c1", "broken"]["status"] == "failed"
    assert grades["c1", "exact"]["status"] == "not_evaluated"
    assert grades["c0", "exact"]["status"] == "completed"
    assert 2 <= tally.target_calls < 400
    assert prepared.run.executions(["kind"]).height == tally.target_calls


def test_fail_fast_tries_again_what_may_pass(prepare: Prepare, execute: Execute) -> None:
    """A judge's bad minute does not end a run that retries would have saved."""
    calls: Counter[object] = Counter()

    @evaluator(revision="1")
    def shaky(sample: Sample) -> bool:
        calls[sample.input] += 1
        if calls[sample.input] < 3:
            raise EvaluatorError("timeout", "slow")
        return True

    suite = [Assessment("shaky", shaky), Assessment("exact", find("text.equals_expected"))]
    prepared = prepare(cases=4, suite=suite, error_policy="fail_fast")
    execute(prepared)
    assert {grade["status"] for grade in _grades(prepared).values()} == {"completed"}
    assert len(_grades(prepared)) == 8


def test_a_trial_that_the_end_of_the_run_keeps_from_trying_again_stays_open(
    prepare: Prepare, execute: Execute
) -> None:
    """It has attempts left, so nobody may call it failed; and nobody waits for it."""
    waiting = threading.Event()

    def answer(given: str) -> str:
        if given == "q0":
            waiting.set()
            raise TargetError("rate_limited", "later", retry_after=60)
        waiting.wait(10)
        return given

    @evaluator(revision="1")
    def broken(_sample: Sample) -> bool:
        raise ValueError("broken")

    started = time.monotonic()
    prepared = prepare(
        answer, cases=2, suite=[Assessment("broken", broken)], error_policy="fail_fast"
    )
    execute(prepared)
    assert time.monotonic() - started < 30
    assert prepared.run.executions()["case_id"].to_list() == ["c1"]


def test_cases_have_their_own_assessments_beside_the_suite(
    prepare: Prepare, execute: Execute
) -> None:
    """And nobody else has them."""
    own = Assessment("own", find("text.equals_expected"))
    cases = [
        Case(id="c0", input="a", expected="A", suite=[own]),
        Case(id="c1", input="b", expected="B"),
    ]
    prepared = prepare(cases=cases)
    execute(prepared)
    assert set(_grades(prepared)) == {("c0", "exact"), ("c0", "own"), ("c1", "exact")}
    assert prepared.grading.info["case_assessment_ids"] == {"c0": ["own"]}


def test_repeats_are_trials_of_their_own(prepare: Prepare, execute: Execute) -> None:
    """Each calls the target, and says which repeat it is."""
    prepared = prepare(cases=2, repeats=3)
    assert execute(prepared).target_calls == 6
    executions = prepared.run.executions(["case_id", "repeat"]).rows()
    assert sorted(executions) == [(f"c{case}", repeat) for case in range(2) for repeat in range(3)]


@pytest.mark.parametrize(
    "error",
    [
        SystemExit("bye"),
        RecursionError("deep"),
        asyncio.CancelledError("mine"),
        KeyboardInterrupt(),
        GeneratorExit(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_is_raised_harms_its_own_trial_only(
    error: BaseException, prepare: Prepare, execute: Execute
) -> None:
    """A target or an evaluator is foreign code."""

    def answer(given: str) -> str:
        if given == "q0":
            raise error
        return given.upper()

    @evaluator(revision="1")
    def rude(sample: Sample) -> bool:
        if sample.input == "q1":
            raise error
        return True

    prepared = prepare(answer, cases=3, suite=[Assessment("rude", rude)])
    execute(prepared)
    assert _execution(prepared, "c0")["kind"] == "failure"
    statuses = {case_id: grade["status"] for (case_id, _), grade in _grades(prepared).items()}
    assert statuses == {"c1": "failed", "c2": "completed"}


async def _dies_before(_key: TrialKey, _session: TrialSession) -> None:
    raise ConnectionError("no host")


async def _dies_after(key: TrialKey, session: TrialSession) -> None:
    await session.attempt(key, 1)
    raise ConnectionError("host gone")


async def _tries_once(key: TrialKey, session: TrialSession) -> None:
    await session.attempt(key, 1)


async def _tries_as_asked(key: TrialKey, session: TrialSession) -> None:
    for number in (1, 2):
        with suppress(AttemptFailed):
            await session.attempt(key, number)
    await session.attempt(key, 3)


@pytest.mark.parametrize("host", [_dies_before, _dies_after, _tries_once, _tries_as_asked])
def test_no_host_changes_a_number(
    host: Callable[..., object], prepare: Prepare, execute: Execute
) -> None:
    """Prefect shows a run; whether it does, and how far, decides nothing."""
    target = Failing(2, lambda: TargetError("unavailable", "down"))
    prepared = prepare(target, cases=3)
    tally = execute(prepared, host=host)
    assert (tally.target_calls, tally.computed, tally.ended) == (9, 3, 3)
    assert set(prepared.run.executions()["attempts"]) == {3}
    assert {grade["verdict"] for grade in _grades(prepared).values()} == {"pass"}


def test_a_retry_that_no_host_makes_waits_as_well(prepare: Prepare, execute: Execute) -> None:
    """A provider that asked for patience gets it, whoever calls."""
    moments: list[float] = []

    def answer(given: str) -> str:
        moments.append(time.monotonic())
        if len(moments) == 1:
            raise TargetError("rate_limited", "slow down")
        return given

    execute(prepare(answer, cases=1, retries={"backoff_seconds": 0.2}))
    assert moments[1] - moments[0] >= 0.2
