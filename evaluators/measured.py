"""A raw number with its unit, as an evaluator function returns it."""

from typing import ClassVar

from pydantic import BaseModel

from assay.evaluators.errors import AssayError, InvalidReport
from assay.evaluators.metric import Direction
from assay.evaluators.record import Record


class Measured(Record):
    """A finite raw number.

    Attributes:
        value: The number, in the unit.
        unit: Such as `second` or `character`; may be empty.
        direction: Which way it improves, or empty.

    Raises:
        InvalidReport: when the value is not a finite number.

    Examples:
        >>> Measured(value=12.5, unit="second", direction="lower_is_better").unit
        'second'
    """

    category: ClassVar[type[AssayError]] = InvalidReport

    value: float
    unit: str = ""
    direction: Direction = ""

    def __init__(self, value: float, unit: str = "", direction: Direction = "") -> None:
        # Not super(), whose generated signature has no fields to a type checker.
        BaseModel.__init__(self, value=value, unit=unit, direction=direction)
