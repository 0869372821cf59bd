"""Calls in the order in which they were dispatched, whatever their ids."""

from collections.abc import Iterable
from typing import TypeVar

from assay.evaluators.trajectory.recording.model_call import ModelCall
from assay.evaluators.trajectory.recording.semantic_path import semantic_paths
from assay.evaluators.trajectory.recording.tool_run import ToolRun
from assay.evaluators.trajectory.recording.trajectory import Trajectory

C = TypeVar("C", ModelCall, ToolRun)


def in_semantic_order(trajectory: Trajectory, calls: Iterable[C]) -> list[C]:
    """The calls by semantic path, then by the event that started their attempt.

    That is the order of dispatch within a process; nothing is claimed across siblings.

    Raises:
        InvalidTrajectory: when a path is ambiguous.
    """
    paths = semantic_paths(trajectory)
    started = trajectory.attempts.started

    def place(call: C) -> tuple[str, int]:
        start = started.get(call.attempt)
        return paths[call.process_id], 0 if start is None else start.place

    return sorted(calls, key=place)
