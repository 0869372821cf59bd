"""Starting trials: how many at a time, in which order, and how a run ends early."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.function import evaluator
from assay.evaluators.sample import Sample
from assay.tasks.await_recording import BackPressure
from assay.tasks.dispatch_trials import dispatch_trials
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.result_listener import ResultListener
from assay.tasks.run_trials import execute_trials
from assay.tasks.store import StoreError
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import TrialNote
from assay.tasks.trial_session import RunWriters, TrialSession

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]


async def _no_pressure(_ended: int) -> None:
    return


async def _no_host(_key: TrialKey, _session: TrialSession) -> None:
    return


async def _dispatch(
    prepared: PreparedRun,
    start: Callable[[TrialSession, TrialKey], Awaitable[None]],
    keys: Iterator[TrialKey] | None = None,
    listener: ResultListener | None = None,
) -> TrialSession:
    """Dispatch with writers that nothing is written to."""
    async with prepared.run.execution_writer() as executions, prepared.grading.writer() as grades:
        session = TrialSession(prepared, RunWriters(executions, grades))
        await dispatch_trials(
            session,
            keys or prepared.keys_left(),
            lambda key: start(session, key),
            listener=listener or ResultListener(),
            before_each=_no_pressure,
        )
    return session


@pytest.mark.parametrize("concurrency", [1, 3])
def test_never_more_targets_are_in_flight_than_asked(
    concurrency: int, prepare: Prepare, execute: Execute
) -> None:
    """A provider's limit is a limit."""
    lock = threading.Lock()
    flying, most = 0, 0

    def answer(given: str) -> str:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        time.sleep(0.01)
        with lock:
            flying -= 1
        return given

    execute(prepare(answer, cases=12, concurrency=concurrency))
    assert most == concurrency


def test_trials_start_in_planned_order(prepare: Prepare, execute: Execute) -> None:
    """So that a run that is broken off has done a beginning of it."""
    asked: list[object] = []

    def answer(given: str) -> str:
        asked.append(given)
        return given

    execute(prepare(answer, cases=5, repeats=2, concurrency=1))
    assert asked == [f"q{case}" for case in range(5) for _ in range(2)]


def test_a_window_bounds_the_trials_that_have_begun(prepare: Prepare) -> None:
    """Graders that are slower than the target must not fill the memory with receipts."""
    begun, most, pulled = 0, 0, 0

    async def run() -> None:
        nonlocal pulled
        opened = asyncio.Event()

        @evaluator(revision="1")
        async def slow(_sample: Sample) -> bool:
            await opened.wait()
            return True

        prepared = prepare(
            cases=600, suite=[Assessment("slow", slow)], concurrency=2, grading_concurrency=1
        )

        def keys() -> Iterator[TrialKey]:
            nonlocal pulled
            for key in prepared.keys_left():
                pulled += 1
                yield key

        async def start(session: TrialSession, key: TrialKey) -> None:
            nonlocal begun, most
            begun += 1
            most = max(most, session.in_flight())
            if begun == session.window:
                # The next one would have started by now if anything let it.
                asyncio.get_running_loop().call_later(0.3, opened.set)
            await session.finish(key)

        session = await _dispatch(prepared, start, keys())
        assert session.window == 2 + 1 + 256
        assert most == session.window
        assert pulled == 600

    asyncio.run(run())


def test_keys_are_asked_for_one_at_a_time(prepare: Prepare) -> None:
    """A million trials must not stand in memory before the first one starts."""
    pulled = 0

    async def run() -> None:
        nonlocal pulled
        let_go = asyncio.Event()
        prepared = prepare(cases=50, concurrency=2)

        def keys() -> Iterator[TrialKey]:
            nonlocal pulled
            for key in prepared.keys_left():
                pulled += 1
                yield key

        async def start(_session: TrialSession, _key: TrialKey) -> None:
            await let_go.wait()

        running = asyncio.create_task(_dispatch(prepared, start, keys()))
        await asyncio.sleep(0.05)
        assert pulled == 2 + 1
        let_go.set()
        await running
        assert pulled == 50

    asyncio.run(run())


