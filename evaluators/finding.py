"""One observation that an evaluator made, with a stable code."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, Number, decode
from assay.evaluators.errors import AssayError, InvalidReport
from assay.evaluators.record import (
    Items,
    Record,
    read_items,
    read_text,
    require_bytes,
    require_text,
)

Severity = Literal["info", "low", "medium", "high", "critical"]
"""How much a finding matters, from least to most."""

GRAVE: frozenset[Severity] = frozenset(("high", "critical"))
"""Severities that a passing report may not carry."""

LONGEST_NAME = 256
_LONGEST_MESSAGE = 2048
_MEMBERS = ("code", "severity", "message", "references")


class EvidenceRef(Record):
    """A pointer to evidence of the same report, to a message of the conversation, or to both.

    Attributes:
        evidence_id: Id of a piece of evidence that the report carries.
        message_index: Position in the receipt's messages, from 0.
    """

    category: ClassVar[type[AssayError]] = InvalidReport

    evidence_id: str | None = None
    message_index: int | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.evidence_id is None and self.message_index is None:
            raise self.refuse("reference: expected an evidence_id or a message_index, got neither")
        if self.evidence_id is not None:
            require_text(self.evidence_id, "reference.evidence_id", InvalidReport, trimmed=False)
            require_bytes(self.evidence_id, "reference.evidence_id", InvalidReport, LONGEST_NAME)
        if self.message_index is not None and self.message_index < 0:
            raise self.refuse("reference.message_index: expected 0 or more")
        return self

    @override
    def wire(self) -> Json:
        """The JSON form."""
        tree: dict[str, Json] = {}
        if self.evidence_id is not None:
            tree["evidence_id"] = self.evidence_id
        if self.message_index is not None:
            tree["message_index"] = Number(str(self.message_index))
        return tree

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The reference that a parsed wire object spells; raises InvalidReport."""
        members = cls.members(tree, ("evidence_id", "message_index"), "reference")
        given: dict[str, object] = dict(members)
        if "evidence_id" in members:
            place = "reference.evidence_id"
            given["evidence_id"] = read_text(members["evidence_id"], place, InvalidReport)
        index = members.get("message_index")
        if isinstance(index, Number):
            given["message_index"] = decode(index)
        return cls.model_validate(given)


class Finding(Record):
    """What an evaluator noticed.

    Attributes:
        code: Stable code of the check, at most 256 bytes, unique within a report.
        severity: How much it matters; a passing report carries none that is high or critical.
        message: For people, at most 2,048 bytes; may be empty.
        references: Evidence that supports it; each must resolve within the report.
    """

    category: ClassVar[type[AssayError]] = InvalidReport

    code: str
    severity: Severity
    message: str = ""
    references: Items[EvidenceRef] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.code, "finding.code", InvalidReport, trimmed=False)
        require_bytes(self.code, "finding.code", InvalidReport, LONGEST_NAME)
        require_text(self.message, "finding.message", InvalidReport, empty=True, trimmed=False)
        require_bytes(self.message, "finding.message", InvalidReport, _LONGEST_MESSAGE)
        return self

    @override
    def wire(self) -> Json:
        """The JSON form; an empty message and no references are left out."""
        tree: dict[str, Json] = {"code": self.code, "severity": self.severity}
        if self.message:
            tree["message"] = self.message
        if self.references:
            tree["references"] = [reference.wire() for reference in self.references]
        return tree

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The finding that a parsed wire object spells; raises InvalidReport."""
        members = cls.members(tree, _MEMBERS, "finding")
        references = read_items(members.get("references"), "finding.references", InvalidReport)
        return cls.model_validate(
            {
                "code": read_text(members.get("code"), "finding.code", InvalidReport),
                "severity": read_text(members.get("severity"), "finding.severity", InvalidReport),
                "message": read_text(members.get("message"), "finding.message", InvalidReport),
                "references": tuple(EvidenceRef.from_wire(one) for one in references),
            }
        )
