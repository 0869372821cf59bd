"""Starting trials in a bounded window, so that memory does not grow with their number."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from assay.tasks.result_listener import ResultListener
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import TrialSession

_GRACE_SECONDS = 2.0
_PATIENCE_SECONDS = 3.0

StartTrial = Callable[[TrialKey], Awaitable[None]]
"""Runs one trial to its end."""


async def dispatch_trials(
    session: TrialSession,
    keys: Iterable[TrialKey],
    start: StartTrial,
    *,
    listener: ResultListener,
    before_each: Callable[[int], Awaitable[None]],
) -> None:
    """Run every trial, each in a task of its own, and return when all have ended.

    A trial starts when the target has a free slot. One that is stuck keeps its slot and nothing
    else, so it never stops the others. When the surrounding task is cancelled, no trial starts any
    more, those in flight have a moment to return before they are cancelled, and what has returned
    stays.

    Args:
        session: The run's slots.
        keys: In the order in which they start; each is asked for when the one before has started.
        start: Runs one trial to its end; what it raises ends the run.
        listener: Is told of each trial that has ended, and whose rows are durable.
        before_each: Awaited before a start, with the number of trials that have ended.

    Raises:
        Exception: what went wrong first beside targets and assessments, such as the store; nothing
            starts after it, and all that has started has ended.
    """
    dispatcher = _Dispatcher(session, start, listener)
    try:
        await dispatcher.start_all(keys, before_each)
        await dispatcher.join()
    except asyncio.CancelledError:
        session.cancellation.cancel()
        await dispatcher.abort()
        raise
    if dispatcher.failure is not None:
        raise dispatcher.failure


class _Dispatcher:
    def __init__(self, session: TrialSession, start: StartTrial, listener: ResultListener) -> None:
        self.failure: Exception | None = None
        self._session = session
        self._start = start
        self._listener = listener
        self._window = asyncio.Semaphore(session.window)
        self._active: set[asyncio.Task[None]] = set()

    async def start_all(
        self, keys: Iterable[TrialKey], before_each: Callable[[int], Awaitable[None]]
    ) -> None:
        """Start one trial after the other as there is room, until nothing may start any more."""
        try:
            for key in keys:
                await before_each(self._session.tally.ended)
                if not await self._admit(key):
                    return
        except Exception as error:  # noqa: BLE001 - raised once what has started has ended
            self._stop(error)

    async def _admit(self, key: TrialKey) -> bool:
        await self._window.acquire()
        await self._session.target_slots.acquire()
        if self._session.stopping:
            self._session.target_slots.release()
            self._window.release()
            return False
        self._session.begin(key)
        running = asyncio.create_task(self._run(key), name=key.name)
        self._active.add(running)
        running.add_done_callback(self._active.discard)
        return True

    async def _run(self, key: TrialKey) -> None:
        kept = True
        try:
            try:
                await self._start(key)
            except Exception as error:  # noqa: BLE001 - raised once what has started has ended
                kept = False
                self._stop(error)
            finally:
                note = self._session.end(key)
            if kept:
                await self._listener.tell(note)
        finally:
            self._window.release()

    def _stop(self, error: Exception) -> None:
        self.failure = self.failure or error
        self._session.stop()

    async def join(self) -> None:
        """Wait until every trial in flight has ended."""
        while self._active:
            await asyncio.wait(set(self._active))

    async def abort(self) -> None:
        """Let trials in flight end, and cancel those that take longer than a moment.

        A call that is about to return has been paid for.
        """
        self._session.stop()
        if self._active:
            await asyncio.wait(set(self._active), timeout=_GRACE_SECONDS)
        late = set(self._active)
        for one in late:
            one.cancel()
        if late:
            await asyncio.wait(late, timeout=_PATIENCE_SECONDS)
