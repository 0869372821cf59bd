"""The paired differences of every observation of two gradings, counted by polars."""

from collections.abc import Callable
from typing import Literal, TypeAlias

import polars as pl

from assay.evaluators.delta import DecisionDelta, DistributionDelta, mean_difference
from assay.evaluators.pairing import Pairing

Entry: TypeAlias = tuple[str, str]
"""An assessment id and the digest of an observation."""

Number: TypeAlias = Literal["score", "measurement"]

_ENTRY = ("assessment", "observation")
_FOREIGN = pl.col("foreign")
_EMPTY = pl.Series(dtype=pl.Float64)


def number_deltas(pairing: Pairing, name: Number) -> Callable[[Entry], DistributionDelta]:
    """The paired difference of each observation's scores, or measurements.

    Raises:
        InvalidComparison: when a difference is too large for a number.
    """
    here, there = (
        _totals(pairing.count_numbers(side), name) for side in (pairing.baseline, pairing.candidate)
    )
    table = _differences(pairing, name)
    means = {entry: mean_difference(row[0]) for entry, row in table.items()}

    def delta(entry: Entry) -> DistributionDelta:
        differences, incompatible = table.get(entry, (_EMPTY, 0))
        paired = len(differences) + incompatible
        return DistributionDelta(
            mean=means.get(entry, 0.0),
            matched=len(differences),
            baseline_only=here.get(entry, 0) - paired,
            candidate_only=there.get(entry, 0) - paired,
            incompatible=incompatible,
        )

    return delta


def _totals(counts: dict[Entry, tuple[int, int]], name: Number) -> dict[Entry, int]:
    column = 0 if name == "score" else 1
    return {entry: both[column] for entry, both in counts.items()}


def _differences(pairing: Pairing, name: Number) -> dict[Entry, tuple[pl.Series, int]]:
    """Of each observation: the differences, ascending, and how many pairs are incompatible."""
    difference = pl.col(f"{name}_c") - pl.col(name)
    table = (
        pairing.number_pairs.lazy()
        .select(*_ENTRY, difference=difference, foreign=pairing.is_foreign())
        .filter(pl.col("difference").is_not_null())
        .group_by(_ENTRY)
        .agg(pl.col("difference").filter(~_FOREIGN).sort(), _FOREIGN.sum())
        .collect(engine="streaming")
    )
    columns = zip(*(table[name] for name in table.columns), strict=True)
    return {(row[0], row[1]): (row[2], row[3]) for row in columns}


def decision_deltas(pairing: Pairing) -> dict[Entry, DecisionDelta]:
    """The paired verdicts of each observation, without those that stand on one side alone."""
    passed, passed_there = (pl.col(name) == "pass" for name in ("verdict", "verdict_c"))
    gained = passed_there.cast(pl.Int64) - passed.cast(pl.Int64)
    table = (
        decided_pairs(pairing)
        .group_by(_ENTRY)
        .agg(
            matched=(~pl.col("incompatible")).sum(),
            incompatible=pl.col("incompatible").sum(),
            passed_delta=gained.filter(~pl.col("incompatible")).sum(),
        )
        .collect(engine="streaming")
    )
    return {
        (row["assessment"], row["observation"]): DecisionDelta(
            matched=row["matched"],
            incompatible=row["incompatible"],
            passed_delta=row["passed_delta"],
        )
        for row in table.iter_rows(named=True)
    }


def decided_pairs(pairing: Pairing) -> pl.LazyFrame:
    """The pairs decided on both sides, with `incompatible`: by another rule or other code."""
    both = (pl.col("verdict") != "") & (pl.col("verdict_c") != "")
    other_rule = pl.col("policy").ne_missing(pl.col("policy_c"))
    decided = pairing.pairs.lazy().filter(both)
    return decided.with_columns(incompatible=other_rule | pairing.is_foreign())
