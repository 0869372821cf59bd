"""What was done for a report."""

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """What one process did for a report, and what it found done.

    Attributes:
        target_calls: How often the target was called.
        computed: Grades that were computed.
        reused: Grades that were there, or were carried over.
        abandoned: Calls of the target that were left behind at their time limit.
        ended: Trials that have ended.
        recorded: Of them, those that the host's record showed as ended at last; None without a
            host.
    """

    target_calls: int = 0
    computed: int = 0
    reused: int = 0
    abandoned: int = 0
    ended: int = 0
    recorded: int | None = None
