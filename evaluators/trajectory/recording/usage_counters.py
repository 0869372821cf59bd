"""What a process did, counted."""

from typing import ClassVar, Self

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.recording.identity import UINT64_MAX, Counter
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory


class UsageCounters(Record):
    """Counts of one process, or of a tree of them; each fits 64 unsigned bits.

    Attributes:
        committed_steps: Steps whose result was kept.
        prepared_effects: External operations that were asked for.
        accepted_signals: Signals that were taken in.
        dropped_deltas: Pieces of streams that nobody received.

    Raises:
        InvalidTrajectory: when a count does not fit, also as a sum.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    committed_steps: Counter = 0
    prepared_effects: Counter = 0
    accepted_signals: Counter = 0
    dropped_deltas: Counter = 0

    def plus(self, other: "UsageCounters") -> Self:
        """The counts of both together; raises InvalidTrajectory when one does not fit."""
        sums = {
            name: getattr(self, name) + getattr(other, name) for name in type(self).model_fields
        }
        over = [name for name, total in sums.items() if total > UINT64_MAX]
        if over:
            raise self.refuse(f"usage.{over[0]}: expected a sum that 64 bits hold")
        return type(self).model_validate(sums)
