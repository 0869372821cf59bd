"""The most that a recorded run may have used."""

from typing import Annotated, ClassVar

from pydantic import Field
from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.invalid_sample import InvalidSample
from assay.evaluators.trajectory.recording.identity import INT64_MAX, Counter

Total = Annotated[int, Field(ge=0, le=INT64_MAX)]


class RunLimits(Record):
    """Inclusive limits, in integers that are compared exactly; a zero is a limit of zero.

    Attributes:
        committed_steps: Of all processes together, as the next three.
        prepared_effects: External operations that were asked for.
        accepted_signals: Signals that were taken in.
        dropped_deltas: Pieces of streams that nobody received.
        total_tokens: Input and output tokens of every model call.
        elapsed_ns: Wall nanoseconds of the recording.

    Raises:
        InvalidSample: when a limit is negative or does not fit.
    """

    category: ClassVar[type[AssayError]] = InvalidSample

    committed_steps: Counter | None = None
    prepared_effects: Counter | None = None
    accepted_signals: Counter | None = None
    dropped_deltas: Counter | None = None
    total_tokens: Total | None = None
    elapsed_ns: Total | None = None

    @override
    def wire(self) -> object:
        """The JSON form; what is not limited is left out."""
        return self.model_dump(exclude_none=True)
