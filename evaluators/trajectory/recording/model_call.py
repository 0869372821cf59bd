"""A call of a model, as it was observed."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator
from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record
from assay.evaluators.trajectory.recording.call import Call, ToolRequest
from assay.evaluators.trajectory.recording.identity import Sequence
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory

Tokens = Annotated[int, Field(ge=0)]


class TokenUsage(Record):
    """Tokens as the provider counted them."""

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    input_tokens: Tokens
    output_tokens: Tokens


class ModelResponse(Record):
    """What a model answered.

    Attributes:
        id: The provider's id; never compared.
        text: The words; never compared.
        tool_calls: The decisions to call tools, which are behaviour.
        usage: Tokens, or None where the provider reported none.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    id: str = ""
    text: str = ""
    tool_calls: Items[ToolRequest] = ()
    usage: TokenUsage | None = None


class ModelCall(Call):
    """One attempt of a model call.

    Attributes:
        call_sequence: Its place among the model calls of the process.
        request: What was asked, as a JSON object.
        response: What came back, or None.

    Raises:
        InvalidTrajectory: when it has a response beside `unknown` or a failure, or a failure that
            nobody settled.
    """

    call_sequence: Sequence
    request: dict[str, object]
    response: ModelResponse | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.response is not None and (self.unknown or self.failure):
            raise self.refuse("model call: expected either a response or a failure")
        if self.failure and not self.unknown:
            raise self.refuse("model call: expected a failure only beside an unknown outcome")
        return self

    @property
    def outcome(self) -> Literal["succeeded", "unknown", "unobserved"]:
        """Derived from what was observed, never stored."""
        if self.response is not None:
            return "succeeded"
        return "unknown" if self.unknown else "unobserved"

    @override
    def wire(self) -> object:
        """The JSON form; what was not observed is left out."""
        return self.model_dump(exclude_none=True)
