"""The place of a process, free of ids that a provider made up."""

from collections import defaultdict
from collections.abc import Mapping

from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.process_tree import ROOT, relations_of
from assay.evaluators.trajectory.recording.relation import Relation
from assay.evaluators.trajectory.recording.trajectory import Trajectory

INTERACTIONS = ("tool", "delegate")
"""A child key `tool:<call id>` or `delegate:<call id>` says that a decision started the child."""

Decision = tuple[int, int]


def semantic_paths(trajectory: Trajectory) -> dict[str, str]:
    """The semantic path of every process.

    A child that was started for a recorded tool decision of its parent gets the segment
    `@interaction/<tool|delegate>/<call sequence, 20 digits>/<index, 10 digits>` instead of its key,
    which may hold the provider's call id; other keys stay.

    Raises:
        InvalidTrajectory: when a key fits two decisions, or two processes share a path.
    """
    relations = relations_of(trajectory.events, trajectory.root_process_id)
    decisions = _decisions(trajectory)
    paths: dict[str, str] = {}
    for relation in sorted(relations.values(), key=lambda one: one.depth):
        parent = relation.parent_process_id
        paths[relation.process_id] = (
            ROOT if parent is None else f"{paths[parent]}/{_segment(relation, decisions)}"
        )
    if len(set(paths.values())) != len(paths):
        msg = "processes: expected one process for each tool decision"
        raise InvalidTrajectory(msg)
    return paths


def _decisions(trajectory: Trajectory) -> Mapping[tuple[str, str], set[Decision]]:
    """By process and call id, which call of which response decided it."""
    found: defaultdict[tuple[str, str], set[Decision]] = defaultdict(set)
    for call in trajectory.model_calls:
        for index, request in enumerate(call.response.tool_calls if call.response else ()):
            found[call.process_id, request.id].add((call.call_sequence, index))
    return found


def _segment(relation: Relation, decisions: Mapping[tuple[str, str], set[Decision]]) -> str:
    key, parent = relation.child_key or "", relation.parent_process_id or ""
    kind, _, call_id = key.partition(":")
    found = decisions.get((parent, call_id), set()) if kind in INTERACTIONS else set()
    if not found:
        return key
    if len(found) > 1:
        msg = "processes: expected a child key that fits one tool decision"
        raise InvalidTrajectory(msg)
    [(sequence, index)] = found
    return f"@interaction/{kind}/{sequence:020}/{index:010}"
