"""A call of foreign code that harms nobody: contained, and given up on at its limit."""

import asyncio
import functools
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

from assay.evaluators.off_loop import start_off_loop
from assay.evaluators.outcome import Expired, Given, Outcome, Raised, TimedOutcome

T = TypeVar("T")

GRACE_SECONDS = 0.1
"""How long a cancelled call may take to end before it is abandoned."""

_abandoned: set[object] = set()


async def contain(call: Callable[[], Awaitable[T]]) -> Outcome[T]:
    """What the awaited call gives, or whatever it raises.

    A cancellation of the surrounding task goes on as one; a CancelledError that the call raises by
    itself is an outcome. KeyboardInterrupt is the user's and goes on too.
    """
    try:
        return Given(await call())
    except KeyboardInterrupt:
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return Raised(error)
    except BaseException as error:  # noqa: BLE001 - containing foreign code is the purpose
        return Raised(error)


async def call_within(call: Callable[[], Awaitable[T]], seconds: float | None) -> TimedOutcome[T]:
    """What the call gives or raises, or that it took longer than the limit.

    At the limit the call is cancelled and may take `GRACE_SECONDS` to end. One that ignores the
    cancellation is abandoned: it runs on, nobody waits for it, and what it gives is dropped.

    Args:
        call: Makes the awaitable.
        seconds: The limit, counted from now; None is no limit.
    """
    if seconds is None:
        return await contain(call)
    task: asyncio.Task[Outcome[T]] = asyncio.create_task(_contained(call))
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _give_up(task)
        raise
    if done:
        return task.result()
    return Expired(seconds, abandoned=not await _give_up(task))


async def _contained(call: Callable[[], Awaitable[T]]) -> Outcome[T]:
    # The task's own cancellation has to end the task quietly, or asyncio reports it as lost.
    try:
        return await contain(call)
    except asyncio.CancelledError as error:
        return Raised(error)


async def _give_up(task: "asyncio.Task[Outcome[T]]") -> bool:
    """Cancel the task; true if it ended within the grace."""
    task.cancel()
    try:
        # Not asyncio.wait_for, which waits for a task that swallows its cancellation, for ever.
        await asyncio.wait({task}, timeout=GRACE_SECONDS)
    finally:
        if not task.done():
            _abandon(task)
    return task.done()


def _abandon(task: "asyncio.Task[Outcome[T]]") -> None:
    _keep_until_exit()
    _abandoned.add(task)
    task.add_done_callback(_abandoned.discard)
    # asyncio.run waits at its end for every task that it knows: it has to forget this one.
    asyncio.tasks._unregister_task(task)  # noqa: SLF001 - documented for those who extend asyncio


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


def abandoned_calls() -> int:
    """How many abandoned calls of this process still run on an event loop."""
    return len(_abandoned)
