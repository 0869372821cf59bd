"""What became of each planned trial, and what it says for the pass rate.

This is the counting table of the design: one outcome a trial, and from it whether the trial stands
in a denominator, whether it is a pass, and whether nobody knows.
"""

from typing import Literal, get_args

import polars as pl

from assay.evaluators.grading import Grading

Outcome = Literal[
    "graded", "partly_graded", "ungraded", "not_applicable", "target_failed", "not_run"
]
"""What became of a planned trial."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

TargetFailures = Literal["failed", "unknown"]
"""What a target that failed by its own doing counts as: a wrong answer, or nobody knows."""

PASSING = ("rate_limited", "unavailable", "canceled")
"""Error classes of a target that say nothing about it: such a trial is always unknown."""

_GRADED = pl.col("outcome") == "graded"
_FAILED = pl.col("outcome") == "target_failed"


def trial_outcomes(grading: Grading, *, target_failures: TargetFailures = "failed") -> pl.DataFrame:
    """One row per planned trial, in planned order.

    Returns:
        The trials with `outcome`, `verdict` (`pass`, `fail` or empty; of graded trials alone),
        `planned` and `judged` (true where the trial stands in the denominator of the pass rate over
        planned and over graded trials) and `unknown` (true where it could still be a pass).
    """
    stats = _assessments_of(grading.grades)
    counted = grading.trials.lazy().join(stats, on="trial", how="left", maintain_order="left")
    zero = [pl.col(name).fill_null(0) for name in ("rows", "completed", "skipped", "fail", "pass")]
    return (
        counted.with_columns(*zero)
        .with_columns(outcome=_outcome())
        .with_columns(verdict=_verdict())
        .with_columns(
            planned=~(
                (pl.col("outcome") == "not_applicable") | _GRADED & (pl.col("verdict") == "")
            ),
            judged=_GRADED & (pl.col("verdict") != ""),
            unknown=_unknown(target_failures),
        )
        .collect()
    )


def _assessments_of(grades: pl.DataFrame) -> pl.LazyFrame:
    """How many assessments of each trial there are, completed, skipped, failing and passing."""
    completed = pl.col("status") == "completed"
    return (
        grades.lazy()
        .group_by("trial")
        .agg(
            pl.len().alias("rows"),
            completed.sum().alias("completed"),
            (pl.col("status") == "skipped").sum().alias("skipped"),
            (completed & (pl.col("verdict") == "fail")).sum().alias("fail"),
            (completed & (pl.col("verdict") == "pass")).sum().alias("pass"),
        )
        .collect(engine="streaming")
        .lazy()
    )


def _outcome() -> pl.Expr:
    # A declared assessment without a row was never evaluated, so rows alone decide nothing.
    wanted = pl.max_horizontal("declared", "rows")
    whole = (pl.col("completed") + pl.col("skipped") == wanted) & (wanted > 0)
    some = pl.col("completed") > 0
    kind = pl.col("kind")
    words = (
        pl.when(kind.is_null())
        .then(pl.lit("not_run"))
        .when(kind == "failure")
        .then(pl.lit("target_failed"))
        .when(whole & some)
        .then(pl.lit("graded"))
        .when(whole)
        .then(pl.lit("not_applicable"))
        .when(some)
        .then(pl.lit("partly_graded"))
        .otherwise(pl.lit("ungraded"))
    )
    return words.cast(pl.Enum(OUTCOMES))


def _verdict() -> pl.Expr:
    return (
        pl.when(_GRADED & (pl.col("fail") > 0))
        .then(pl.lit("fail"))
        .when(_GRADED & (pl.col("pass") > 0))
        .then(pl.lit("pass"))
        .otherwise(pl.lit(""))
    )


def _unknown(target_failures: TargetFailures) -> pl.Expr:
    # Within a partly graded trial, one completed fail settles the verdict, whatever the rest says.
    open_verdict = (pl.col("outcome") == "partly_graded") & (pl.col("fail") == 0)
    no_verdict = pl.col("outcome").is_in(["ungraded", "not_run"])
    blameless = pl.col("error_class").is_in(PASSING).fill_null(value=False)
    failed = _FAILED if target_failures == "unknown" else _FAILED & blameless
    return open_verdict | no_verdict | failed
