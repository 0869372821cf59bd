"""The receipt of one invocation of a target, independent of how good the answer was."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal, Self, final

from pydantic import Field, model_validator
from typing_extensions import override

from assay.evaluators.canonical import decode, is_blank, is_text, parse, write
from assay.evaluators.errors import AssayError, InvalidExecution, MalformedJson
from assay.evaluators.open_map import Metadata, OpenMap
from assay.evaluators.record import Items, Record, kind_of

ExecutionStatus = Literal["completed", "budget_exhausted", "canceled", "failed"]
"""How an invocation ended, whatever it answered."""


@final
class Absent:
    """There is no output at all: neither null nor the empty string."""

    __slots__ = ()

    @override
    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False

    @override
    def __reduce__(self) -> str:
        """Stay the one instance in another process."""
        return "ABSENT"


ABSENT = Absent()
"""The output of an execution that has none."""

Count = Annotated[int, Field(ge=0)]


class Usage(Record):
    """What the provider counted; reasoning tokens are a part of the output tokens.

    Attributes:
        input_tokens: Prompt tokens that were not read from a cache.
        output_tokens: Generated tokens.
        cache_read_tokens: Prompt tokens read from the provider's cache.
        cache_creation_tokens: Prompt tokens written to the provider's cache.
        reasoning_tokens: Output tokens spent on reasoning.
        model_calls: Calls of a model.
    """

    category: ClassVar[type[AssayError]] = InvalidExecution

    input_tokens: Count = 0
    output_tokens: Count = 0
    cache_read_tokens: Count = 0
    cache_creation_tokens: Count = 0
    reasoning_tokens: Count = 0
    model_calls: Count = 0

    @property
    def total_tokens(self) -> int:
        """Input, cached and output tokens together."""
        cached = self.cache_read_tokens + self.cache_creation_tokens
        return self.input_tokens + cached + self.output_tokens


class ToolCall(Record):
    """A tool that the target called.

    Attributes:
        name: The tool's name.
        arguments: A JSON value, usually an object.
        id: The provider's id of the call, or empty.
        result: What the tool answered, or None where it was not recorded.
        is_error: True if the tool reported an error.
    """

    category: ClassVar[type[AssayError]] = InvalidExecution

    name: Annotated[str, Field(min_length=1)]
    arguments: object = None
    id: str = ""
    result: object = None
    is_error: bool = False


class Execution(Record):
    """What one invocation left behind.

    Attributes:
        status: How it ended. Only `completed` has no reason; the others need one.
        output: The candidate answer; `ABSENT` is no candidate, None is a candidate of null.
        reason: Why it did not complete.
        usage: Tokens, or None where they were not recorded.
        cost: In the currency of the experiment, or None where it is not known.
        started_at: UTC time of the first instruction, or None.
        duration_seconds: Wall seconds of the invocation, or None.
        messages: The conversation as JSON objects, or None where it was not recorded.
        tool_calls: Calls in order; empty says that there were none, None that nobody knows.
        spans: Recorded spans as JSON objects, or None.
        metadata: Anything else worth keeping.

    Raises:
        InvalidExecution: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidExecution

    status: ExecutionStatus = "completed"
    output: object = ABSENT
    reason: str = ""
    usage: Usage | None = None
    cost: Annotated[float, Field(ge=0)] | None = None
    started_at: datetime | None = None
    duration_seconds: Annotated[float, Field(ge=0)] | None = None
    messages: Items[dict[str, object]] | None = None
    tool_calls: Items[ToolCall] | None = None
    spans: Items[dict[str, object]] | None = None
    metadata: Metadata = OpenMap()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not is_text(self.reason):
            raise self.refuse("execution.reason: expected text that UTF-8 can hold")
        if self.status == "completed" and self.reason:
            raise self.refuse("execution.reason: expected none beside the status completed")
        if self.status != "completed" and is_blank(self.reason):
            raise self.refuse(f"execution.reason: expected one beside the status {self.status}")
        if self.started_at is not None and self.started_at.utcoffset() is None:
            raise self.refuse("execution.started_at: expected a time with its offset from UTC")
        return self

    @property
    def has_output(self) -> bool:
        """True if there is a candidate, null and the empty string included."""
        return self.output is not ABSENT

    def provides(self) -> frozenset[str]:
        """The kinds of evidence that this receipt holds."""
        held = {
            "output": self.has_output,
            "usage": self.usage is not None,
            "cost": self.cost is not None,
            "timing": self.duration_seconds is not None,
            "tool_operation": self.tool_calls is not None,
            "spans": self.spans is not None,
            "message_index": self.messages is not None,
            "conversation_excerpt": self.messages is not None,
        }
        return frozenset(kind for kind, is_held in held.items() if is_held)

    @override
    def wire(self) -> dict[str, object]:
        """The JSON form: an absent output is left out, a null one is written."""
        tree: dict[str, object] = {"status": self.status}
        if self.has_output:
            tree["output"] = self.output
        if self.started_at is not None:
            tree["started_at"] = self.started_at.isoformat()
        for member in ("usage", "cost", "duration_seconds", "messages", "tool_calls", "spans"):
            value = getattr(self, member)
            if value is not None:
                tree[member] = value
        if self.reason:
            tree["reason"] = self.reason
        if self.metadata:
            tree["metadata"] = self.metadata.wire()
        return tree

    def encode(self) -> str:
        """The canonical JSON text; raises NotJson when the output has no JSON form."""
        return write(self.wire())

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The receipt that a JSON text spells; raises InvalidExecution."""
        try:
            value = decode(text)
        except MalformedJson as error:
            raise InvalidExecution(str(error)) from error
        if isinstance(value, dict) and value.get("metadata") is not None:
            # An open map keeps the spelling of its numbers, which decoding has lost.
            value = {**value, "metadata": _metadata(text)}
        return cls.from_value(value)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The receipt that a decoded JSON object spells; raises InvalidExecution."""
        if not isinstance(value, dict):
            msg = f"execution: expected a JSON object, got {kind_of(value)}"
            raise InvalidExecution(msg)
        # Null is an absent optional everywhere but in the output, where it is a candidate.
        arguments = {
            name: member for name, member in value.items() if member is not None or name == "output"
        }
        if isinstance(started := arguments.get("started_at"), str):
            arguments["started_at"] = _time(started)
        return cls.model_validate(arguments)


def _metadata(text: str | bytes) -> OpenMap:
    tree = parse(text)
    try:
        return OpenMap.from_wire(tree["metadata"] if isinstance(tree, dict) else None)
    except AssayError as error:
        msg = f"execution.metadata: {error}"
        raise InvalidExecution(msg) from error


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        msg = "execution.started_at: expected an ISO 8601 time"
        raise InvalidExecution(msg) from error
