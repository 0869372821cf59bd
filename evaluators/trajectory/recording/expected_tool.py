"""A tool call that a recorded run should have made."""

from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record, require_text
from assay.evaluators.trajectory.invalid_sample import InvalidSample
from assay.evaluators.trajectory.recording.call import (
    Outcome,
    canonical_arguments,
    require_arguments,
)


class ExpectedTool(Record):
    """Name, arguments and perhaps the outcome of a tool call.

    Attributes:
        name: Compared exactly.
        arguments: Blank or strict JSON text, compared in canonical spelling; blank matches blank.
        outcome: None where any will do.

    Raises:
        InvalidSample: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSample

    name: str
    arguments: str = ""
    outcome: Outcome | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.name, "tool.name", InvalidSample)
        require_arguments(self.arguments, InvalidSample)
        return self

    @property
    def canonical_arguments(self) -> str:
        """The arguments in canonical spelling, empty where they are blank."""
        return canonical_arguments(self.arguments)

    @override
    def wire(self) -> object:
        """The JSON form; no arguments and any outcome are left out."""
        return self.model_dump(exclude_none=True, exclude_defaults=True)


class ExpectedTools(Record):
    """All tool calls of a run, in order; an empty list asserts that there are none."""

    category: ClassVar[type[AssayError]] = InvalidSample

    calls: Items[ExpectedTool] = ()
