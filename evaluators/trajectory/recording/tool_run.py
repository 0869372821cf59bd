"""A call of a tool, as it was observed."""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator
from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.recording.call import (
    Call,
    Outcome,
    ToolRequest,
    require_arguments,
)
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory

Place = Annotated[int, Field(ge=0)]


class ToolResult(Record):
    """What a tool answered.

    Attributes:
        id: The provider's id of the call.
        name: The tool.
        output: A JSON value, usually a text.
        is_error: True if the tool reported an error.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    id: str = ""
    name: str
    output: object = None
    is_error: bool = False


class ToolRun(Call):
    """One attempt of a tool call.

    Attributes:
        model_call: The sequence of the model call that asked for it; 0 for none.
        index: Its place among that response's calls.
        call: Name and arguments; these must be blank or strict JSON.
        result: The final answer, or None.
        input_required: It waits for a human.
        evidence: Output that is not final; only beside an unknown outcome.

    Raises:
        InvalidTrajectory: when more than one outcome is set, or a rule is broken.
    """

    model_call: Place
    index: Place = 0
    call: ToolRequest
    result: ToolResult | None = None
    input_required: bool = False
    evidence: object = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_arguments(self.call.arguments, InvalidTrajectory)
        if self.model_call == 0 and self.index:
            raise self.refuse("tool call: expected index 0 without a requesting model call")
        failed = bool(self.failure) and not self.unknown
        if (self.result is not None) + self.input_required + self.unknown + failed > 1:
            raise self.refuse("tool call: expected one outcome")
        if self.evidence is not None and not self.unknown:
            raise self.refuse("tool call: expected evidence only beside an unknown outcome")
        if self.result is not None and (self.result.id, self.result.name) != (
            self.call.id,
            self.call.name,
        ):
            raise self.refuse("tool call: expected a result with the call's id and name")
        return self

    @property
    def outcome(self) -> Outcome:
        """Derived from what was observed, never stored."""
        if self.result is not None:
            return "error" if self.result.is_error else "succeeded"
        if self.unknown:
            return "unknown"
        if self.input_required:
            return "input_required"
        return "failed" if self.failure else "unobserved"

    @override
    def wire(self) -> object:
        """The JSON form; what was not observed is left out."""
        return self.model_dump(exclude_none=True)
