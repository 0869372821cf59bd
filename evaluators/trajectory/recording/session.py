"""What a recorder holds of one process tree."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from assay.evaluators.errors import AssayError, describe
from assay.evaluators.trajectory.recording.call import Attempt
from assay.evaluators.trajectory.recording.coverage import Coverage
from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.gaps import EvidenceGaps
from assay.evaluators.trajectory.recording.model_call import ModelCall, ModelResponse
from assay.evaluators.trajectory.recording.termination import Termination
from assay.evaluators.trajectory.recording.tool_run import ToolResult, ToolRun
from assay.evaluators.trajectory.recording.trajectory import Trajectory
from assay.evaluators.trajectory.recording.usage_counters import UsageCounters

C = TypeVar("C", ModelCall, ToolRun)

MOST_EVENTS = 65_536
MOST_CALLS = 8_192
_ENDS = ("agent.process.finished", "agent.runtime.stopped")


@dataclass(frozen=True, slots=True)
class RootResult:
    """The committed result of a root process, as the host got it.

    Attributes:
        termination: How it ended.
        usage: What it counted.
        output: JSON text, present if and only if it completed.
    """

    termination: Termination
    usage: UsageCounters = field(default_factory=UsageCounters)
    output: str | None = None


@dataclass(frozen=True, slots=True)
class ModelSettlement:
    """How a model call ended: with a response, or with what went wrong instead.

    A response that is None or malformed leaves the outcome unknown, as an error does: the provider
    may have done its work.

    Attributes:
        response: What came back.
        error: What was raised, a cancellation included, or None.
    """

    response: object = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class ToolSettlement:
    """How a tool call ended; fields as those of `ToolRun`, one outcome set."""

    result: ToolResult | None = None
    input_required: bool = False
    unknown: bool = False
    evidence: object = None
    failure: str = ""


@dataclass(slots=True)
class Session:
    """A process tree under recording; every method runs under the recorder's lock.

    Attributes:
        clock: Monotonic nanoseconds.
        events: Those that were kept.
        gaps: What was lost.
        models: By attempt.
        tools: By attempt.
        result: The committed result, once the host has told it.
    """

    clock: Callable[[], int]
    events: list[Event] = field(default_factory=list)
    gaps: EvidenceGaps = field(default_factory=EvidenceGaps)
    models: dict[Attempt, ModelCall] = field(default_factory=dict)
    tools: dict[Attempt, ToolRun] = field(default_factory=dict)
    result: RootResult | None = None
    _unstarted: set[Attempt] = field(default_factory=set)
    _seen: set[str] = field(default_factory=set)
    _ended: set[str] = field(default_factory=set)
    _stopped: bool = False
    _started_ns: int | None = None
    _elapsed_ns: int | None = None

    def observe(self, event: Event) -> None:
        """Keep an event, or count it as dropped; its meaning for the session stays either way."""
        self._follow(event)
        if len(self.events) < MOST_EVENTS:
            self.events.append(event)
        else:
            self.gaps = self.gaps.plus(dropped_events=1)

    def _follow(self, event: Event) -> None:
        self._seen.add(event.process_id)
        if event.name in _ENDS:
            self._ended.add(event.process_id)
        elif event.name == "agent.process.restored":
            self._ended.discard(event.process_id)
        if event.relation.depth == 0:
            self._follow_root(event.name)

    def _follow_root(self, name: str) -> None:
        if name == "agent.process.started":
            self._started_ns = self.clock()
        elif name == "agent.process.restored":
            self._started_ns, self._stopped = None, False
        elif name == "agent.runtime.stopped":
            self._stopped = True
        elif name == "agent.process.finished" and self._started_ns is not None:
            self._elapsed_ns = max(0, self.clock() - self._started_ns)

    @property
    def over(self) -> bool:
        """True once every process has ended, and the root's result is known or will never be."""
        return self._seen <= self._ended and (self.result is not None or self._stopped)

    def _lose(self) -> None:
        self.gaps = self.gaps.plus(dropped_call_observations=1)

    @property
    def _full(self) -> bool:
        return len(self.models) + len(self.tools) >= MOST_CALLS

    def start_model(self, call: ModelCall) -> None:
        """Keep the beginning of a model call; a second one of the attempt is dropped."""
        if call.attempt in self.models or self._full or call.outcome != "unobserved":
            self._lose()
            return
        self.models[call.attempt] = call

    def settle_model(self, attempt: Attempt, settlement: ModelSettlement) -> None:
        """Keep how a started and unsettled model call ended; anything else is dropped."""
        call = self.models.get(attempt)
        contradicts = settlement.response is not None and settlement.error is not None
        if call is None or call.outcome != "unobserved" or contradicts:
            self._lose()
            return
        self.models[attempt] = _with(call, _settled(settlement))

    def start_tool(self, run: ToolRun) -> None:
        """Keep the beginning of a tool call; one that is late or doubled is dropped."""
        if run.attempt in self.tools or self._full or run.outcome != "unobserved":
            self._lose()
            return
        self.tools[run.attempt] = run

    def settle_tool(self, run: ToolRun, settlement: ToolSettlement) -> None:
        """Keep how a tool call ended, also without its start; a second time it is dropped."""
        known = self.tools.get(run.attempt)
        if (known is None and self._full) or (known or run).outcome != "unobserved":
            self._lose()
            return
        members = {name: getattr(settlement, name) for name in ToolSettlement.__slots__}
        try:
            settled = _with(known or run, members)
        except AssayError:
            self._lose()
            return
        if settled.outcome == "unobserved":
            self._lose()
            return
        if known is None:
            self._unstarted.add(run.attempt)
        self.tools[run.attempt] = settled

    def record(self, root: str, coverage: Coverage | None) -> Trajectory:
        """The record of what was kept; raises as `Trajectory`."""
        models, tools = list(self.models.values()), list(self.tools.values())
        if self.gaps.dropped_events:
            known = {event.process_id for event in self.events}
            models = [call for call in models if call.process_id in known]
            tools = [run for run in tools if run.process_id in known]
        calls: list[ModelCall | ToolRun] = [*models, *tools]
        unpaired = sum(
            call.outcome == "unobserved" or call.attempt in self._unstarted for call in calls
        )
        result = None if self._stopped else self.result
        return Trajectory(
            root_process_id=root,
            events=tuple(self.events),
            termination=result.termination if result else None,
            output=result.output if result else None,
            root_usage=result.usage if result else UsageCounters(),
            coverage=coverage,
            gaps=self.gaps.plus(unpaired_calls=unpaired),
            elapsed_ns=self._elapsed_ns,
            model_calls=tuple(models),
            tool_calls=tuple(tools),
        )


def _with(call: C, members: Mapping[str, object]) -> C:
    fields = {name: getattr(call, name) for name in type(call).model_fields}
    return type(call).model_validate({**fields, **members})


def _settled(settlement: ModelSettlement) -> dict[str, object]:
    if settlement.error is not None:
        return {"unknown": True, "failure": describe(settlement.error).strip()}
    if settlement.response is None:
        return {"unknown": True, "failure": "the provider gave no response"}
    try:
        return {"response": ModelResponse.model_validate(settlement.response)}
    except AssayError as error:
        return {"unknown": True, "failure": f"the provider gave no valid response: {error}".strip()}