def test_a_stuck_trial_stops_no_other(prepare: Prepare) -> None:
    """It keeps its slot, and the other slots go round."""
    ended: list[str] = []

    async def run() -> None:
        others = asyncio.Event()

        async def start(_session: TrialSession, key: TrialKey) -> None:
            if key.case_id == "c0":
                await others.wait()
            ended.append(key.case_id)
            if len(ended) == 9:
                others.set()

        await _dispatch(prepare(cases=10, concurrency=2), start)

    asyncio.run(run())
    assert ended[-1] == "c0"
    assert len(ended) == 10


def test_a_bug_ends_the_run_and_is_raised_at_its_end(prepare: Prepare) -> None:
    """What has begun ends first; nothing begins any more."""
    ended: list[str] = []

    async def start(_session: TrialSession, key: TrialKey) -> None:
        await asyncio.sleep(0.01)
        if key.case_id == "c0":
            raise ZeroDivisionError("a bug")
        await asyncio.sleep(0.05)
        ended.append(key.case_id)

    with pytest.raises(ZeroDivisionError, match="a bug"):
        asyncio.run(_dispatch(prepare(cases=50, concurrency=2), start))
    assert ended == ["c1"]


def test_trials_that_cannot_be_enumerated_end_the_run_too(prepare: Prepare) -> None:
    """The ones in flight are not left behind."""
    ended: list[str] = []
    prepared = prepare(cases=3)

    def keys() -> Iterator[TrialKey]:
        yield from list(prepared.keys_left())[:2]
        raise OSError("gone")

    async def start(_session: TrialSession, key: TrialKey) -> None:
        await asyncio.sleep(0.02)
        ended.append(key.case_id)

    with pytest.raises(OSError, match="gone"):
        asyncio.run(_dispatch(prepared, start, keys()))
    assert ended == ["c0", "c1"]


def test_a_store_that_fails_stops_the_run(
    make_plan: Callable[..., Plan], execute: Execute, tmp_path: Path
) -> None:
    """Nothing is paid for that could not be kept."""
    prepared = prepare_run(make_plan(cases=2000), store=str(tmp_path / "store"))
    folder = Path(prepared.run.place) / "executions"
    assert not folder.exists()
    folder.write_text("in the way")
    told: list[TrialNote] = []
    with pytest.raises(StoreError, match="executions"):
        execute(prepared, on_result=told.append)
    assert not told, "no trial has returned"
    folder.unlink()
    assert prepared.run.executions(["kind"]).is_empty()


def test_a_cancelled_run_keeps_every_trial_that_has_returned(prepare: Prepare) -> None:
    """And begins no other; going on makes no call twice."""
    calls: list[object] = []
    told: set[str] = set()
    graded: set[str] = set()

    def answer(given: str) -> str:
        calls.append(given)
        return given.upper()

    async def run(prepared: PreparedRun) -> None:
        main = asyncio.current_task()

        def heard(note: TrialNote) -> None:
            told.add(note.key.case_id)
            if note.suite is not None and note.suite.complete:
                graded.add(note.key.case_id)
            if len(told) == 5 and main is not None:
                main.cancel()

        await execute_trials(prepared, _no_host, ResultListener(heard), BackPressure(None))

    prepared = prepare(answer, cases=400, concurrency=1)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run(prepared))
    executed = set(prepared.run.executions()["case_id"])
    assert told <= executed
    assert len(executed) < 400

    again = prepare(answer, cases=400, concurrency=1, run_id=prepared.run.run_id)
    assert again.trials_left() == 400 - len(graded)
    asyncio.run(execute_trials(again, _no_host, ResultListener(), BackPressure(None)))
    assert again.run.executions(["kind"]).height == 400
    assert set(again.grading.grades(["status"])["status"]) == {"completed"}
    assert len(calls) == 400


def test_a_call_that_the_cancellation_meets_is_given_up_on(prepare: Prepare) -> None:
    """A target that never returns keeps nobody from leaving."""
    started, forever = threading.Event(), threading.Event()

    def answer(_given: str) -> str:
        started.set()
        forever.wait(60)
        return "late"

    async def run(prepared: PreparedRun) -> None:
        running = asyncio.create_task(
            execute_trials(prepared, _no_host, ResultListener(), BackPressure(None))
        )
        await asyncio.to_thread(started.wait)
        running.cancel()
        await running

    prepared = prepare(answer, cases=3)
    begun = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run(prepared))
    forever.set()
    assert time.monotonic() - begun < 5
    assert prepared.run.executions(["kind"]).is_empty()
