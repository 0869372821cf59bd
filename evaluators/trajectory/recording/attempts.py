"""The tries of external operations that the events tell of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from assay.evaluators.trajectory.recording.call import Attempt, Call
from assay.evaluators.trajectory.recording.coverage import EffectRef
from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.payload import EffectStarted


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of an attempt.

    Attributes:
        step: The step that asked for it.
        place: The process sequence of the event, which is the order of dispatch in a process.
    """

    step: int
    place: int


@dataclass(frozen=True, slots=True)
class Attempts:
    """Every dispatcher attempt that was started, by its identity."""

    started: dict[Attempt, Start]

    @classmethod
    def of(cls, events: Iterable[Event]) -> Self:
        """The attempts that the events tell of.

        Raises:
            InvalidTrajectory: when an attempt starts twice, or its id belongs to two identities.
        """
        started: dict[Attempt, Start] = {}
        owners: dict[str, Attempt] = {}
        for event in events:
            payload = event.payload
            if not isinstance(payload, EffectStarted) or payload.effect_target != "dispatcher":
                continue
            attempt = attempt_of(event, payload)
            if owners.setdefault(payload.attempt_id, attempt) != attempt or attempt in started:
                msg = "events: expected each attempt to start once, under one identity"
                raise InvalidTrajectory(msg)
            started[attempt] = Start(event.step_sequence or 0, event.process_sequence)
        return cls(started)

    def check(self, calls: Iterable[Call], *, events_dropped: bool) -> None:
        """Raise InvalidTrajectory unless each call has an attempt of its own.

        Args:
            calls: Of models and tools together.
            events_dropped: An attempt may then be missing, but not contradict the call.
        """
        owners: dict[str, Attempt] = {one.attempt_id: one for one in self.started}
        seen: set[Attempt] = set()
        for call in calls:
            attempt = call.attempt
            if attempt in seen:
                msg = "calls: expected one call for each attempt"
                raise InvalidTrajectory(msg)
            seen.add(attempt)
            if owners.setdefault(attempt.attempt_id, attempt) != attempt:
                msg = "calls: expected an attempt id under one identity"
                raise InvalidTrajectory(msg)
            self._check_step(call, events_dropped=events_dropped)

    def _check_step(self, call: Call, *, events_dropped: bool) -> None:
        start = self.started.get(call.attempt)
        if start is None and not events_dropped:
            msg = "calls: expected each call to have an attempt that was started"
            raise InvalidTrajectory(msg)
        if start is not None and start.step != call.step_sequence:
            msg = "calls: expected the step of the attempt"
            raise InvalidTrajectory(msg)


def attempt_of(event: Event, payload: EffectStarted) -> Attempt:
    """The identity of an attempt that an event started."""
    return Attempt(
        event.process_id,
        event.tree_incarnation_id,
        event.effect_id or "",
        payload.attempt_id,
    )


def effect_of(attempt: Attempt) -> EffectRef:
    """The logical effect of an attempt."""
    return EffectRef(
        process_id=attempt.process_id,
        effect_id=attempt.effect_id,
        tree_incarnation_id=attempt.tree_incarnation_id,
    )
