"""Whether the events of a record fit together."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.payload import ProcessFinished
from assay.evaluators.trajectory.recording.termination import Termination
from assay.evaluators.trajectory.recording.usage_counters import UsageCounters


def check_sequences(events: Sequence[Event], *, dropped: int) -> None:
    """Raise InvalidTrajectory for a place taken twice, or more missing than were dropped.

    Places count from 1 in each process and incarnation, so that missing first ones count too.
    """
    places: defaultdict[tuple[str, str | None], list[int]] = defaultdict(list)
    for event in events:
        places[event.process_id, event.tree_incarnation_id].append(event.process_sequence)
    if any(len(set(taken)) != len(taken) for taken in places.values()):
        msg = "events: expected each process sequence once in an incarnation"
        raise InvalidTrajectory(msg)
    missing = sum(max(taken) - len(taken) for taken in places.values())
    if missing > dropped:
        msg = f"events: expected at most {dropped} missing process sequences, got {missing}"
        raise InvalidTrajectory(msg)


def check_endings(
    events: Sequence[Event],
    root: str,
    termination: Termination | None,
    usage: UsageCounters,
    *,
    dropped: int,
) -> None:
    """Raise unless the ends that the events tell of fit the result of the record.

    Raises:
        InvalidTrajectory: for a process that finished twice, or a root whose end is told twice.
        IncompleteRecording: for a process whose end nobody saw although no event was dropped.
    """
    finished = finished_of(events)
    if termination is None:
        _check_open(events, root, finished, usage, dropped=dropped)
    else:
        _check_root(finished.get(root), termination, usage, dropped=dropped)
    stopped = {one.process_id for one in events if one.name == "agent.runtime.stopped"}
    open_ended = {one.process_id for one in events} - stopped - set(finished)
    if open_ended and not dropped:
        msg = f"{len(open_ended)} processes have neither finished nor stopped"
        raise IncompleteRecording(msg)


def finished_of(events: Sequence[Event]) -> dict[str, ProcessFinished]:
    """How each process finished; raises InvalidTrajectory for one that did so twice."""
    ends = [
        (event.process_id, event.payload)
        for event in events
        if isinstance(event.payload, ProcessFinished)
    ]
    if any(count > 1 for count in Counter(process for process, _ in ends).values()):
        msg = "events: expected a process to finish once"
        raise InvalidTrajectory(msg)
    return dict(ends)


def _check_root(
    end: ProcessFinished | None, termination: Termination, usage: UsageCounters, *, dropped: int
) -> None:
    if end is None:
        if not dropped:
            msg = "events: expected the root of a terminated run to finish"
            raise InvalidTrajectory(msg)
        return
    if end.facts != termination.facts or end.usage != usage:
        msg = "events: expected the root to finish as the record says"
        raise InvalidTrajectory(msg)


def _check_open(
    events: Sequence[Event],
    root: str,
    finished: dict[str, ProcessFinished],
    usage: UsageCounters,
    *,
    dropped: int,
) -> None:
    if root in finished or usage != UsageCounters():
        msg = "trajectory: expected a termination beside a root that finished"
        raise InvalidTrajectory(msg)
    stopped = any(one.name == "agent.runtime.stopped" and one.process_id == root for one in events)
    if not stopped and not dropped:
        msg = "events: expected the runtime to have stopped where there is no termination"
        raise InvalidTrajectory(msg)
