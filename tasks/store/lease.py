"""The lease on a folder: one writer at a time, and one that has lost it stops."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from assay.evaluators.errors import InputError
from assay.tasks.store.claim import Claim, Claims
from assay.tasks.store.folder import Folder
from assay.tasks.store.store_error import StoreError

_CONTENDERS = 8


@dataclass(frozen=True, slots=True)
class LeaseTimes:
    """How a lease is kept, and when it is taken for given up.

    Attributes:
        beat_seconds: The holder gives a sign of life this often.
        silent_seconds: A holder on another machine whose last sign is further away, by clocks that
            may differ by as much, is suspected to be gone.
        watch_seconds: It is gone if, while it is watched for so long, no sign comes.
    """

    beat_seconds: float = 5.0
    silent_seconds: float = 60.0
    watch_seconds: float = 15.0


class Lease:
    """The right to write a folder, taken on entering (`with` or `async with`) and given back after.

    A holder that was killed on this machine is known to be gone at once; one on another machine
    after it has been silent. Writers on several machines share one lease by its token.

    Args:
        folder: Where the claims lie.
        what: What is held, for messages.
        purpose: What for, one word for messages.
        token: Of a live lease to take part in; by default a lease of one's own is taken.
        times: How it is kept.
    """

    def __init__(
        self,
        folder: Folder,
        *,
        what: str,
        purpose: str,
        token: str | None = None,
        times: LeaseTimes | None = None,
    ) -> None:
        self._claims = Claims(folder)
        self._place = folder.place
        self._what = what
        self._claim = Claim(purpose) if token is None else Claim(purpose, token=token)
        self._times = times or LeaseTimes()
        self._number = 0
        self._sign_at = 0.0
        self._lost = ""
        self._ending = threading.Event()
        self._keeper: threading.Thread | None = None
        self.joined = token is not None

    @property
    def token(self) -> str:
        """What other machines join this lease with."""
        return self._claim.token

    def require_held(self) -> None:
        """Return if this process may write.

        Raises:
            StoreError: the lease was taken over, given back, or never taken.
        """
        if self._number == 0 or self._ending.is_set():
            message = f"{self._what}: the lease to write it is not held"
            raise StoreError(message)
        if time.monotonic() - self._sign_at > self._times.silent_seconds / 2:
            self._look()  # this process was suspended, or the store could not be reached
        if self._lost:
            raise StoreError(self._lost)

    def acquire(self) -> None:
        """Take the lease; `with` does it.

        Raises:
            InputError: somebody else holds it; the message says who, and what to do.
            StoreError: the store cannot be read or written.
        """
        if self.joined:
            self._join()
        else:
            self._take()
        self._sign_at = time.monotonic()
        self._keeper = threading.Thread(target=self._keep, name="assay-lease", daemon=True)
        self._keeper.start()

    def release(self) -> None:
        """Give the lease back; twice is fine."""
        self._ending.set()
        if self._keeper is not None:
            self._keeper.join()
        if self._number and not self.joined and not self._lost:
            with suppress(StoreError):  # it will be found silent instead
                self._claims.rewrite(self._number, self._claim.ended())
        self._number = 0

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    async def __aenter__(self) -> Self:
        taking = asyncio.ensure_future(asyncio.to_thread(self.acquire))
        try:
            await asyncio.shield(taking)
        except asyncio.CancelledError:
            with suppress(InputError, StoreError):
                await taking
            self.release()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.release)

    def _take(self) -> None:
        for _ in range(_CONTENDERS):
            number, there = self._claims.newest()
            if there is not None and not self._is_free(number, there):
                break
            if self._claims.make(number + 1, self._claim):
                self._number = number + 1
                return
        _, there = self._claims.newest()
        raise self._refusal(there)

    def _is_free(self, number: int, there: Claim) -> bool:
        if there.is_over():
            return True
        if there.silence_seconds() <= self._times.silent_seconds:
            return False
        time.sleep(self._times.watch_seconds)
        return self._claims.newest() == (number, there)

    def _join(self) -> None:
        number, there = self._claims.newest()
        if there is None or there.token != self.token or there.is_over():
            message = "the lease to take part in has ended, or somebody else took it over"
            raise InputError(message, place=self._what, kind="run")
        self._number = number

    def _refusal(self, there: Claim | None) -> InputError:
        silent = self._times.silent_seconds
        message = (
            f"is being written by {there or 'another process'}; wait until that ends, or end it "
            f"(once it gives no sign for {silent:g} s, it is taken to have ended)"
        )
        return InputError(message, place=self._what, kind="run")

    def _keep(self) -> None:
        while not self._ending.wait(self._times.beat_seconds) and not self._lost:
            self._tolerantly(self._look)
            if not self.joined and not self._lost:
                self._tolerantly(self._beat)

    def _tolerantly(self, step: Callable[[], None]) -> None:
        with suppress(StoreError):  # the next beat may reach the store again
            step()

    def _look(self) -> None:
        if self._claims.is_newest(self._number):
            self._sign_at = time.monotonic()
            return
        _, there = self._claims.newest()
        self._lost = (
            f"{self._what}: this process has lost the lease to write it to {there}; "
            "what it acknowledged is kept, nothing more is written"
        )

    def _beat(self) -> None:
        self._claim = self._claim.beaten()
        self._claims.rewrite(self._number, self._claim)
