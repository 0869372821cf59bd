"""A run as a listing shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RunEntry:
    """What a listing says of a run, read from its plan alone.

    Attributes:
        name: Name of the experiment.
        created_at: UTC; None if the plan cannot be read.
        counts: How much was planned: `cases`, `repeats`, `trials`, ...
        problem: Why the plan cannot be read; empty if it can.
    """

    run_id: str
    name: str = ""
    created_at: datetime | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""
