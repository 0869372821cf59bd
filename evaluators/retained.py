"""A case and a receipt as the store keeps them: JSON texts, not yet decoded."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from assay.evaluators.canonical import decode_stored
from assay.evaluators.execution import ABSENT, Execution
from assay.evaluators.open_map import OpenMap


@dataclass(frozen=True, slots=True)
class CaseTexts:
    """A stored case.

    Attributes:
        id: The case id.
        input: JSON text.
        expected: JSON text, or None where there is no reference answer.
        metadata: JSON text of an object.
    """

    id: str
    input: str
    expected: str | None
    metadata: str


class StoredReceipt(Protocol):
    """A stored receipt, however it is held: what a retained sample asks of it."""

    @property
    def output(self) -> str | None:
        """JSON text, or None where there is no candidate."""
        ...

    def receipt(self) -> Execution:
        """The whole receipt, decoded."""
        ...

    def provides(self) -> frozenset[str]:
        """The kinds of evidence that are present."""
        ...


@dataclass(frozen=True, slots=True)
class ExecutionTexts:
    """A stored receipt; a None stands for what was not recorded.

    Attributes:
        status: How the execution ended.
        output: JSON text, or None where there is no candidate; a null candidate is the text `null`.
        reason: Why it did not complete, or empty.
        messages: JSON text of an array, or None.
        tool_calls: JSON text of an array, or None.
        usage: JSON text of an object, or None.
        cost: A number, or None.
        spans: JSON text of an array, or None.
        metadata: JSON text of an object, or None.
        started_at: UTC time, or None.
        duration_seconds: Wall seconds, or None.
    """

    status: str
    output: str | None
    reason: str = ""
    messages: str | None = None
    tool_calls: str | None = None
    usage: str | None = None
    cost: float | None = None
    spans: str | None = None
    metadata: str | None = None
    started_at: datetime | None = None
    duration_seconds: float | None = None

    def receipt(self) -> Execution:
        """The whole receipt, decoded."""
        members: dict[str, object] = {"status": self.status, "reason": self.reason}
        members["output"] = ABSENT if self.output is None else decode_stored(self.output)
        for name in ("messages", "tool_calls", "usage", "spans"):
            text = getattr(self, name)
            if text is not None:
                members[name] = decode_stored(text)
        for name in ("cost", "started_at", "duration_seconds"):
            members[name] = getattr(self, name)
        if self.metadata is not None:
            members["metadata"] = OpenMap.from_text(self.metadata)
        return Execution.from_value(members)

    def provides(self) -> frozenset[str]:
        """The kinds of evidence that are present."""
        held: dict[str, object] = {
            "output": self.output,
            "usage": self.usage,
            "cost": self.cost,
            "timing": self.duration_seconds,
            "tool_operation": self.tool_calls,
            "spans": self.spans,
            "message_index": self.messages,
            "conversation_excerpt": self.messages,
        }
        return frozenset(kind for kind, value in held.items() if value is not None)
