"""How often something may happen."""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from assay.evaluators.errors import AssayError, InvalidEvaluatorConfig
from assay.evaluators.record import Record

Count = Annotated[int, Field(ge=0)]


class CallBounds(Record):
    """An inclusive range of counts, open where a bound is None.

    Attributes:
        min: The least count.
        max: The greatest count, at least `min`.

    Raises:
        InvalidEvaluatorConfig: when a rule is broken, or there is neither bound.

    Examples:
        >>> 3 in CallBounds(min=1, max=3), 0 in CallBounds(min=1)
        (True, False)
    """

    category: ClassVar[type[AssayError]] = InvalidEvaluatorConfig

    min: Count | None = None
    max: Count | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.min is None and self.max is None:
            raise self.refuse("expected min, max or both, got neither")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise self.refuse(f"expected min at most max, got {self.min} and {self.max}")
        return self

    def __contains__(self, count: int) -> bool:
        """True if the count is within the bounds."""
        return (self.min is None or count >= self.min) and (self.max is None or count <= self.max)

    def text(self) -> str:
        """The bounds in words."""
        if self.max is None:
            return f"at least {self.min}"
        if self.min is None:
            return f"at most {self.max}"
        return f"exactly {self.min}" if self.min == self.max else f"{self.min} to {self.max}"
