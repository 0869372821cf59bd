"""Why the harness thinks that a task may have failed for another reason than its patch."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record, require_text
from assay.evaluators.swebench.errors import InvalidArtifacts

FailureKind = Literal["infrastructure", "ambiguous"]
"""Whether the environment is to blame, or it may be the environment or the patch."""


class Failure(Record):
    """Advice beside a result; it changes neither the result nor a total.

    Attributes:
        kind: Who is to blame.
        reason: The harness's word for it, such as `out_of_memory`.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    kind: FailureKind
    reason: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.reason, "failure.reason", InvalidArtifacts)
        return self
