"""The callback of a run: called in order, one at a time, and harmless."""

import asyncio
from collections.abc import Callable

import pytest

from assay.tasks.prepared_run import PreparedRun
from assay.tasks.result_listener import ResultListener
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import TrialNote

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]

NOTE = TrialNote(TrialKey("c", 0))


def test_each_trial_that_has_ended_is_told_once(prepare: Prepare, execute: Execute) -> None:
    """With what it came to."""

    def answer(given: str) -> str:
        if given == "q1":
            raise ValueError("broken")
        return given.upper()

    notes: list[TrialNote] = []
    execute(prepare(answer, cases=3), on_result=notes.append)
    by_case = {note.key.case_id: note for note in notes}
    assert len(notes) == 3
    assert (by_case["c1"].executed, by_case["c1"].error_class) == (False, "internal")
    assert by_case["c1"].suite is None
    suite = by_case["c0"].suite
    assert by_case["c0"].executed
    assert suite is not None
    assert suite.verdict == "pass"


def test_calls_come_one_at_a_time_in_the_order_of_the_ends() -> None:
    """A callback that writes a file needs no lock of its own."""
    told: list[int] = []
    inside = 0

    async def slow(note: TrialNote) -> None:
        nonlocal inside
        inside += 1
        assert inside == 1
        await asyncio.sleep(0.01)
        inside -= 1
        told.append(note.key.repeat)

    async def run() -> ResultListener:
        listener = ResultListener(slow)
        notes = [TrialNote(TrialKey("c", repeat)) for repeat in range(5)]
        await asyncio.gather(*(listener.tell(note) for note in notes))
        return listener

    assert asyncio.run(run()).error is None
    assert told == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("error", [ValueError("mine"), SystemExit(3), asyncio.CancelledError()])
def test_what_it_raises_first_is_kept_and_it_is_called_further(error: BaseException) -> None:
    """Neither the trial nor the report may suffer from it."""
    calls: list[TrialNote] = []

    def broken(note: TrialNote) -> None:
        calls.append(note)
        raise error if len(calls) == 1 else ValueError("another")

    async def run() -> ResultListener:
        listener = ResultListener(broken)
        await listener.tell(NOTE)
        await listener.tell(NOTE)
        return listener

    assert asyncio.run(run()).error is error
    assert len(calls) == 2


def test_a_cancellation_from_outside_goes_through() -> None:
    """Only a callback's own errors are contained."""

    async def forever(_note: TrialNote) -> None:
        await asyncio.Event().wait()

    async def run() -> None:
        running = asyncio.create_task(ResultListener(forever).tell(NOTE))
        await asyncio.sleep(0)
        running.cancel()
        await running

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())


def test_what_it_returns_does_not_matter() -> None:
    """`list.append` and a counter's update are callbacks as well."""
    listener = ResultListener(lambda _note: 7)  # type: ignore[arg-type, return-value]
    asyncio.run(listener.tell(NOTE))
    assert listener.error is None


def test_an_error_of_it_loses_no_trial(prepare: Prepare, execute: Execute) -> None:
    """The run goes on to its end."""

    def broken(_note: TrialNote) -> None:
        raise ValueError("mine")

    prepared = prepare(cases=4)
    assert execute(prepared, on_result=broken).ended == 4
    assert prepared.grading.grades(["status"]).height == 4
