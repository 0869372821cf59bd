"""What an execution used, held against the most that passes."""

from typing import Annotated

from pydantic import Field

from assay.evaluators.measured import Measured
from assay.evaluators.ready_made import Checked

Count = Annotated[int, Field(ge=0)]
"""How many at most; 0 is none at all."""

Amount = Annotated[float, Field(ge=0)]
"""How much at most, in the unit of what is measured."""


def within(used: float, limit: float, unit: str) -> Checked:
    """Pass when no more was used than the limit, itself included; the amount is measured.

    Args:
        used: In the unit.
        limit: In the unit.
        unit: Such as `token`; less of it is better.
    """
    passed = used <= limit
    return Checked(
        passed=passed,
        reason="" if passed else f"used {used:.12g}, limit {limit:.12g}",
        measured=Measured(float(used), unit, "lower_is_better"),
    )
