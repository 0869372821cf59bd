"""What became of one task, as far as it is counted."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["resolved", "unresolved", "missing_prediction", "empty_patch", "error"]
"""Resolved and unresolved are the harness's word alone; the others say why there is none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The status of a task, and whether the harness wrote a report on it.

    Attributes:
        instance_id: The task.
        status: What became of it.
        completed: True if there is a report, readable or not in its form.
    """

    instance_id: str
    status: Status
    completed: bool
