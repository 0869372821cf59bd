"""How relevant one item is."""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from assay.evaluators.errors import AssayError
from assay.evaluators.ranking.invalid_sample import InvalidSample
from assay.evaluators.record import Record, require_text


class Judgment(Record):
    """The grade of one item.

    Attributes:
        identity: Non-empty and trimmed.
        relevance: Finite and at least 0; 0 (also -0) is not relevant.

    Raises:
        InvalidSample: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSample

    identity: str
    relevance: Annotated[float, Field(ge=0)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.identity, "identity", InvalidSample)
        return self
