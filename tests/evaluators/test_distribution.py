"""Means that cannot overflow, and percentiles by nearest rank."""

import math
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.distribution import EMPTY, Distribution, nearest_rank

MAX = sys.float_info.max
TINY = 5e-324
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SAMPLES = st.lists(FINITE, min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("values", "mean"),
    [
        pytest.param((2.0, 4.0), 3.0, id="kernel 6.4 example 2, plain"),
        pytest.param((0.0, 0.0), 0.0, id="kernel 6.4 example 2, zeros"),
        pytest.param((MAX, MAX), MAX, id="kernel 6.4 example 2, largest"),
        pytest.param((TINY, TINY), TINY, id="kernel 6.4 example 2, smallest"),
        pytest.param((-MAX, -MAX), -MAX, id="kernel 6.4 example 2, most negative"),
        pytest.param((-MAX, MAX), 0.0, id="kernel 6.4 example 2, opposite"),
    ],
)
def test_means_of_extreme_values_are_exact(values: tuple[float, ...], mean: float) -> None:
    """A sum that overflows would turn two legal measurements into no number at all."""
    assert Distribution.of(values).mean == mean


@pytest.mark.parametrize("values", [(-0.0,), (-0.0, 0.0), (0.0, -0.0), (-1.0, 1.0)])
def test_a_mean_of_zero_is_positive_zero(values: tuple[float, ...]) -> None:
    """Equal zeros must be spelled equally, or two equal summaries differ by a sign."""
    one = Distribution.of(values)
    assert (one.mean, math.copysign(1.0, one.mean)) == (0.0, 1.0)
    assert all(math.copysign(1.0, zero) == 1.0 for zero in (one.minimum, one.maximum) if not zero)


@given(FINITE, st.integers(1, 200))
def test_the_mean_of_equal_values_is_that_value(value: float, count: int) -> None:
    """However large, however small, however many."""
    assert Distribution.of([value] * count).mean == value


@given(SAMPLES)
def test_the_mean_is_the_true_one_to_the_last_digits(values: list[float]) -> None:
    """The exact sum of the numbers over their count, rounded once or twice and no more."""
    truth = sum(map(Fraction, values)) / len(values)
    mean = Fraction(Distribution.of(values).mean)
    largest = max(map(abs, values))
    # Numbers near the largest float are summed 2**-64 smaller, where denormals lose digits.
    assert abs(mean - truth) <= 2 * Fraction(math.ulp(float(truth))) + Fraction(largest) / 2**1000


@given(SAMPLES, st.randoms())
def test_the_order_of_values_never_matters(values: list[float], random: object) -> None:
    """Part files are read in any order, and the summary must be the same byte for byte."""
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert Distribution.of(values) == Distribution.of(shuffled)


@given(SAMPLES)
def test_minimum_mean_percentiles_and_maximum_are_in_order(values: list[float]) -> None:
    """A reader checks a row of numbers this way before believing it."""
    one = Distribution.of(values)
    spread = [one.minimum, one.p10, one.p50, one.p90, one.p95, one.maximum]
    assert spread == sorted(spread)
    assert one.minimum <= one.mean <= one.maximum
    assert one.count == len(values)


@given(SAMPLES)
def test_percentiles_are_values_that_occurred(values: list[float]) -> None:
    """Nothing is interpolated, so a percentile can be looked up among the cases."""
    one = Distribution.of(values)
    assert {one.p10, one.p50, one.p90, one.p95} <= {value + 0.0 for value in values}


@pytest.mark.parametrize(
    ("values", "p10", "p50", "p90"),
    [
        pytest.param(range(1, 2), 1, 1, 1, id="kernel 6.4, n=1: all equal"),
        pytest.param(range(1, 3), 1, 1, 2, id="kernel 6.4, n=2: minimum, minimum, maximum"),
        pytest.param(range(1, 11), 1, 5, 9, id="kernel 6.4, n=10: 1st, 5th, 9th"),
        pytest.param((1, 2, 3, 4), 1, 2, 4, id="B13: the lower median, and named so"),
    ],
)
def test_percentiles_are_nearest_rank(values: range, p10: float, p50: float, p90: float) -> None:
    """One definition everywhere, without interpolation."""
    one = Distribution.of(map(float, values))
    assert (one.p10, one.p50, one.p90) == (p10, p50, p90)


@pytest.mark.parametrize(
    ("values", "p95"), [(range(1, 21), 19.0), ((10, 20, 30), 30.0), ((1, 2, 3, 4), 4.0)]
)
def test_b51_the_95th_percentile_is_off_by_none(values: range, p95: float) -> None:
    """Both neighbours of the right rank have been shipped as p95 by others."""
    assert Distribution.of(map(float, values)).p95 == p95


@given(st.integers(1, 10**7), st.sampled_from([10, 50, 90, 95]))
def test_ranks_are_those_of_whole_number_arithmetic(count: int, percent: int) -> None:
    """The product of fraction and count is a float, and must not be rounded across a rank."""
    assert nearest_rank(percent / 100, count) == max(0, -(-percent * count // 100) - 1)


def test_nothing_is_all_zeros_and_told_apart_by_its_count() -> None:
    """Real zeros have a count."""
    assert Distribution.of([]) == EMPTY == Distribution(count=0)
    assert EMPTY.payload() is None
    assert Distribution.of([0.0]).payload() is not None
