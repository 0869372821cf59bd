"""A part of a regrade that a host runs, and that comes to its end whatever the host does."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress

from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.backoff import backoff_seconds
from assay.tasks.experiment_settings import RetrySettings


class RegradeStep(ABC):
    """Some grades of a new grading; a plain object, so that no host looks into its rows.

    Args:
        name: For people.
        retries: When an attempt is followed by another one.

    Attributes:
        attempts: How often it was tried.
    """

    def __init__(self, name: str, retries: RetrySettings) -> None:
        self.name = name
        self.attempts = 0
        self._retries = retries
        self._settled = False
        self._broken: Exception | None = None

    @abstractmethod
    async def _attempt(self) -> None:
        """Make the grades that are missing still; they are durable when this returns.

        Raises:
            AttemptFailed: when another attempt is wanted.
        """

    @property
    def _is_last(self) -> bool:
        """True if no attempt follows this one."""
        return self.attempts >= self._retries.attempts

    async def attempt(self, number: int) -> None:
        """Make the attempt of that number, from 1; what it has made is durable.

        Raises:
            AttemptFailed: when some evaluators failed in a way that is worth another attempt.
            StoreError: when a part cannot be read or written.
        """
        self.attempts = number
        try:
            await self._attempt()
        except AttemptFailed as error:
            self._settled = not error.retryable
            raise
        except Exception as error:
            self._broken = error
            raise
        self._settled = True

    async def finish(self) -> None:
        """Make the attempts that are still wanted, whatever became of the host.

        Raises:
            Exception: what went wrong beside the evaluators, such as the store.
        """
        while not self._settled:
            if self._broken is not None:
                raise self._broken
            if self.attempts:
                await asyncio.sleep(backoff_seconds(self._retries, self.attempts))
            with suppress(AttemptFailed):
                await self.attempt(self.attempts + 1)
