"""The recorder: what it keeps, what it counts as lost, and when a tree is over."""

import asyncio
import itertools
import threading
from collections.abc import Callable
from typing import Any

import pytest

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.trajectory.recording import (
    Event,
    InvalidTrajectory,
    ModelCall,
    ModelResponse,
    ModelSettlement,
    Recorder,
    Relation,
    RootResult,
    ToolResult,
    ToolRun,
    ToolSettlement,
    Trajectory,
    UsageCounters,
    session,
)

Run = Any  # that of this folder's conftest
Weather = Callable[..., Run]


class Host:
    """Plays a run into a recorder.

    Attributes:
        recorder: Its clock adds a second at every look.
        run: What is played.
    """

    def __init__(self, run: Run) -> None:
        ticks = itertools.count(0, 10**9)
        self.recorder = Recorder(clock=lambda: next(ticks))
        self.run = run

    def publish(self, events: list[Event] | None = None) -> None:
        """All events of the run."""
        for event in self.run.events() if events is None else events:
            self.recorder.observe(event)

    @property
    def model(self) -> ModelCall:
        """The beginning of the first model call."""
        return begun(self.run.members["model_calls"][0], "response")

    @property
    def tool(self) -> ToolRun:
        """The beginning of the tool call."""
        return begun(self.run.members["tool_calls"][0], "result")

    def finish(self) -> None:
        """The committed result."""
        members = self.run.members
        result = RootResult(members["termination"], members["root_usage"], members["output"])
        self.recorder.finish("p", result)

    def take(self, coverage: object = None) -> Trajectory:
        """The record, without waiting for long."""

        async def taken() -> Trajectory:
            async with asyncio.timeout(1):
                return await self.recorder.take("p", coverage)  # type: ignore[arg-type]

        return asyncio.run(taken())


def begun(call: Any, member: str) -> Any:  # noqa: ANN401 - of a model or of a tool
    """A call without its end."""
    fields = {name: getattr(call, name) for name in type(call).model_fields}
    return type(call).model_validate({**fields, member: None})


@pytest.fixture
def host(weather: Weather) -> Host:
    """A host of the small run."""
    return Host(weather())


def play(host: Host) -> None:
    """The whole run, everything started and settled."""
    host.publish()
    for call in host.run.members["model_calls"]:
        host.recorder.start_model(begun(call, "response"))
        host.recorder.settle_model(call, ModelSettlement(response=call.response))
    for run in host.run.members["tool_calls"]:
        host.recorder.start_tool(begun(run, "result"))
        host.recorder.settle_tool(run, ToolSettlement(result=run.result))
    host.finish()


def test_a_run_is_recorded_as_it_happened(host: Host) -> None:
    """The record equals the one that was played, its time by the given clock."""
    play(host)
    expected = host.run.build(elapsed_ns=10**9)
    assert host.take(host.run.members["coverage"]) == expected
    assert expected.total_tokens() == 10


def test_a_settlement_that_never_came_is_a_gap(host: Host) -> None:
    """Kernel 12.7 example a: and a late one does not open the session again."""
    host.publish()
    host.recorder.start_model(host.model)
    host.finish()
    record = host.take()
    assert record.gaps.unpaired_calls == 1
    assert [call.outcome for call in record.model_calls] == ["unobserved"]
    assert not record.history_complete
    host.recorder.settle_model(host.model, ModelSettlement(response=ModelResponse()))
    with pytest.raises(IncompleteRecording):
        host.take()


def test_a_settlement_that_contradicts_itself_is_dropped(host: Host) -> None:
    """Kernel 12.7 example b: a result beside evidence changes nothing."""
    host.publish()
    host.recorder.start_tool(host.tool)
    both = ToolSettlement(result=ToolResult(id="call-1", name="weather"), evidence="half")
    host.recorder.settle_tool(host.tool, both)
    host.finish()
    record = host.take()
    assert record.gaps.dropped_call_observations == 1
    assert record.gaps.unpaired_calls == 1
    [run] = record.tool_calls
    assert (run.outcome, run.result, run.evidence) == ("unobserved", None, None)


