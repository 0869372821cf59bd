"""A call that runs elsewhere: in another thread, or on another thread's event loop.

Nobody has to wait for it. Whoever does learns when its first instruction ran, what it gave or
raised, and how long that took, however late his own event loop looks at it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from assay.evaluators.deadline import GRACE_SECONDS
from assay.evaluators.off_loop import outcome_of
from assay.evaluators.outcome import Given, Outcome, Raised, raised_by

V = TypeVar("V")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Moment:
    """When a call's first instruction ran.

    Attributes:
        utc: For people and rows.
        clock: For intervals, from `time.perf_counter`.
    """

    utc: datetime
    clock: float

    @classmethod
    def now(cls) -> "Moment":
        """This moment."""
        return cls(datetime.now(UTC), time.perf_counter())

    def seconds_since(self) -> float:
        """Wall seconds from then to now."""
        return time.perf_counter() - self.clock


@dataclass(frozen=True, slots=True)
class Ended(Generic[T]):
    """How a call ended.

    Attributes:
        outcome: What it gave or raised.
        seconds: Wall seconds from its first instruction until it gave or raised.
    """

    outcome: Outcome[T]
    seconds: float


class StartedCall(Generic[T]):
    """A call in progress.

    Attributes:
        begun: Done at the first instruction.
        ended: Done at the end; never fails and is never cancelled.
        canceled: Done once somebody asked for the end.
    """

    def __init__(self) -> None:
        self.begun: Future[Moment] = _unbreakable()
        self.ended: Future[Ended[T]] = _unbreakable()
        self.canceled: Future[None] = _unbreakable()

    def cancel(self) -> None:
        """Ask for the end; asking twice is asking once. Any thread may."""
        with suppress(InvalidStateError):
            self.canceled.set_result(None)

    def on_cancel(self, act: Callable[[], None]) -> None:
        """Do this, in the thread that asks, once the end is asked for, or now if it has been."""
        self.canceled.add_done_callback(lambda _: act())

    def withdraw(self) -> None:
        """End the call as cancelled before its first instruction."""
        self._begin()
        self._end(Raised(asyncio.CancelledError()), 0.0)

    def run(self, produce: Callable[[], V], keep: Callable[[V], T]) -> None:
        """Make the call in this thread.

        Args:
            produce: The call.
            keep: Turns its result into what is kept. It counts against a time limit, but not to the
                measured duration.
        """
        moment = self._begin()
        produced = outcome_of(produce)
        seconds = moment.seconds_since()
        self._end(_kept(produced, keep), seconds)

    async def run_async(self, produce: Callable[[], Awaitable[V]], keep: Callable[[V], T]) -> None:
        """Make the call on this event loop, as `run`; whatever it raises ends here."""
        moment = self._begin()
        produced: Outcome[V]
        try:
            produced = Given(await produce())
        except BaseException as error:  # noqa: BLE001 - containing foreign code is the purpose
            produced = raised_by(error)
        seconds = moment.seconds_since()
        self._end(_kept(produced, keep), seconds)

    def _begin(self) -> Moment:
        moment = Moment.now()
        self.begun.set_result(moment)
        return moment

    def _end(self, outcome: Outcome[T], seconds: float) -> None:
        self.ended.set_result(Ended(outcome, seconds))


def _unbreakable() -> "Future[V]":
    future: Future[V] = Future()
    future.set_running_or_notify_cancel()  # from here on nobody can cancel it
    return future


def _kept(produced: Outcome[V], keep: Callable[[V], T]) -> Outcome[T]:
    if isinstance(produced, Raised):
        return produced
    value = produced.value
    return outcome_of(lambda: keep(value))


async def is_done(future: "Future[V]", seconds: float | None = None) -> bool:
    """True once the future is done, false after so many seconds; this event loop stays free."""
    loop = asyncio.get_running_loop()
    told: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not told.done():
            told.set_result(None)

    def tell_loop(_: "Future[V]") -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell)

    future.add_done_callback(tell_loop)
    await asyncio.wait({told}, timeout=seconds)
    return future.done()


async def result_of(call: StartedCall[T]) -> T:
    """What the call gives, without a time limit.

    Raises:
        BaseException: whatever the call raised. When the surrounding task is cancelled, so is the
            call, which has the grace to end.
    """
    try:
        await is_done(call.ended)
    except asyncio.CancelledError:
        call.cancel()
        await is_done(call.ended, GRACE_SECONDS)
        raise
    outcome = call.ended.result().outcome
    if isinstance(outcome, Raised):
        raise outcome.error
    return outcome.value
