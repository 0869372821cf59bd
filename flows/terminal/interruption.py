"""Ctrl-C, a termination and a hang-up: work is asked to end, and not waited for for ever."""

import asyncio
import contextvars
import queue
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import FrameType
from typing import Generic, TypeVar

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Those by which a user or a host ends a command."""

_PATIENCE_SECONDS = 8.0
_IMPATIENCE_SECONDS = 2.0

Handler = Callable[[int, FrameType | None], object]


@contextmanager
def every_signal_interrupts() -> Iterator[None]:
    """A termination and a hang-up raise KeyboardInterrupt within, as Ctrl-C does."""
    with _handled_by(signal.default_int_handler):
        yield


def run_until_interrupted(
    work: Callable[[], Coroutine[object, object, T]], *, on_signal: Callable[[], None]
) -> T:
    """What the coroutine returns; it runs on an event loop in a thread of its own.

    At the first signal it is cancelled, and then may take some seconds to end, after a second
    signal a moment; what takes longer is left behind. Work that returns after all was not
    interrupted.

    Args:
        work: Makes the coroutine.
        on_signal: Called once, at the first signal.

    Raises:
        KeyboardInterrupt: a signal ended it.
        BaseException: whatever the coroutine raises.
    """
    running = _Running(work)
    with _handled_by(running.note_signal):
        running.start()
        return running.result(on_signal)


@contextmanager
def _handled_by(handler: Handler) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is told of signals
        return
    # A signal that whoever started us wants to be ignored, as nohup does, stays ignored.
    heeded = [one for one in SIGNALS if signal.getsignal(one) is not signal.SIG_IGN]
    before = [(one, signal.signal(one, handler)) for one in heeded]
    try:
        yield
    finally:
        for number, former in before:
            signal.signal(number, former)


class _Running(Generic[T]):
    """A coroutine in another thread, and what is heard meanwhile."""

    def __init__(self, work: Callable[[], Coroutine[object, object, T]]) -> None:
        self._work = work
        self._ended: Future[T] = Future()
        # A signal handler may put into it at any moment, which it may not do to a lock or event.
        self._heard: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._cancel: Callable[[], object] | None = None
        self._asked = False

    def note_signal(self, number: int, _frame: FrameType | None) -> None:
        """Hear a signal."""
        self._heard.put(number)

    def start(self) -> None:
        """Begin the work, with the context variables of the caller."""
        context = contextvars.copy_context()
        threading.Thread(
            target=context.run, args=(self._run,), name="assay-work", daemon=True
        ).start()

    def result(self, on_signal: Callable[[], None]) -> T:
        """What the work returned."""
        patience: float | None = None
        try:
            while self._heard.get(timeout=patience) is not None:
                if patience is None:
                    self._ask_to_end()
                    on_signal()
                patience = _PATIENCE_SECONDS if patience is None else _IMPATIENCE_SECONDS
        except queue.Empty:
            raise KeyboardInterrupt from None
        try:
            return self._ended.result()
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None

    def _ask_to_end(self) -> None:
        self._asked = True
        if self._cancel is not None:
            self._cancel()

    def _run(self) -> None:
        try:
            self._ended.set_result(asyncio.run(self._main()))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            self._ended.set_exception(error)
        finally:
            self._heard.put(None)

    async def _main(self) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        if self._asked:
            raise asyncio.CancelledError
        return await self._work()
