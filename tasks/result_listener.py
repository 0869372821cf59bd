"""Handing ended trials to a callback, which can harm nothing."""

import asyncio
import inspect

from assay.tasks.trial_note import OnResult, TrialNote


class ResultListener:
    """Calls `on_result` with one trial at a time, in the order in which they ended.

    Args:
        on_result: A function or a coroutine function; None listens to nothing.

    Attributes:
        error: What it raised first, to be raised once the report exists.
    """

    def __init__(self, on_result: OnResult | None = None) -> None:
        self.error: BaseException | None = None
        self._on_result = on_result
        self._turn = asyncio.Lock()

    async def tell(self, note: TrialNote) -> None:
        """Return when the callback has returned, or raised.

        Raises:
            asyncio.CancelledError: when the surrounding task is cancelled.
        """
        if self._on_result is None:
            return
        async with self._turn:
            try:
                answer = self._on_result(note)
                if inspect.isawaitable(answer):
                    await answer
            except BaseException as error:
                if _is_from_outside(error):
                    raise
                self.error = self.error or error


def _is_from_outside(error: BaseException) -> bool:
    """True for a cancellation of this very task, not one that the callback made up."""
    task = asyncio.current_task()
    canceled = isinstance(error, asyncio.CancelledError)
    return canceled and task is not None and task.cancelling() > 0