def test_an_end_without_a_beginning_is_kept_and_unpaired(host: Host) -> None:
    """Kernel 12.7 example c: a late start and a second end are dropped."""
    host.publish()
    done = ToolSettlement(result=ToolResult(id="call-1", name="weather", output="sunny"))
    host.recorder.settle_tool(host.tool, done)
    host.recorder.start_tool(host.tool)
    host.recorder.settle_tool(host.tool, done)
    host.finish()
    record = host.take()
    assert record.gaps.dropped_call_observations == 2
    assert record.gaps.unpaired_calls == 1
    assert [run.outcome for run in record.tool_calls] == ["succeeded"]


@pytest.mark.parametrize(
    ("settlement", "failure"),
    [
        (ModelSettlement(error=ConnectionError("reset")), "ConnectionError: reset"),
        (ModelSettlement(response=None), "the provider gave no response"),
        (ModelSettlement(response={"tokens": 1}), "the provider gave no valid response"),
        (ModelSettlement(error=asyncio.CancelledError()), "CancelledError"),
        (ModelSettlement(error=SystemExit(1)), "SystemExit: 1"),
    ],
)
def test_a_model_call_that_went_wrong_is_unknown_and_kept(
    host: Host, settlement: ModelSettlement, failure: str
) -> None:
    """Kernel 12.7 example d: one call, its request, its failure, the attempt of the events."""
    host.publish()
    host.recorder.start_model(host.model)
    host.recorder.settle_model(host.model, settlement)
    host.finish()
    [call] = host.take().model_calls
    assert call.outcome == "unknown"
    assert call.failure.startswith(failure)
    assert call.request == {"messages": []}
    assert call.attempt_id == f"attempt:{1:032x}"


def test_a_replay_adds_a_call_and_no_reference(host: Host) -> None:
    """Kernel 12.7 example e: the earlier, uncertain attempt is kept."""
    again = {"attempt_id": f"attempt:{9:032x}", "effect_target": "dispatcher"}
    host.run.facts.insert(5, ("agent.effect.started", 1, "model-1", again))
    first, second = host.run.members["model_calls"]
    host.publish()
    fields = {name: getattr(first, name) for name in ModelCall.model_fields}
    replay = ModelCall.model_validate({**fields, "attempt_id": again["attempt_id"]})
    host.recorder.start_model(begun(first, "response"))
    host.recorder.settle_model(first, ModelSettlement(error=TimeoutError()))
    for call in (replay, second):
        host.recorder.start_model(begun(call, "response"))
        host.recorder.settle_model(call, ModelSettlement(response=call.response))
    [run] = host.run.members["tool_calls"]
    host.recorder.start_tool(begun(run, "result"))
    host.recorder.settle_tool(run, ToolSettlement(result=run.result))
    host.finish()
    record = host.take(host.run.members["coverage"])
    assert sorted(call.outcome for call in record.model_calls) == [
        "succeeded",
        "succeeded",
        "unknown",
    ]
    record.require_calls()


def test_an_unknown_call_stays_unknown_when_it_is_resolved(host: Host) -> None:
    """Kernel 12.7 example f: the resolution is an event of its own."""
    told = {"effect_target": "dispatcher", "settlement_status": "succeeded"}
    host.run.facts.insert(5, ("agent.effect.resolved", 1, "model-1", told))
    host.publish()
    host.recorder.start_model(host.model)
    host.recorder.settle_model(host.model, ModelSettlement(error=TimeoutError()))
    host.recorder.settle_model(host.model, ModelSettlement(response=ModelResponse()))
    host.finish()
    record = host.take()
    assert [call.outcome for call in record.model_calls] == ["unknown"]
    assert "agent.effect.resolved" in {event.name for event in record.events}
    assert record.gaps.dropped_call_observations == 1


def test_an_invalid_coverage_takes_nothing(host: Host) -> None:
    """Kernel 12.7 example g: the next take has everything."""
    play(host)
    effect = {"process_id": "p", "effect_id": "model-1"}
    with pytest.raises(InvalidTrajectory):
        host.take({"models": [effect, effect]})
    assert host.take().coverage is None


def test_a_stopped_runtime_leaves_what_was_answered(host: Host) -> None:
    """Kernel 12.7 example h: no termination, no output, the model call is kept."""
    stop = {"failure_kind": "external", "failure_code": "store.lost"}
    host.run.facts[-1] = ("agent.runtime.stopped", None, None, stop)
    host.publish()
    host.recorder.start_model(host.model)
    host.recorder.settle_model(host.model, ModelSettlement(response=ModelResponse()))
    record = host.take()
    assert (record.termination, record.output) == (None, None)
    assert [call.outcome for call in record.model_calls] == ["succeeded"]


