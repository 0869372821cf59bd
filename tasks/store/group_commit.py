"""Group commit: many hand in, one thread writes, and each returns when its own is durable."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from assay.evaluators.errors import describe
from assay.tasks.store.batch import Batch, ItemT, Seat
from assay.tasks.store.signal import Signal
from assay.tasks.store.store_error import StoreError

PayloadT = TypeVar("PayloadT")

_SHORTEST_LOOK_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class CommitLimits:
    """When a flush begins, and how many may wait.

    Attributes:
        flush_at: That many waiting commits begin a flush at once.
        patience_seconds: So long after the first waiting commit a flush begins in any case.
        waiting: At most that many commits wait; further ones wait for room.
    """

    flush_at: int = 64
    patience_seconds: float = 0.1
    waiting: int = 256


class GroupCommit(ABC, Generic[ItemT, PayloadT]):
    """A writer whose callers wait for the flush that makes their item durable.

    A flush begins when the previous one has ended and enough commits wait, or every trial in
    flight waits, or the first has waited long enough. It runs in one thread of its own, so that
    no event loop ever waits for a disk. Usable from one loop and from any number of threads.

    Once a flush has failed, its callers and all later ones get a `StoreError`: the writer is done
    for. An item that cannot be written whatever the disk says harms only its own caller.

    Args:
        place: Where it writes, for messages.
        in_flight: How many trials may yet commit here before this flush, those that wait here
            included: those that have begun and not returned, less those that wait for another
            writer (its `waiting`). Called from any thread, must not block. By default nothing is
            waited for.
        limits: When a flush begins, and how many may wait.
        guard: Called before each flush; raises a `StoreError` when nothing more may be written.
    """

    def __init__(
        self,
        *,
        place: str,
        in_flight: Callable[[], int] | None = None,
        limits: CommitLimits | None = None,
        guard: Callable[[], None] | None = None,
    ) -> None:
        self._place = place
        self._guard = guard or (lambda: None)
        self._in_flight = in_flight or (lambda: 0)
        self._limits = limits or CommitLimits()
        self._changed = threading.Condition()
        self._open: Batch[ItemT] = Batch()
        self._flushing: Batch[ItemT] | None = None
        self._failure: StoreError | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._stopped = Signal()

    @property
    def waiting(self) -> int:
        """How many commits wait to be durable."""
        flushing = self._flushing
        return len(self._open.items) + (len(flushing.items) if flushing else 0)

    @abstractmethod
    def _prepare(self, items: Sequence[ItemT]) -> PayloadT:
        """What to write for the items; raises whatever it likes for one that cannot be written."""

    @abstractmethod
    def _write(self, payload: PayloadT) -> None:
        """Make the payload durable, or raise."""

    def _end(self) -> None:
        """End what goes on beside the flushes, once all of them are done."""

    async def close(self) -> None:
        """Flush what waits and end; closing twice is fine.

        Raises:
            StoreError: a flush failed, now or before.
        """
        self._begin_to_close()
        await self._stopped.fired()
        self._require_intact()

    def close_blocking(self) -> None:
        """The same from a thread."""
        self._begin_to_close()
        self._stopped.wait()
        self._require_intact()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_blocking()

    async def _submit(self, item: ItemT, *, urgent: bool = False) -> None:
        while (seat := self._take_seat(item, urgent=urgent)).index is None:
            await seat.batch.ended.fired()
        await seat.batch.ended.fired()
        seat.batch.settle(seat.index)

    def _submit_blocking(self, item: ItemT, *, urgent: bool = False) -> None:
        while (seat := self._take_seat(item, urgent=urgent)).index is None:
            seat.batch.ended.wait()
        seat.batch.ended.wait()
        seat.batch.settle(seat.index)

    def _take_seat(self, item: ItemT, *, urgent: bool) -> Seat[ItemT]:
        flying = self._in_flight()
        with self._changed:
            self._require_intact()
            if self._closing:
                message = f"{self._place}: this writer has been closed"
                raise StoreError(message)
            batch = self._open
            if self.waiting >= self._limits.waiting:
                return Seat(self._flushing or batch, None)
            if not batch.items:
                batch.opened_at = time.monotonic()
            batch.items.append(item)
            batch.urgent |= urgent
            if self._flushing is None and (len(batch.items) == 1 or self._is_due(flying)):
                self._wake()
            return Seat(batch, len(batch.items) - 1)

    def _is_due(self, flying: int) -> bool:
        batch, waiting = self._open, len(self._open.items)
        return waiting > 0 and (
            self._closing
            or batch.urgent
            or waiting >= min(flying, self._limits.flush_at, self._limits.waiting)
            or self._waits_until() <= time.monotonic()
        )

    def _waits_until(self) -> float:
        return self._open.opened_at + self._limits.patience_seconds

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="assay-commit", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _begin_to_close(self) -> None:
        with self._changed:
            self._closing = True
            if self._thread is None:
                self._stopped.fire()
            self._changed.notify_all()

    def _require_intact(self) -> None:
        if self._failure is not None:
            raise StoreError(str(self._failure)) from self._failure

    def _run(self) -> None:
        try:
            while (batch := self._next_batch()) is not None:
                self._flush(batch)
            self._end()
        except BaseException as error:  # noqa: BLE001 - whatever it is, nobody may wait for ever
            self._fail(error)
        finally:
            self._stopped.fire()

    def _next_batch(self) -> Batch[ItemT] | None:
        while True:
            # A trial may leave without a commit, which no notification tells: look now and then.
            flying = self._in_flight()
            with self._changed:
                if self._is_due(flying):
                    batch, self._open = self._open, Batch()
                    self._flushing = batch
                    return batch
                if self._closing:
                    return None
                self._changed.wait(_SHORTEST_LOOK_SECONDS if self._open.items else None)

    def _flush(self, batch: Batch[ItemT]) -> None:
        payload = self._prepared(batch)
        if payload is not None:
            self._guard()
            self._write(payload)
        with self._changed:
            self._flushing = None
        batch.end()

    def _prepared(self, batch: Batch[ItemT]) -> PayloadT | None:
        try:
            return self._prepare(batch.items)
        except Exception:  # noqa: BLE001 - one bad item must not harm its neighbours
            good = [item for index, item in enumerate(batch.items) if self._accepts(batch, index)]
        return self._prepare(good) if good else None

    def _accepts(self, batch: Batch[ItemT], index: int) -> bool:
        try:
            self._prepare(batch.items[index : index + 1])
        except Exception as error:  # noqa: BLE001 - becomes the answer to its caller
            message = f"{self._place}: a row cannot be stored: {describe(error)}"
            refusal = StoreError(message)
            refusal.__cause__ = error
            batch.refused[index] = refusal
            return False
        return True

    def _fail(self, error: BaseException) -> None:
        failure = error
        if not isinstance(failure, StoreError):
            failure = StoreError.of(error, place=self._place, action="write a part")
            failure.__cause__ = error
        with self._changed:
            self._failure = failure
            batches = [self._flushing, self._open]
            self._flushing = None
        for batch in batches:
            if batch is not None:
                batch.end(failure)
