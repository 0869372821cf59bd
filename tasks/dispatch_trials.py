"""Starting trials in a bounded window, so that memory does not grow with their number."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from assay.evaluators.errors import AssayError
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import AttemptFailed, TrialSession

WAITING_FOR_COMMIT = 256
"""How many trials may wait for their rows to become durable."""

_PATIENCE_SECONDS = 5.0

StartTrial = Callable[[TrialKey], Awaitable[object]]


async def dispatch_trials(
    session: TrialSession,
    keys: Iterable[TrialKey],
    start: StartTrial,
    *,
    after_each: Callable[[int], Awaitable[None]],
) -> None:
    """Run every trial, each in a task of its own, and return when all have ended.

    A trial starts when the target has a free slot. One that is stuck keeps its slot and nothing
    else, so it never stops the others. When the surrounding task is cancelled, no trial starts any
    more, those in flight are cancelled, and what has returned stays.

    Args:
        session: The run's slots.
        keys: In the order in which they start.
        start: Runs one trial to its end; it may raise anything.
        after_each: Awaited before the next start, with the number of trials that have ended.

    Raises:
        AssayError: the first failure of the store; nothing starts after it.
    """
    dispatcher = _Dispatcher(session, start)
    try:
        for key in keys:
            if not await dispatcher.admit(key):
                break
            await after_each(session.tally.ended)
        await dispatcher.join()
    except asyncio.CancelledError:
        session.cancellation.cancel()
        await dispatcher.abort()
        raise
    if dispatcher.failure is not None:
        raise dispatcher.failure


class _Dispatcher:
    def __init__(self, session: TrialSession, start: StartTrial) -> None:
        settings = session.planned.settings
        grading = settings.grading_concurrency or settings.concurrency
        self.failure: BaseException | None = None
        self._session = session
        self._start = start
        self._window = asyncio.Semaphore(settings.concurrency + grading + WAITING_FOR_COMMIT)
        self._active: set[asyncio.Task[None]] = set()

    async def admit(self, key: TrialKey) -> bool:
        """Start the trial once there is room; false when nothing may start any more."""
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
        try:
            await self._start(key)
        except AttemptFailed:
            return  # its failure is in the store
        except AssayError as error:
            self._stop(error)
        except Exception as error:  # noqa: BLE001 - a bug ends the run, and is raised at its end
            self._stop(error)
        finally:
            self._session.end(key)
            self._session.tally.ended += 1
            self._window.release()

    def _stop(self, error: BaseException) -> None:
        self.failure = self.failure or error
        self._session.stopping = True

    async def join(self) -> None:
        """Wait until every trial in flight has ended."""
        while self._active:
            await asyncio.wait(set(self._active))

    async def abort(self) -> None:
        """Cancel every trial in flight and give them a moment to end."""
        self._session.stopping = True
        active = set(self._active)
        for one in active:
            one.cancel()
        if active:
            await asyncio.wait(active, timeout=_PATIENCE_SECONDS)