def test_only_a_root_that_starts_or_is_restored_opens_a_session(host: Host) -> None:
    """Kernel 12.7: events of unknown trees are ignored, and so are calls."""
    host.publish(host.run.events()[1:])
    host.recorder.start_model(host.model)
    with pytest.raises(IncompleteRecording, match="no root"):
        host.take()


def test_a_restore_leaves_the_time_unknown(host: Host) -> None:
    """Kernel 12.7: nobody saw the beginning."""
    host.run.facts[0] = ("agent.process.restored", None, None, {})
    host.publish()
    host.finish()
    assert host.take().elapsed_ns is None


def test_a_wait_that_is_given_up_keeps_the_session(host: Host) -> None:
    """Kernel 12.7: a caller's time limit loses nothing; the end wakes the one who waits."""
    events = host.run.events()
    host.publish(events[:-1])

    async def given_up_then_taken() -> Trajectory:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await host.recorder.take("p")
        waiting = asyncio.create_task(host.recorder.take("p"))
        await asyncio.sleep(0)
        thread = threading.Thread(target=lambda: (host.publish(events[-1:]), host.finish()))
        thread.start()
        async with asyncio.timeout(5):
            record = await waiting
        thread.join()
        return record

    assert asyncio.run(given_up_then_taken()).termination is not None


def test_a_tree_is_taken_when_its_children_have_ended_too(host: Host, bare: Run) -> None:
    """Kernel 12.7: the root's result alone is not the end of the tree."""
    child = Relation(
        process_id="c", root_process_id="p", parent_process_id="p", child_key="k", depth=1
    )
    host.publish()
    events = bare.events(child)
    host.publish(events[:-1])
    host.finish()
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(host.recorder.take("p"), 0.01))
    host.publish(events[-1:])
    assert host.take().paths == {"p": "root", "c": "root/k"}


def test_a_discarded_tree_is_gone(host: Host) -> None:
    """Kernel 12.7: what still comes of it is ignored."""
    host.publish()
    host.recorder.discard("p")
    host.finish()
    with pytest.raises(IncompleteRecording):
        host.take()


def test_beyond_its_bounds_it_counts_and_never_raises(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kernel 12.7: dropped events and calls; the end is seen all the same."""
    monkeypatch.setattr(session, "MOST_EVENTS", 4)
    monkeypatch.setattr(session, "MOST_CALLS", 1)
    play(host)
    record = host.take()
    assert len(record.events) == 4
    assert record.gaps.dropped_events == len(host.run.facts) - 4
    assert len(record.model_calls) + len(record.tool_calls) == 1
    # The second model call and the tool call: beginning and end of each.
    assert record.gaps.dropped_call_observations == 4


def test_it_keeps_64_trees(host: Host) -> None:
    """Kernel 12.7: the next one is not recorded, the others are."""
    for number in range(65):
        name = f"root-{number}"
        started = {
            "process_sequence": 1,
            "process_id": name,
            "relation": Relation(process_id=name, root_process_id=name),
            "name": "agent.process.started",
        }
        host.recorder.observe(Event.model_validate(started))

    async def take(name: str) -> None:
        await asyncio.wait_for(host.recorder.take(name), 0.01)

    with pytest.raises(TimeoutError):
        asyncio.run(take("root-63"))
    with pytest.raises(IncompleteRecording):
        asyncio.run(take("root-64"))


def test_many_threads_lose_nothing(bare: Run) -> None:
    """The recorder is called from wherever effects run."""
    recorder = Recorder(clock=lambda: 0)
    relations = [Relation(process_id=f"p{n}", root_process_id=f"p{n}") for n in range(8)]

    def run(relation: Relation) -> None:
        for event in bare.events(relation):
            recorder.observe(event)
        members = bare.members
        result = RootResult(members["termination"], members["root_usage"], members["output"])
        recorder.finish(relation.process_id, result)

    threads = [threading.Thread(target=run, args=(relation,)) for relation in relations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    records = [asyncio.run(recorder.take(one.process_id)) for one in relations]
    assert all(record.history_complete for record in records)
    assert records[0].root_usage != UsageCounters()
