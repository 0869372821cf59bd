"""The event loop on which asynchronous targets run, in a daemon thread.

It is not the host's loop: a target that blocks it, or swallows its cancellation, holds up neither
the other trials nor the end of the process, and everything that a target binds to its loop (a model
client, a lock) meets the same loop in every trial.

A loop that a target blocks for long after its time limit is retired: calls that wait on it go to a
new one, and so do later calls. Calls that had begun on it stay.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import TypeVar

from assay.evaluators.off_loop import start_off_loop
from assay.tasks.targets.started_call import StartedCall

V = TypeVar("V")
T = TypeVar("T")

STUCK_SECONDS = 2.0
"""How long a loop may leave a cancellation unread before it is retired."""


def start_on_loop(produce: Callable[[], Awaitable[V]], keep: Callable[[V], T]) -> StartedCall[T]:
    """The call, started on the targets' loop with this context's variables.

    A cancellation cancels its task.

    Args:
        produce: Makes the awaitable, on that loop.
        keep: Turns its result into what is kept, on that loop.
    """
    call: StartedCall[T] = StartedCall()
    job = _Job(lambda: call.run_async(produce, keep))
    _choice.current().submit(job)

    def cancel() -> None:
        if not job.cancel():
            call.withdraw()

    call.on_cancel(cancel)
    return call


class _Job:
    """A coroutine that begins on the first loop that gets to it, unless it was cancelled before."""

    def __init__(self, main: Callable[[], Coroutine[object, object, None]]) -> None:
        self._main = main
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._withdrawn = False
        self._home: _TargetLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self, home: "_TargetLoop") -> "asyncio.Task[None] | None":
        """The task, now created on this loop; None if it is not for this loop to begin."""
        with self._lock:
            if self._withdrawn or self._home is not None:
                return None
            self._home = home
            self._task = home.loop.create_task(self._main(), context=self._context)
            return self._task

    def cancel(self) -> bool:
        """Cancel the task, and retire its loop if that does not get to it.

        Returns:
            False if the coroutine had not begun, and now never will.
        """
        with self._lock:
            home, task = self._home, self._task
            if home is None or task is None:
                self._withdrawn = True
                return False
        seen = threading.Event()

        def act() -> None:
            seen.set()
            task.cancel()

        with suppress(RuntimeError):  # the loop is closed: the task ended long ago
            home.loop.call_soon_threadsafe(act)
            start_off_loop(lambda: None if seen.wait(STUCK_SECONDS) else home.retire())
        return True


class _TargetLoop:
    """An event loop that runs in a daemon thread until it is retired and idle."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._waiting: set[_Job] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._retired = False
        threading.Thread(target=self._run, name="assay-targets", daemon=True).start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        while not self._retired or self._tasks:
            try:
                self.loop.run_forever()
            except BaseException:  # noqa: BLE001, S112 - SystemExit of a task that a target started
                continue
        self.loop.close()

    def submit(self, job: _Job) -> None:
        """Begin the job here, or where later jobs go if this loop has been retired."""
        with self._lock:
            if not self._retired:
                self._waiting.add(job)
                self.loop.call_soon_threadsafe(self._begin, job)
                return
        _choice.current().submit(job)

    def _begin(self, job: _Job) -> None:
        with self._lock:
            self._waiting.discard(job)
        task = job.begin(self)
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        self._stop_if_idle()

    def _stop_if_idle(self) -> None:
        if self._retired and not self._tasks:
            self.loop.stop()

    def retire(self) -> None:
        """Take no more jobs, and pass on those that wait."""
        _choice.drop(self)
        with self._lock:
            self._retired = True
            waiting, self._waiting = self._waiting, set()
        for job in waiting:
            _choice.current().submit(job)
        with suppress(RuntimeError):  # it is closed already
            self.loop.call_soon_threadsafe(self._stop_if_idle)


class _Choice:
    """Which loop takes new jobs."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew: a forked child has no thread that runs the loop, and perhaps a taken lock."""
        self._lock = threading.Lock()
        self._loop: _TargetLoop | None = None

    def current(self) -> _TargetLoop:
        """The loop, started when it is first needed."""
        with self._lock:
            if self._loop is None:
                self._loop = _TargetLoop()
            return self._loop

    def drop(self, loop: _TargetLoop) -> None:
        """Take another one from now on."""
        with self._lock:
            if self._loop is loop:
                self._loop = None


_choice = _Choice()
os.register_at_fork(after_in_child=_choice.forget)
