"""A step of a regrade comes to its end, whatever its host does."""

import asyncio

import pytest
from typing_extensions import override

from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.experiment_settings import RetrySettings
from assay.tasks.regrade_step import RegradeStep


class Counted(RegradeStep):
    """Succeeds at a given attempt, or breaks in every one."""

    def __init__(self, *, works_at: int, error: Exception | None = None) -> None:
        super().__init__("counted", RetrySettings(attempts=3, backoff_seconds=0))
        self.made = 0
        self.last: list[bool] = []
        self._works_at = works_at
        self._error = error

    @override
    async def _attempt(self) -> None:
        self.made += 1
        self.last.append(self._is_last)
        if self._error is not None:
            raise self._error
        if self.attempts < self._works_at:
            raise AttemptFailed("again", retryable=True)


def test_without_a_host_it_makes_its_own_attempts() -> None:
    """As many as are wanted, and knows which is the last."""
    step = Counted(works_at=3)
    asyncio.run(step.finish())
    assert (step.made, step.last) == (3, [False, False, True])


def test_what_a_host_has_done_is_not_done_again() -> None:
    """It made one attempt of two and died."""
    step = Counted(works_at=2)
    with pytest.raises(AttemptFailed):
        asyncio.run(step.attempt(1))
    asyncio.run(step.finish())
    assert step.made == 2
    asyncio.run(step.finish())
    assert step.made == 2


def test_what_breaks_it_is_raised_and_not_tried_again() -> None:
    """A store that fails is no evaluator that may recover."""
    step = Counted(works_at=1, error=OSError("disk"))
    for _ in range(2):
        with pytest.raises(OSError, match="disk"):
            asyncio.run(step.finish())
    assert step.made == 1


def test_an_attempt_that_wants_no_other_is_the_end() -> None:
    """Its error is the host's to show."""
    step = Counted(works_at=1, error=AttemptFailed("no", retryable=False))
    with pytest.raises(AttemptFailed):
        asyncio.run(step.attempt(1))
    asyncio.run(step.finish())
    assert step.made == 1
