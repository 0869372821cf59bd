"""Getting a report out of a flow, although Prefect may die before it knows of the flow's end."""

from collections.abc import Awaitable
from typing import Generic, TypeVar

from httpx import HTTPError
from prefect.exceptions import PrefectException

T = TypeVar("T")


class Delivery(Generic[T]):
    """Keeps what a flow has made until the caller of the flow has it."""

    def __init__(self) -> None:
        self._made: list[T] = []

    def hand_in(self, report: T) -> None:
        """Keep the report; called in the flow, when all that it rests on is stored."""
        self._made.append(report)

    async def receive(self, running: Awaitable[T]) -> T:
        """What the flow returns; what it handed in, where Prefect failed after that.

        Raises:
            PrefectException, HTTPError: Prefect failed before there was a report.
        """
        try:
            return await running
        except (PrefectException, HTTPError):
            if not self._made:
                raise
            return self._made[0]
