"""How a list of numbers is spread: exact mean, and percentiles by nearest rank."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import polars as pl

Payload: TypeAlias = dict[str, object]
"""A JSON object in the names of the machine output."""

_SLICE = 1 << 16
_DOWN = 2.0**-64


@dataclass(frozen=True, slots=True)
class Distribution:
    """Count, mean and spread of finite numbers; all zeros for none, told apart by the count.

    Percentiles are nearest-rank, never interpolated: p50 of 1, 2, 3, 4 is 2, the lower median.

    Attributes:
        count: How many numbers.
        mean: Their exactly summed mean, between minimum and maximum.
        minimum: The smallest.
        p10: The 10th percentile.
        p50: The 50th percentile.
        p90: The 90th percentile.
        p95: The 95th percentile; with fewer than 20 numbers it is the maximum.
        maximum: The largest.

    Examples:
        >>> Distribution.of([1.0, 0.0]).mean
        0.5
        >>> Distribution.of(float(n) for n in range(1, 21)).p95
        19.0
    """

    count: int = 0
    mean: float = 0.0
    minimum: float = 0.0
    p10: float = 0.0
    p50: float = 0.0
    p90: float = 0.0
    p95: float = 0.0
    maximum: float = 0.0

    @classmethod
    def of(cls, values: Iterable[float]) -> "Distribution":
        """The distribution of finite numbers in any order."""
        column = pl.Series([value + 0.0 for value in values], dtype=pl.Float64)
        return cls.of_sorted(column.sort())

    @classmethod
    def of_sorted(cls, values: pl.Series) -> "Distribution":
        """The distribution of an ascending Float64 column without nulls and negative zeros."""
        count = len(values)
        if not count:
            return cls()
        p10, p50, p90, p95 = (float(values[nearest_rank(q, count)]) for q in (0.1, 0.5, 0.9, 0.95))
        return cls(
            count=count,
            mean=mean_of_sorted(values),
            minimum=float(values[0]),
            p10=p10,
            p50=p50,
            p90=p90,
            p95=p95,
            maximum=float(values[-1]),
        )

    def payload(self) -> Payload | None:
        """The machine form, or None where there are no numbers."""
        if not self.count:
            return None
        names = ("count", "mean", "minimum", "p10", "p50", "p90", "maximum")
        return {name: getattr(self, name) for name in names}


def nearest_rank(fraction: float, count: int) -> int:
    """The 0-based position of a percentile among `count` ascending numbers."""
    return max(0, math.ceil(fraction * count) - 1)


def mean_of_sorted(values: pl.Series) -> float:
    """The mean of an ascending, non-empty column: exact sum, so no order and no size harms it.

    Never overflows, is exact for equal numbers, and is positive zero for zeros of either sign.
    """
    low, high = float(values[0]), float(values[-1])
    if low == high:
        return low + 0.0
    mean = _mean(values, low=low, high=high)
    return min(max(mean, low), high) + 0.0


def _mean(values: pl.Series, *, low: float, high: float) -> float:
    count = len(values)
    if math.isfinite(max(-low, high) * count):
        return math.fsum(_floats(values)) / count
    # A power of two scales without rounding, and no column is long enough to overflow below it.
    return math.fsum(value * _DOWN for value in _floats(values)) / count / _DOWN


def _floats(values: pl.Series) -> Iterator[float]:
    starts = range(0, len(values), _SLICE)
    return chain.from_iterable(values.slice(start, _SLICE).to_list() for start in starts)


EMPTY = Distribution()
"""The distribution of nothing."""
