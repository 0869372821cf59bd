"""The Wilson interval, against published values and its laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.statistics import wilson_interval

# R. G. Newcombe (1998), table I, method 3; to four digits.
NEWCOMBE = [
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0, 0.1611),
    (1, 29, 0.0061, 0.1718),
    (29, 29, 0.8830, 1.0),
]


@st.composite
def proportions(draw: st.DrawFn) -> tuple[int, int]:
    """Successes and trials."""
    trials = draw(st.integers(1, 10**6))
    return draw(st.integers(0, trials)), trials


@pytest.mark.parametrize(("successes", "trials", "low", "high"), NEWCOMBE)
def test_intervals_are_those_that_newcombe_printed(
    successes: int, trials: int, low: float, high: float
) -> None:
    """An interval that no paper knows convinces nobody."""
    interval = wilson_interval(successes, trials)
    assert interval is not None
    assert interval == pytest.approx((low, high), abs=5e-5)


@given(proportions())
def test_the_proportion_lies_in_its_interval(proportion: tuple[int, int]) -> None:
    """An interval beside its own estimate would be a contradiction on one line."""
    successes, trials = proportion
    interval = wilson_interval(successes, trials)
    assert interval is not None
    assert 0 <= interval[0] <= successes / trials <= interval[1] <= 1


@given(proportions())
def test_failures_mirror_successes(proportion: tuple[int, int]) -> None:
    """Counting fails instead of passes must say the same."""
    successes, trials = proportion
    one, other = wilson_interval(successes, trials), wilson_interval(trials - successes, trials)
    assert one is not None
    assert other is not None
    assert one == pytest.approx((1 - other[1], 1 - other[0]), abs=1e-12)


@given(proportions())
def test_more_confidence_needs_a_wider_interval(proportion: tuple[int, int]) -> None:
    """Otherwise the level would mean nothing."""
    narrow = wilson_interval(*proportion, confidence=0.8)
    wide = wilson_interval(*proportion, confidence=0.99)
    assert narrow is not None
    assert wide is not None
    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


def test_nothing_has_no_interval() -> None:
    """Of no trials nothing is known, not even that the rate is between 0 and 1."""
    assert wilson_interval(0, 0) is None


@pytest.mark.parametrize(
    ("successes", "trials", "confidence"), [(-1, 3, 0.95), (4, 3, 0.95), (1, 3, 0.0), (1, 3, 1.0)]
)
def test_impossible_arguments_are_refused(successes: int, trials: int, confidence: float) -> None:
    """A wrong count must not come out as a plausible interval."""
    with pytest.raises(ValueError, match="expected"):
        wilson_interval(successes, trials, confidence=confidence)
