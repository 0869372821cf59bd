"""How long a trial waits before it is tried again."""

import math

from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.backoff import backoff_seconds
from assay.tasks.experiment_settings import RetrySettings

BACKOFFS = st.floats(0, 1e6)


@given(BACKOFFS, st.integers(1, 10**9))
def test_waits_are_finite_and_never_shrink(first: float, attempt: int) -> None:
    """However many attempts somebody allows."""
    retries = RetrySettings(backoff_seconds=first)
    wait, after = backoff_seconds(retries, attempt), backoff_seconds(retries, attempt + 1)
    assert math.isfinite(wait)
    assert 0 <= wait <= after <= 300 or after == wait


@given(st.floats(0.001, 10), st.integers(1, 4))
def test_each_wait_is_twice_the_one_before(first: float, attempt: int) -> None:
    """Until the limit."""
    retries = RetrySettings(backoff_seconds=first)
    wait = backoff_seconds(retries, attempt)
    assert backoff_seconds(retries, attempt + 1) == min(2 * wait, 300)


def test_no_backoff_is_no_wait() -> None:
    """As the setting says."""
    assert backoff_seconds(RetrySettings(backoff_seconds=0), 9) == 0
