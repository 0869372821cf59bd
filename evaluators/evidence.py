"""What a verdict cites: facts about a run, bounded and already redacted.

Raw model output, arguments and results have no place here: only positions, counts, digests,
closed words and short excerpts that the caller redacted.
"""

from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError, model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, Number, decode
from assay.evaluators.errors import AssayError, InvalidReport
from assay.evaluators.finding import LONGEST_NAME, Severity
from assay.evaluators.record import Record, kind_of, require_bytes, require_text

EvidenceKind = Literal[
    "conversation_excerpt",
    "message_index",
    "timing",
    "usage",
    "tool_operation",
    "structured_output_error",
    "structured_output",
    "evaluator_diagnostic",
]
"""The kinds of evidence that a report can cite."""

Requirement = Literal[EvidenceKind, "output", "spans", "cost"]
"""What an evaluator may require of a receipt before it is called."""

REQUIREMENTS: tuple[str, ...] = (*get_args(EvidenceKind), "output", "spans", "cost")

_LONGEST_EXCERPT = 512
_LONGEST_HASH = 128


class _Evidence(Record):
    category: ClassVar[type[AssayError]] = InvalidReport
    bounds: ClassVar[dict[str, int]] = {}

    id: str

    @model_validator(mode="after")
    def _check(self) -> "_Evidence":
        require_text(self.id, "evidence.id", InvalidReport, trimmed=False)
        require_bytes(self.id, "evidence.id", InvalidReport, LONGEST_NAME)
        for field, limit in self.bounds.items():
            text = getattr(self, field)
            require_text(text, f"evidence.{field}", InvalidReport, empty=True, trimmed=False)
            require_bytes(text, f"evidence.{field}", InvalidReport, limit)
        return self

    @override
    def wire(self) -> Json:
        """The JSON form; members that hold their default are left out."""
        tree: dict[str, Json] = {}
        for field, info in type(self).model_fields.items():
            value = getattr(self, field)
            if value != info.default or field == "kind":
                tree[field] = value
        return tree


class ConversationExcerpt(_Evidence):
    """A message of the conversation, by position, digest and a redacted excerpt."""

    bounds: ClassVar[dict[str, int]] = {
        "role": LONGEST_NAME,
        "hash": _LONGEST_HASH,
        "redacted": _LONGEST_EXCERPT,
    }

    kind: Literal["conversation_excerpt"] = "conversation_excerpt"
    message_index: Annotated[int, Field(ge=0)]
    role: str = ""
    hash: str = ""
    redacted: str = ""


class MessageIndex(_Evidence):
    """A message of the conversation, by position alone."""

    kind: Literal["message_index"] = "message_index"
    index: Annotated[int, Field(ge=0)]


class Timing(_Evidence):
    """How long something took, in seconds."""

    bounds: ClassVar[dict[str, int]] = {"label": LONGEST_NAME}

    kind: Literal["timing"] = "timing"
    duration_seconds: Annotated[float, Field(ge=0)]
    label: str = ""


class UsageCounts(_Evidence):
    """Tokens as the provider reported them; inconsistent counts are recorded, not refused."""

    bounds: ClassVar[dict[str, int]] = {"model": LONGEST_NAME}

    kind: Literal["usage"] = "usage"
    model: str = ""
    input_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    cache_read_tokens: Annotated[int, Field(ge=0)] = 0
    cache_creation_tokens: Annotated[int, Field(ge=0)] = 0
    reasoning_tokens: Annotated[int, Field(ge=0)] = 0


class ToolOperation(_Evidence):
    """One tool call, by name, digests and sizes in bytes."""

    bounds: ClassVar[dict[str, int]] = {
        "tool_name": LONGEST_NAME,
        "tool_use_id": LONGEST_NAME,
        "args_hash": _LONGEST_HASH,
    }

    kind: Literal["tool_operation"] = "tool_operation"
    tool_name: Annotated[str, Field(min_length=1)]
    tool_use_id: str = ""
    args_hash: str = ""
    args_bytes: Annotated[int, Field(ge=0)] = 0
    result_bytes: Annotated[int, Field(ge=0)] = 0
    is_error: bool = False


class StructuredOutputError(_Evidence):
    """Why an answer did not follow its schema."""

    bounds: ClassVar[dict[str, int]] = {
        "schema_revision": LONGEST_NAME,
        "detail_hash": _LONGEST_HASH,
    }

    kind: Literal["structured_output_error"] = "structured_output_error"
    reason: Literal[
        "invalid_json", "schema_mismatch", "missing_field", "out_of_range", "empty_output"
    ]
    schema_revision: str = ""
    detail_hash: str = ""


class StructuredOutput(_Evidence):
    """That an answer followed its schema; its presence is the signal."""

    bounds: ClassVar[dict[str, int]] = {
        "schema_name": LONGEST_NAME,
        "schema_revision": LONGEST_NAME,
    }

    kind: Literal["structured_output"] = "structured_output"
    schema_name: str = ""
    schema_revision: str = ""


class EvaluatorDiagnostic(_Evidence):
    """What an evaluator says about its own work."""

    bounds: ClassVar[dict[str, int]] = {"code": LONGEST_NAME, "message": _LONGEST_EXCERPT}

    kind: Literal["evaluator_diagnostic"] = "evaluator_diagnostic"
    code: Annotated[str, Field(min_length=1)]
    severity: Severity
    message: str = ""


Evidence = Annotated[
    ConversationExcerpt
    | MessageIndex
    | Timing
    | UsageCounts
    | ToolOperation
    | StructuredOutputError
    | StructuredOutput
    | EvaluatorDiagnostic,
    Field(discriminator="kind"),
]
"""Exactly one kind of evidence, told apart by `kind`."""

_ADAPTER: TypeAdapter[Evidence] = TypeAdapter(Evidence)


def evidence_from_wire(tree: Json) -> Evidence:
    """The evidence that a parsed wire object spells; raises InvalidReport."""
    if not isinstance(tree, dict):
        msg = f"evidence: expected a JSON object, got {kind_of(tree)}"
        raise InvalidReport(msg)
    # Null is an absent optional, as everywhere.
    members = {
        name: decode(value) if isinstance(value, Number) else value
        for name, value in tree.items()
        if value is not None
    }
    try:
        return _ADAPTER.validate_python(members)
    except ValidationError as error:
        # The kind is a closed word: a foreign one is not repeated.
        msg = f"evidence: expected a kind out of {', '.join(get_args(EvidenceKind))}"
        raise InvalidReport(msg) from error
