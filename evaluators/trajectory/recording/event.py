"""One fact about a process, as the runtime published it."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import Field, SkipValidation, model_validator
from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.recording import payload as payloads
from assay.evaluators.trajectory.recording.identity import IncarnationId, Name, Sequence
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.payload import Payload
from assay.evaluators.trajectory.recording.relation import Relation

Phase = Literal["committed", "attempt"]
"""Whether a fact is settled, or only something that was tried."""

Scope = Literal["process", "step", "effect"]
"""What a fact is about."""


class Kind(NamedTuple):
    """What the name of an event fixes."""

    phase: Phase
    scope: Scope
    payload: type[Payload]


KINDS: dict[str, Kind] = {
    "agent.process.started": Kind("committed", "process", payloads.Nothing),
    "agent.process.restored": Kind("committed", "process", payloads.Nothing),
    "agent.process.paused": Kind("committed", "process", payloads.Nothing),
    "agent.process.resumed": Kind("committed", "process", payloads.Nothing),
    "agent.process.finished": Kind("committed", "process", payloads.ProcessFinished),
    "agent.runtime.stopped": Kind("attempt", "process", payloads.RuntimeStopped),
    "agent.signal.accepted": Kind("committed", "process", payloads.SignalAccepted),
    "agent.step.started": Kind("attempt", "step", payloads.Nothing),
    "agent.step.prepared": Kind("attempt", "step", payloads.Nothing),
    "agent.step.finished": Kind("attempt", "step", payloads.StepFinished),
    "agent.step.committed": Kind("committed", "step", payloads.StepCommitted),
    "agent.effect.started": Kind("attempt", "effect", payloads.EffectStarted),
    "agent.effect.finished": Kind("attempt", "effect", payloads.EffectFinished),
    "agent.effect.resolved": Kind("committed", "effect", payloads.EffectResolved),
    "agent.delta.dropped": Kind("attempt", "effect", payloads.DeltaDropped),
}
"""Every event by its name; there are no others."""


class Event(Record):
    """A published fact.

    Attributes:
        process_sequence: Its place among the facts of the process in this incarnation.
        process_id: Whose fact it is; that of the relation.
        relation: Where the process stands.
        name: One of `KINDS`.
        payload: Of the class that the name fixes; a mapping is read as one.
        phase: Fixed by the name, and filled in where it is left out.
        deployment_ref: Which version of the agent ran.
        occurred_at: ISO 8601 with an offset; the order of events never depends on it.
        tree_incarnation_id: The activation of the tree, where it is known.
        step_sequence: For facts about a step or an effect, and only for them.
        effect_id: For facts about an effect, and only for them.

    Raises:
        InvalidTrajectory: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    process_sequence: Sequence
    process_id: Name
    relation: Relation
    name: str
    # The class is fixed by the name, and read by it below.
    payload: SkipValidation[Payload] = Field(default_factory=payloads.Nothing)
    phase: Phase = "committed"
    deployment_ref: str = ""
    occurred_at: str = ""
    tree_incarnation_id: IncarnationId | None = None
    step_sequence: Sequence | None = None
    effect_id: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_by_name(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        kind = KINDS.get(str(data.get("name")))
        if kind is None:
            raise cls.refuse(
                f"event.name: expected a known event, got {str(data.get('name'))[:60]!r}"
            )
        given = data.get("payload", {})
        known = given if isinstance(given, kind.payload) else kind.payload.model_validate(given)
        return {"phase": kind.phase, **data, "payload": known}

    @model_validator(mode="after")
    def _check(self) -> Self:
        kind = KINDS[self.name]
        if self.phase != kind.phase:
            raise self.refuse(f"event.phase: expected {kind.phase} for {self.name}")
        if self.process_id != self.relation.process_id:
            raise self.refuse("event.relation: expected the process of the event")
        has = (self.step_sequence is not None, self.effect_id is not None)
        if (
            has
            != {"process": (False, False), "step": (True, False), "effect": (True, True)}[
                kind.scope
            ]
        ):
            raise self.refuse(f"event: expected exactly the ids of a fact about a {kind.scope}")
        self._check_time()
        return self

    def _check_time(self) -> None:
        if not self.occurred_at:
            return
        try:
            known = datetime.fromisoformat(self.occurred_at).utcoffset() is not None
        except ValueError:
            known = False
        if not known:
            raise self.refuse("event.occurred_at: expected an ISO 8601 time with an offset")

    @override
    def wire(self) -> object:
        """The JSON form; members that are absent are left out."""
        members = {name: getattr(self, name) for name in type(self).model_fields}
        tree = {name: value for name, value in members.items() if value is not None}
        return {**tree, "payload": self.payload.model_dump(exclude_none=True)}
