"""Something that happens once and that threads and event loops wait for."""

import asyncio
import threading
from collections import defaultdict
from contextlib import suppress


class Signal:
    """Fires once; whoever waits, in a thread or on a loop, then goes on.

    A loop is woken once for all that wait on it, so that a signal costs the same for one waiter
    and for two hundred.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fired = threading.Event()
        self._futures: defaultdict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]]
        self._futures = defaultdict(list)

    def fire(self) -> None:
        """Let everyone go on who waits, and everyone who will."""
        with self._lock:
            self._fired.set()
            waiting = dict(self._futures)
            self._futures.clear()
        for loop, futures in waiting.items():
            with suppress(RuntimeError):  # the loop has been closed: nobody waits there any more
                loop.call_soon_threadsafe(_resolve, futures)

    def wait(self) -> None:
        """Block this thread until the signal has fired."""
        self._fired.wait()

    async def fired(self) -> None:
        """Return when the signal has fired; other waiters are untouched by a cancellation."""
        with self._lock:
            if self._fired.is_set():
                return
            loop = asyncio.get_running_loop()
            future = loop.create_future()
            self._futures[loop].append(future)
        await future


def _resolve(futures: list[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
