"""Where every process stands under its root, as a path of child keys."""

from collections.abc import Iterable, Mapping

from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.relation import Relation

ROOT = "root"


def relations_of(events: Iterable[Event], root: str) -> dict[str, Relation]:
    """The one relation of every process.

    Raises:
        InvalidTrajectory: when a process has two, or belongs to another root.
    """
    found: dict[str, Relation] = {}
    for event in events:
        relation = event.relation
        if relation.root_process_id != root:
            msg = "events: expected processes of the record's own root"
            raise InvalidTrajectory(msg)
        if found.setdefault(relation.process_id, relation) != relation:
            msg = "events: expected one relation of each process"
            raise InvalidTrajectory(msg)
    return found


def paths_of(relations: Mapping[str, Relation]) -> dict[str, str]:
    """The path of every process: `root`, then the child keys down to it, joined by slashes.

    Raises:
        InvalidTrajectory: when the relations are no single tree, or two processes share a path.
    """
    paths: dict[str, str] = {}
    for relation in sorted(relations.values(), key=lambda one: one.depth):
        parent = relation.parent_process_id
        if parent is None:
            paths[relation.process_id] = ROOT
            continue
        above = relations.get(parent)
        if above is None or above.depth != relation.depth - 1:
            msg = "events: expected the parent of every process, one level above it"
            raise InvalidTrajectory(msg)
        paths[relation.process_id] = f"{paths[parent]}/{relation.child_key}"
    if len(set(paths.values())) != len(paths):
        msg = "events: expected each child key of a process once"
        raise InvalidTrajectory(msg)
    return paths
