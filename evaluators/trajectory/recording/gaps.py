"""What is known to be missing from a recording."""

from typing import ClassVar, Self

from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.recording.identity import UINT64_MAX, Counter
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory


class EvidenceGaps(Record):
    """Counts of known losses; zeros promise nothing beyond what was watched.

    Attributes:
        dropped_events: Events that the recorder could not keep.
        dropped_call_observations: Starts or settlements of calls that it could not use.
        unpaired_calls: Calls of which only the start or only the settlement was seen.

    Raises:
        InvalidTrajectory: when a count does not fit 64 unsigned bits.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    dropped_events: Counter = 0
    dropped_call_observations: Counter = 0
    unpaired_calls: Counter = 0

    def __bool__(self) -> bool:
        """True if something is known to be missing."""
        return any(getattr(self, name) for name in type(self).model_fields)

    def plus(
        self,
        *,
        dropped_events: int = 0,
        dropped_call_observations: int = 0,
        unpaired_calls: int = 0,
    ) -> Self:
        """The counts with more losses; they stay at the greatest count rather than overflow."""
        more = {
            "dropped_events": dropped_events,
            "dropped_call_observations": dropped_call_observations,
            "unpaired_calls": unpaired_calls,
        }
        sums = {name: min(getattr(self, name) + one, UINT64_MAX) for name, one in more.items()}
        return type(self).model_validate(sums)

    @override
    def wire(self) -> object:
        """The JSON form; zeros are left out."""
        members = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in members.items() if value}
