"""Synchronous work beside an event loop, in threads that nobody has to wait for."""

import asyncio
import contextvars
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from queue import SimpleQueue
from typing import TypeVar

from typing_extensions import override

from assay.evaluators.outcome import Given, Outcome, raised_by

T = TypeVar("T")


class _Worker(threading.Thread):
    """A daemon thread that runs one job after the other, and is idle in between.

    Threads of an executor are joined when the interpreter leaves, so one job that never returns
    would keep the process alive for ever; a daemon thread does not.
    """

    def __init__(self) -> None:
        super().__init__(name="assay-worker", daemon=True)
        self.jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()

    @override
    def run(self) -> None:
        """Run jobs until the process ends."""
        while True:
            self.jobs.get()()
            _idle.append(self)


_idle: deque[_Worker] = deque()
# A forked child has none of the threads that its parent had.
os.register_at_fork(after_in_child=_idle.clear)


def start_off_loop(job: Callable[[], None]) -> None:
    """Start the job in a daemon thread; it has to contain what it raises."""
    _worker().jobs.put(job)


def _worker() -> _Worker:
    try:
        return _idle.pop()
    except IndexError:
        worker = _Worker()
        worker.start()
        return worker


_threads: ContextVar[set[object] | None] = ContextVar("assay_threads", default=None)


@contextmanager
def threads_of() -> Iterator[set[object]]:
    """A set that holds, from now on, whatever runs in a thread for what the block starts."""
    threads: set[object] = set()
    reset = _threads.set(threads)
    try:
        yield threads
    finally:
        _threads.reset(reset)


async def run_off_loop(function: Callable[[], T]) -> Outcome[T]:
    """What the function gave or raised, called in a daemon thread with this context's variables.

    A caller that stops waiting abandons the call: it runs on, and what it gives is dropped.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Outcome[T]] = loop.create_future()
    context = contextvars.copy_context()
    threads = _threads.get()

    def tell(outcome: Outcome[T]) -> None:
        if not done.done():
            done.set_result(outcome)

    def job() -> None:
        outcome = context.run(outcome_of, function)
        if threads is not None:
            threads.discard(job)
        try:
            loop.call_soon_threadsafe(tell, outcome)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    if threads is not None:
        threads.add(job)
    start_off_loop(job)
    return await done


def outcome_of(function: Callable[[], T]) -> Outcome[T]:
    """What the function gives, or whatever it raises, SystemExit included."""
    try:
        return Given(function())
    except BaseException as error:  # noqa: BLE001 - containing foreign code is the purpose
        return raised_by(error)
