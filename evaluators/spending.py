"""What a run cost: tokens, money and seconds, and of how many trials that is known."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.evaluators.distribution import EMPTY, Distribution, Payload, nearest_rank
from assay.evaluators.grading import USAGE, one_zero

_EXECUTED = pl.col("kind").is_not_null()
_PROMPT_AND_ANSWER = USAGE[:4]


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Tokens and model calls, summed over the executions that recorded them.

    Attributes:
        counters: The sum of each counter of a receipt's usage.
        recorded: Executions with usage.
        missing: Executions without.
    """

    counters: Mapping[str, int] = field(default_factory=dict)
    recorded: int = 0
    missing: int = 0

    def payload(self) -> Payload | None:
        """The machine form, or None where no usage was recorded."""
        if not self.recorded:
            return None
        total = sum(self.counters[name] for name in _PROMPT_AND_ANSWER)
        counted = {"recorded": self.recorded, "missing": self.missing}
        return {**self.counters, "total_tokens": total, **counted}


@dataclass(frozen=True, slots=True)
class CostTotal:
    """Money, summed over the executions that recorded it.

    Attributes:
        total: In the currency of the experiment, or None where no cost was recorded.
        recorded: Executions with a cost.
        missing: Executions without.
    """

    total: float | None = None
    recorded: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Durations:
    """Seconds that the receipts took, and what the 95th percentile of the whole plan may be.

    Attributes:
        spread: How the recorded durations are spread.
        missing: Planned trials without one.
        p95_low: The 95th percentile over planned trials if every missing duration were 0.
        p95_high: The same if every missing duration were endless; None says endless.
    """

    spread: Distribution = EMPTY
    missing: int = 0
    p95_low: float = 0.0
    p95_high: float | None = None

    def payload(self) -> Payload | None:
        """The machine form, or None where no duration was recorded."""
        payload = self.spread.payload()
        return None if payload is None else {**payload, "p95": self.spread.p95}


def usage_totals(trials: pl.DataFrame) -> UsageTotals:
    """The usage of the executions among these trials."""
    executed = trials.lazy().filter(_EXECUTED)
    known = pl.all_horizontal(pl.col(name).is_not_null() for name in USAGE)
    row = (
        executed.select(*(pl.col(name).sum() for name in USAGE), known=known.sum(), all=pl.len())
        .collect()
        .row(0, named=True)
    )
    counters = {name: row[name] for name in USAGE}
    return UsageTotals(counters, recorded=row["known"], missing=row["all"] - row["known"])


def cost_total(trials: pl.DataFrame) -> CostTotal:
    """The cost of the executions among these trials; exact, so that no order changes it."""
    costs = trials.lazy().filter(_EXECUTED).select("cost").collect()["cost"]
    known = costs.drop_nulls()
    total = math.fsum(known.to_list()) if len(known) else None
    return CostTotal(total, recorded=len(known), missing=len(costs) - len(known))


def durations(trials: pl.DataFrame) -> Durations:
    """The durations of the receipts among these trials."""
    receipts = trials.lazy().filter(pl.col("kind") == "receipt")
    known = receipts.select(one_zero("duration_seconds")).collect()["duration_seconds"]
    known = known.drop_nulls().sort()
    missing = trials.height - len(known)
    rank = nearest_rank(0.95, trials.height) if trials.height else 0
    return Durations(
        spread=Distribution.of_sorted(known),
        missing=missing,
        p95_low=float(known[rank - missing]) if missing <= rank < trials.height else 0.0,
        p95_high=float(known[rank]) if rank < len(known) else None,
    )
