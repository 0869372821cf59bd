"""Commits that share one flush."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from assay.tasks.store.signal import Signal
from assay.tasks.store.store_error import StoreError

ItemT = TypeVar("ItemT")


class Batch(Generic[ItemT]):
    """What is written together, and what became of it.

    Attributes:
        items: What was handed in, in order.
        urgent: The flush is not to wait for company.
        opened_at: Monotonic seconds at the first item.
        ended: Fires when every item is durable, refused or lost.
        failure: Why the flush failed, or None.
        refused: Why single items could not be written, by index.
    """

    def __init__(self) -> None:
        self.items: list[ItemT] = []
        self.urgent = False
        self.opened_at = 0.0
        self.ended = Signal()
        self.failure: StoreError | None = None
        self.refused: dict[int, StoreError] = {}

    def end(self, failure: StoreError | None = None) -> None:
        """Let the callers go on."""
        self.failure = failure
        self.ended.fire()

    def settle(self, index: int) -> None:
        """Return if the item of that index is durable.

        Raises:
            StoreError: it is not; a new exception each time, since many tasks raise it.
        """
        failure = self.refused.get(index) or self.failure
        if failure is not None:
            raise StoreError(str(failure)) from failure


@dataclass(frozen=True, slots=True)
class Seat(Generic[ItemT]):
    """A place in a batch; without an index, only the batch whose end makes room."""

    batch: Batch[ItemT]
    index: int | None
