"""What changed for each case between two gradings."""

from typing import Literal, get_args

import polars as pl

from assay.evaluators.paired_deltas import decided_pairs
from assay.evaluators.pairing import Pairing

Change = Literal[
    "regressed", "errored", "incompatible", "improved", "unchanged", "added", "removed"
]
"""What is known to be worse comes first, then what cannot be known."""

CHANGES: tuple[Change, ...] = get_args(Change)


def case_changes(pairing: Pairing, baseline: pl.DataFrame, candidate: pl.DataFrame) -> pl.DataFrame:
    """The change of every case, in the order of the baseline.

    A case regressed when, under one assessment, fewer of its paired verdicts are passes. It errored
    when a trial of either side is incomplete, is incompatible when rules or revisions differ, and
    improved when some assessment gained passes and none lost any.

    Args:
        pairing: The two sides.
        baseline: Its `trial_outcomes`.
        candidate: Its `trial_outcomes`.

    Returns:
        Columns `case_id` and `change`.
    """
    cases = baseline.lazy().group_by("case").agg(pl.first("case_id"), _incomplete().any())
    there = candidate.lazy().group_by("case_id").agg(_incomplete().any().alias("incomplete_c"))
    changed = (
        cases.join(there, on="case_id", how="left")
        .join(_verdict_changes(pairing, baseline), on="case", how="left")
        .sort("case")
        .with_columns(pl.col("lost", "gained", "incompatible").fill_null(value=False))
    )
    return changed.select("case_id", change=_change()).collect()


def _incomplete() -> pl.Expr:
    return (~pl.col("outcome").is_in(["graded", "not_applicable"])).alias("incomplete")


def _verdict_changes(pairing: Pairing, baseline: pl.DataFrame) -> pl.LazyFrame:
    """Of each case with paired decisions: whether an assessment lost passes, gained some, ..."""
    passed, passed_there = (pl.col(name) == "pass" for name in ("verdict", "verdict_c"))
    gained = passed_there.cast(pl.Int32) - passed.cast(pl.Int32)
    gained = pl.when(~pl.col("incompatible")).then(gained).otherwise(0)
    places = baseline.lazy().select("trial", "case")
    changed = decided_pairs(pairing).filter(pl.col("incompatible") | (passed != passed_there))
    nets = (
        changed.join(places, on="trial", how="inner")
        .group_by("case", "assessment")
        .agg(gained.sum().alias("net"), pl.col("incompatible").any())
    )
    return nets.group_by("case").agg(
        lost=(pl.col("net") < 0).any(),
        gained=(pl.col("net") > 0).any(),
        incompatible=pl.col("incompatible").any(),
    )


def _change() -> pl.Expr:
    words = (
        pl.when("lost")
        .then(pl.lit("regressed"))
        .when(pl.col("incomplete") | pl.col("incomplete_c"))
        .then(pl.lit("errored"))
        .when("incompatible")
        .then(pl.lit("incompatible"))
        .when("gained")
        .then(pl.lit("improved"))
        .otherwise(pl.lit("unchanged"))
    )
    return words.cast(pl.Enum(CHANGES))
