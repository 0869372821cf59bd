"""What became of a call of foreign code: it gave something, raised something, or never ended."""

import threading
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
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
        abandoned: True if something of the call runs on: a coroutine that ignored its cancellation
            for the grace that it had, or a thread, which nothing can cancel.
    """

    seconds: float
    abandoned: bool


Outcome: TypeAlias = Given[T] | Raised
TimedOutcome: TypeAlias = Given[T] | Raised | Expired


def raised_by(error: BaseException) -> Raised:
    """The outcome of a call that raised the error.

    Raises:
        KeyboardInterrupt: when the error is one and this is the main thread, the only one that a
            signal reaches: it is the user's. In any other thread the call raised it by itself.
    """
    if not isinstance(error, KeyboardInterrupt):
        return Raised(error)
    if threading.current_thread() is threading.main_thread():
        raise error
    own = RuntimeError("KeyboardInterrupt without a user who interrupts")
    own.__cause__ = error
    return Raised(own)


def value_of(outcome: Outcome[T]) -> T:
    """What the call gave; raises what it raised."""
    if isinstance(outcome, Raised):
        raise outcome.error
    return outcome.value
