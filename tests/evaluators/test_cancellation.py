"""A token that says that somebody outside wants the work to stop."""

import asyncio

import pytest

from assay.evaluators.cancellation import Cancellation, current_cancellation, governed_by
from assay.evaluators.errors import Canceled
from assay.evaluators.off_loop import run_off_loop
from assay.evaluators.outcome import Given


class Empty(Exception):
    """An exception that is false, as an empty container is."""

    def __len__(self) -> int:
        return 0


def test_a_token_is_clear_until_it_is_cancelled() -> None:
    """And then stays set, with its first cause."""
    token = Cancellation()
    token.raise_if_canceled()
    assert (token.canceled, token.cause, token.error()) == (False, None, None)
    token.cancel(TimeoutError("first"))
    token.cancel(ValueError("second"))
    assert token.canceled
    assert isinstance(token.cause, TimeoutError)


@pytest.mark.parametrize("cause", [None, Canceled("mine"), TimeoutError(), Empty()])
def test_the_error_of_a_cancellation_is_canceled_with_its_cause(
    cause: BaseException | None,
) -> None:
    """Kernel 1.4b: a deadline of the caller is a cancellation too."""
    token = Cancellation()
    token.cancel(cause)
    with pytest.raises(Canceled) as caught:
        token.raise_if_canceled()
    if cause is not None:
        assert cause in (caught.value, caught.value.__cause__)


def test_a_derived_token_is_cancelled_with_its_parent_and_without_it() -> None:
    """Kernel 1.4b: a group may end without ending its caller."""
    parent = Cancellation()
    one, other = Cancellation(parent), Cancellation(parent)
    one.cancel()
    assert (one.canceled, other.canceled, parent.canceled) == (True, False, False)
    parent.cancel(TimeoutError())
    assert other.canceled
    assert isinstance(other.cause, TimeoutError)
    assert isinstance(one.cause, Canceled)


def test_the_governing_token_is_seen_by_what_the_block_starts() -> None:
    """In tasks and in threads; outside, there is one that nobody ever sets."""
    token = Cancellation()

    async def main() -> None:
        with governed_by(token):
            task = asyncio.create_task(in_task())
            assert await run_off_loop(current_cancellation) == Given(token)
        assert await task is token
        assert current_cancellation() is not token

    async def in_task() -> Cancellation:
        await asyncio.sleep(0)
        return current_cancellation()

    asyncio.run(main())
    assert not current_cancellation().canceled
