"""The recorded run of an agent: a root process, what it started, and what it called."""

from functools import cached_property
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, canonicalize, decode, parse, write
from assay.evaluators.errors import AssayError, IncompleteRecording, MalformedJson
from assay.evaluators.record import Items, Record, kind_of
from assay.evaluators.trajectory.recording.attempts import Attempts
from assay.evaluators.trajectory.recording.coverage import Coverage
from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.gaps import EvidenceGaps
from assay.evaluators.trajectory.recording.history import (
    check_endings,
    check_sequences,
    finished_of,
)
from assay.evaluators.trajectory.recording.identity import INT64_MAX, Name
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.model_call import ModelCall
from assay.evaluators.trajectory.recording.process_tree import paths_of, relations_of
from assay.evaluators.trajectory.recording.sufficiency import require_sufficient
from assay.evaluators.trajectory.recording.termination import Termination
from assay.evaluators.trajectory.recording.tool_run import ToolRun
from assay.evaluators.trajectory.recording.usage_counters import UsageCounters

_OPTIONAL = ("termination", "coverage", "elapsed_ns")


class Trajectory(Record):
    """What was recorded of one run, in canonical order, free of contradictions.

    It may still be incomplete: every question asks for the evidence that it needs, and raises
    `IncompleteRecording` where that is missing. Wall-clock times never matter.

    Attributes:
        root_process_id: The root of the process tree.
        events: At least one.
        termination: How the root ended; None where there is no committed result.
        output: JSON text of the root's output, present if and only if it completed; `null` is an
            output. Kept in canonical spelling.
        root_usage: What the root counted; all zero without a termination.
        coverage: The host's classification of external operations; None where nobody made one.
        gaps: What is known to be missing.
        elapsed_ns: Wall nanoseconds from the root's start to its end, or None.
        model_calls: One for each attempt.
        tool_calls: One for each attempt.

    Raises:
        InvalidTrajectory: when the evidence contradicts itself.
        IncompleteRecording: when a process has no end although no event was dropped.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    root_process_id: Name
    events: Items[Event]
    termination: Termination | None = None
    output: str | None = None
    root_usage: UsageCounters = UsageCounters()
    coverage: Coverage | None = None
    gaps: EvidenceGaps = EvidenceGaps()
    elapsed_ns: Annotated[int, Field(ge=0)] | None = None
    model_calls: Items[ModelCall] = ()
    tool_calls: Items[ToolRun] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.events:
            raise self.refuse("events: expected at least one")
        self._check_output()
        self._check_calls_are_of_known_processes()
        self._sort()
        dropped = self.gaps.dropped_events
        check_sequences(self.events, dropped=dropped)
        check_endings(
            self.events, self.root_process_id, self.termination, self.root_usage, dropped=dropped
        )
        self.attempts.check((*self.model_calls, *self.tool_calls), events_dropped=dropped > 0)
        unobserved = sum(call.outcome == "unobserved" for call in self.calls)
        if unobserved > self.gaps.unpaired_calls:
            raise self.refuse("calls: expected as many unpaired calls as are unobserved")
        return self

    def _check_output(self) -> None:
        completed = self.termination is not None and self.termination.process_status == "completed"
        if completed != (self.output is not None):
            raise self.refuse("output: expected one of a completed run, and of no other")
        if self.output is None:
            return
        try:
            object.__setattr__(self, "output", canonicalize(self.output))
        except MalformedJson as error:
            raise self.refuse(f"output: {error}") from error

    def _check_calls_are_of_known_processes(self) -> None:
        if any(call.process_id not in self.paths for call in self.calls):
            raise self.refuse("calls: expected processes that the events tell of")

    def _sort(self) -> None:
        paths = self.paths
        events = sorted(
            self.events,
            key=lambda one: (
                paths[one.process_id],
                one.tree_incarnation_id or "",
                one.process_sequence,
            ),
        )
        models = sorted(
            self.model_calls,
            key=lambda one: (
                paths[one.process_id],
                one.tree_incarnation_id,
                one.step_sequence,
                one.call_sequence,
                one.attempt_id,
            ),
        )
        tools = sorted(
            self.tool_calls,
            key=lambda one: (
                paths[one.process_id],
                one.tree_incarnation_id,
                one.step_sequence,
                one.model_call,
                one.index,
                one.attempt_id,
            ),
        )
        for name, ordered in (("events", events), ("model_calls", models), ("tool_calls", tools)):
            object.__setattr__(self, name, tuple(ordered))

    @property
    def calls(self) -> tuple[ModelCall | ToolRun, ...]:
        """Model calls, then tool calls."""
        return (*self.model_calls, *self.tool_calls)

    @cached_property
    def paths(self) -> dict[str, str]:
        """The path of every process that the events tell of."""
        return paths_of(relations_of(self.events, self.root_process_id))

    @cached_property
    def attempts(self) -> Attempts:
        """The dispatcher attempts that the events tell of."""
        return Attempts.of(self.events)

    @cached_property
    def history_complete(self) -> bool:
        """True if nothing is known to be missing and one activation ran from start to end."""
        interrupted = {"agent.process.restored", "agent.runtime.stopped"}
        return not self.gaps and all(
            event.name not in interrupted
            and (event.process_sequence > 1 or event.name == "agent.process.started")
            for event in self.events
        )

    def require_history(self) -> None:
        """Raise IncompleteRecording unless the history is complete."""
        if not self.history_complete:
            msg = "the history of the run is not complete"
            raise IncompleteRecording(msg)

    def require_calls(self) -> None:
        """Raise IncompleteRecording unless every external operation was classified and observed."""
        require_sufficient(
            self.coverage,
            self.gaps,
            self.attempts.started,
            self.model_calls,
            self.tool_calls,
        )

    def tree_usage(self) -> UsageCounters:
        """The counts of all processes together.

        Raises:
            IncompleteRecording: when the history is not complete.
            InvalidTrajectory: when a sum does not fit 64 bits.
        """
        self.require_history()
        total = UsageCounters()
        for end in finished_of(self.events).values():
            total = total.plus(end.usage)
        return total

    def total_tokens(self) -> int:
        """Input and output tokens of every model call; 0 for a run that provably made none.

        Raises:
            IncompleteRecording: when a call could be missing, or one has no usage: an unknown
                outcome has no provable cost.
            InvalidTrajectory: when the sum does not fit 63 bits.
        """
        self.require_history()
        self.require_calls()
        total = sum(_tokens(call) for call in self.model_calls)
        if total > INT64_MAX:
            raise self.refuse("tokens: expected a sum that 63 bits hold")
        return total

    @override
    def wire(self) -> Json:
        """The JSON form; absent and empty members are left out, a null output is written."""
        tree: dict[str, object] = {
            "root_process_id": self.root_process_id,
            "root_usage": self.root_usage,
            "events": list(self.events),
        }
        tree |= {name: getattr(self, name) for name in _OPTIONAL if getattr(self, name) is not None}
        if self.output is not None:
            tree["output"] = parse(self.output)
        if self.gaps:
            tree["gaps"] = self.gaps
        for name, calls in (("model_calls", self.model_calls), ("tool_calls", self.tool_calls)):
            if calls:
                tree[name] = list(calls)
        if self.termination is not None:
            tree["termination"] = self.termination.model_dump(exclude_none=True)
        return parse(write(tree))

    def encode(self) -> str:
        """The canonical JSON text; `Trajectory.decode` reads it back to an equal record."""
        return write(self.wire())

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The record that a JSON text spells; raises as the constructor."""
        return cls.from_wire(cls.tree_of(text))

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The record that a parsed JSON object spells; raises as the constructor."""
        if not isinstance(tree, dict):
            raise cls.refuse(f"trajectory: expected a JSON object, got {kind_of(tree)}")
        members = {name: decode(write(one)) for name, one in tree.items()}
        if "output" in tree:
            members["output"] = write(tree["output"])  # numbers keep their spelling
        return cls.model_validate(members)


def _tokens(call: ModelCall) -> int:
    if call.response is None or call.response.usage is None:
        msg = "a model call has no usage"
        raise IncompleteRecording(msg)
    return call.response.usage.input_tokens + call.response.usage.output_tokens
