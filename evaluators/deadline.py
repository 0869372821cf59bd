"""A call of foreign code that harms nobody: contained, and given up on at its limit."""

import asyncio
import functools
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

from assay.evaluators.off_loop import start_off_loop, threads_of
from assay.evaluators.outcome import Expired, Given, Outcome, TimedOutcome, raised_by

T = TypeVar("T")

GRACE_SECONDS = 0.1
"""How long a cancelled call may take to end before it is abandoned."""


@dataclass(eq=False, frozen=True, slots=True)
class _Call(Generic[T]):
    task: asyncio.Task[Outcome[T]]
    threads: set[object]

    def runs(self) -> bool:
        return not self.task.done() or bool(self.threads)


_abandoned: "set[_Call[object]]" = set()


@overload
async def call_within(call: Callable[[], Awaitable[T]], seconds: None) -> Outcome[T]: ...


@overload
async def call_within(
    call: Callable[[], Awaitable[T]], seconds: float | None
) -> TimedOutcome[T]: ...


async def call_within(call: Callable[[], Awaitable[T]], seconds: float | None) -> TimedOutcome[T]:
    """What the call gives or raises, or that it took longer than the limit.

    The call has a task and a context of its own, so that it can neither cancel its caller nor leave
    anything behind in the caller's context variables. At the limit it is cancelled and may take
    `GRACE_SECONDS` to end. One that ignores the cancellation is abandoned: it runs on, nobody waits
    for it, and what it gives is dropped. The caller's own cancellation ends it in the same way.

    Args:
        call: Makes the awaitable.
        seconds: The limit, counted from now; None is no limit.
    """
    running = _start(call)
    try:
        await asyncio.wait({running.task}, timeout=seconds)
    except asyncio.CancelledError:
        await _give_up(running)
        raise
    if seconds is None or running.task.done():
        return running.task.result()
    await _give_up(running)
    return Expired(seconds, abandoned=running.runs())


def _start(call: Callable[[], Awaitable[T]]) -> _Call[T]:
    with threads_of() as threads:
        return _Call(asyncio.create_task(_contained(call)), threads)


async def _contained(call: Callable[[], Awaitable[T]]) -> Outcome[T]:
    try:
        return Given(await call())
    except BaseException as error:  # noqa: BLE001 - containing foreign code is the purpose
        return raised_by(error)


async def _give_up(running: _Call[T]) -> None:
    running.task.cancel()
    try:
        # Not asyncio.wait_for, which waits for a task that swallows its cancellation, for ever.
        await asyncio.wait({running.task}, timeout=GRACE_SECONDS)
    finally:
        if running.runs():
            _abandon(running)


def _abandon(running: _Call[T]) -> None:
    _keep_until_exit()
    _forget_ended()
    _abandoned.add(running)  # type: ignore[arg-type]  # what it gives does not matter any more
    if not running.task.done():
        # asyncio.run waits at its end for every task that it knows: it has to forget this one.
        asyncio.tasks._unregister_task(running.task)  # noqa: SLF001 - documented for extensions


@functools.cache
def _keep_until_exit() -> None:
    """Hold the abandoned tasks in a thread that never ends.

    The interpreter clears its modules when it leaves, and would close each coroutine in there: one
    that swallows every exception would then hold up the exit.
    """
    held = _abandoned
    start_off_loop(lambda: _hold(held))


def _hold(_held: object) -> None:
    threading.Event().wait()


def _forget_ended() -> None:
    _abandoned.difference_update([one for one in _abandoned if not one.runs()])


def abandoned_calls() -> int:
    """How many abandoned calls of this process still run, on an event loop or in a thread."""
    _forget_ended()
    return len(_abandoned)
