"""Whether calls are known to be complete."""

from collections.abc import Collection, Sequence

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.trajectory.recording.attempts import effect_of
from assay.evaluators.trajectory.recording.call import Attempt
from assay.evaluators.trajectory.recording.coverage import Coverage, Role
from assay.evaluators.trajectory.recording.gaps import EvidenceGaps
from assay.evaluators.trajectory.recording.model_call import ModelCall
from assay.evaluators.trajectory.recording.tool_run import ToolRun


def require_sufficient(
    coverage: Coverage | None,
    gaps: EvidenceGaps,
    started: Collection[Attempt],
    models: Sequence[ModelCall],
    tools: Sequence[ToolRun],
) -> None:
    """Raise IncompleteRecording unless the calls are exactly those that the host vouches for.

    Every started attempt belongs to a classified effect, every classified effect was started, and
    an effect has one call of its role for each attempt, or none where its role is `other`.
    """
    if gaps:
        msg = "evidence is known to be missing"
        raise IncompleteRecording(msg)
    if coverage is None:
        msg = "nobody declared which external operations there were"
        raise IncompleteRecording(msg)
    calls: list[ModelCall | ToolRun] = [*models, *tools]
    if any(call.outcome == "unobserved" for call in calls):
        msg = "the outcome of a call was not observed"
        raise IncompleteRecording(msg)
    made: dict[Role, set[Attempt]] = {
        "models": {call.attempt for call in models},
        "tools": {call.attempt for call in tools},
        "other": set(),
    }
    _compare(coverage, started, made)


def _compare(
    coverage: Coverage, started: Collection[Attempt], made: dict[Role, set[Attempt]]
) -> None:
    roles = coverage.roles
    wanted: dict[Role, set[Attempt]] = {"models": set(), "tools": set(), "other": set()}
    for attempt in started:
        role = roles.get(effect_of(attempt))
        if role is None:
            msg = "an external operation was started that the coverage does not name"
            raise IncompleteRecording(msg)
        wanted[role].add(attempt)
    if {effect_of(attempt) for attempt in started} != set(roles):
        msg = "the coverage names an external operation that was never started"
        raise IncompleteRecording(msg)
    if any(wanted[role] != made[role] for role in ("models", "tools")):
        msg = "the calls are not those of the operations that the coverage names"
        raise IncompleteRecording(msg)
