"""What became of a call of foreign code: it gave something, raised something, or never ended."""

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Given(Generic[T]):
    """The call returned."""

    value: T


@dataclass(frozen=True, slots=True)
class Raised:
    """The call raised."""

    error: BaseException


@dataclass(frozen=True, slots=True)
class Expired:
    """The call was given up on at its time limit.

    Attributes:
        seconds: The limit.
        abandoned: True if the call did not even end within the grace after it was cancelled.
    """

    seconds: float
    abandoned: bool


Outcome: TypeAlias = Given[T] | Raised
TimedOutcome: TypeAlias = Given[T] | Raised | Expired
