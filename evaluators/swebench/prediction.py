"""One patch that was handed in."""

from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record, require_text
from assay.evaluators.swebench.errors import InvalidSubmission
from assay.evaluators.swebench.identity import digest_of, require_component


class Prediction(Record):
    """The candidate patch for one task.

    Attributes:
        instance_id: The task.
        patch: The text of the diff, kept to the byte; "" hands in nothing on purpose, which is not
            the same as no prediction.

    Raises:
        InvalidSubmission: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSubmission

    instance_id: str
    patch: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_component(self.instance_id, "prediction.instance_id", InvalidSubmission)
        require_text(self.patch, "prediction.patch", InvalidSubmission, empty=True, trimmed=False)
        return self

    @cached_property
    def digest(self) -> str:
        """The digest of the patch's UTF-8 bytes."""
        return digest_of(self.patch.encode("utf-8"))
