"""Handing an object to a flow: Prefect keeps a flow's parameters as JSON, and no object is that."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar

T = TypeVar("T")


class Handover(Generic[T]):
    """Gives an object to the next flow that this context calls, and to that one alone.

    A second taker, such as a retry of the flow or a flow that a target calls, gets nothing.
    """

    def __init__(self, name: str) -> None:
        self._waiting: ContextVar[list[T] | None] = ContextVar(name, default=None)

    @contextmanager
    def of(self, value: T) -> Iterator[None]:
        """Let the flow that the block calls take the value."""
        reset = self._waiting.set([value])
        try:
            yield
        finally:
            self._waiting.reset(reset)

    def take(self) -> T | None:
        """The value, once; None where there is none, or none any more."""
        waiting = self._waiting.get()
        return waiting.pop() if waiting else None
