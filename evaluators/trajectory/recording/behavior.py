"""What an agent did, reduced to what a replay has to repeat."""

from collections import defaultdict
from collections.abc import Callable

from assay.evaluators.canonical import Json, digest, parse, write
from assay.evaluators.errors import MalformedJson, NotJson
from assay.evaluators.trajectory.invalid_sample import InvalidSample
from assay.evaluators.trajectory.recording.call import ToolRequest, canonical_arguments
from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.model_call import ModelCall
from assay.evaluators.trajectory.recording.payload import (
    EffectFinished,
    EffectResolved,
    EffectStarted,
    ProcessFinished,
    StepFinished,
)
from assay.evaluators.trajectory.recording.semantic_order import in_semantic_order
from assay.evaluators.trajectory.recording.semantic_path import semantic_paths
from assay.evaluators.trajectory.recording.tool_run import ToolRun
from assay.evaluators.trajectory.recording.trajectory import Trajectory

OutputProjection = Callable[[Json], object]
"""Gives the part of a root's output that a replay has to repeat, out of its JSON tree."""

_NOT_BEHAVIOR = frozenset(("agent.delta.dropped", "agent.signal.accepted"))


def behavior_digest(trajectory: Trajectory, project: OutputProjection | None) -> str:
    """The digest of what an agent did; equal for a run and its faithful replay.

    It covers how the run ended, the projected output, every committed and attempted fact in its
    place, the tools that models decided to call, and the tools that were called with what came of
    it. Ids, times, durations, usage, the words of models and messages of failures are left out.

    Args:
        trajectory: With a complete history and sufficient coverage.
        project: Which part of the output counts; has to be given, because no default is right.

    Raises:
        IncompleteRecording: when something could be missing.
        InvalidSample: when there is no projection, or it gives no JSON value.
        InvalidTrajectory: when a child could belong to two tool decisions.
    """
    trajectory.require_history()
    trajectory.require_calls()
    paths = semantic_paths(trajectory)
    tree = {
        "termination": _termination(trajectory),
        "output": _projected(trajectory, project),
        "events": _events(trajectory, paths),
        "models": [
            _model(one, paths) for one in in_semantic_order(trajectory, trajectory.model_calls)
        ],
        "tools": [
            _tool(one, paths) for one in in_semantic_order(trajectory, trajectory.tool_calls)
        ],
    }
    return digest(write(tree))


def _termination(trajectory: Trajectory) -> object:
    end = trajectory.termination
    return None if end is None else [*end.facts, len(end.unresolved_effects)]


def _projected(trajectory: Trajectory, project: OutputProjection | None) -> list[Json]:
    if project is None:
        msg = "consistency: expected a projection of the output"
        raise InvalidSample(msg)
    if trajectory.output is None:
        return []
    try:
        return [parse(write(project(parse(trajectory.output))))]
    except NotJson as error:
        msg = f"consistency: expected the projection to give a JSON value: {error}"
        raise InvalidSample(msg) from error


def _events(trajectory: Trajectory, paths: dict[str, str]) -> list[object]:
    counts: defaultdict[tuple[str, str], int] = defaultdict(int)
    facts: list[tuple[str, str, int, Event]] = []
    for event in trajectory.events:
        if event.name in _NOT_BEHAVIOR:
            continue
        # Counted anew for each phase, because the two interleave by chance.
        counts[event.process_id, event.phase] += 1
        place = counts[event.process_id, event.phase]
        facts.append((paths[event.process_id], event.phase, place, event))
    facts.sort(key=lambda fact: fact[:3])
    return [
        [path, phase, place, event.step_sequence, event.name, _told(event)]
        for path, phase, place, event in facts
    ]


def _told(event: Event) -> list[str | None]:
    match event.payload:
        case ProcessFinished() as end:
            return list(end.facts)
        case StepFinished(step_status=status):
            return [status]
        case EffectStarted(effect_target=target):
            return [target]
        case EffectFinished(effect_target=target, settlement_status=settlement):
            return [target, settlement]
        case EffectResolved(effect_target=target, settlement_status=settlement):
            return [target, settlement]
        case _:
            return []


def _model(call: ModelCall, paths: dict[str, str]) -> object:
    decided = call.response.tool_calls if call.response else ()
    return [
        paths[call.process_id],
        call.step_sequence,
        call.call_sequence,
        call.outcome,
        [[one.name, _arguments(one)] for one in decided],
    ]


def _tool(run: ToolRun, paths: dict[str, str]) -> object:
    result = run.result
    return [
        paths[run.process_id],
        run.step_sequence,
        run.model_call,
        run.index,
        run.call.name,
        _arguments(run.call),
        run.outcome,
        None if result is None else [result.name, result.output, result.is_error],
    ]


def _arguments(request: ToolRequest) -> str:
    try:
        return canonical_arguments(request.arguments)
    except MalformedJson:  # a model may decide to call a tool with what is no JSON
        return request.arguments
