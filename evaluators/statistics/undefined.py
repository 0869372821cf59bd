"""A number that does not exist, and why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Undefined:
    """What a statistic gives where its definition has no value.

    It is false in a condition, so that nothing takes it for a result by accident.

    Attributes:
        reason: One clause for people.
    """

    reason: str

    def __bool__(self) -> bool:
        return False
