"""Paired differences of what trials cost: only trials that both sides recorded are compared."""

import polars as pl

from assay.evaluators.delta import DistributionDelta, mean_difference
from assay.evaluators.distribution import Payload
from assay.evaluators.grading import USAGE
from assay.evaluators.pairing import Pairing

_COLUMNS = ("kind", "cost", "duration_seconds", *USAGE)


def trial_pairs(pairing: Pairing) -> pl.DataFrame:
    """Every trial of either side beside its partner; the candidate's columns end in `_c`."""
    here = pairing.baseline.trials.lazy().select("trial", *_COLUMNS)
    there = pairing.candidate.trials.lazy().select(
        pl.col("trial").alias("candidate_trial"),
        *(pl.col(name).alias(f"{name}_c") for name in _COLUMNS),
    )
    partners = pairing.trials.lazy()
    there = there.join(partners, on="candidate_trial", how="left")
    return here.join(there, on="trial", how="full").collect()


def cost_delta(pairs: pl.DataFrame) -> DistributionDelta:
    """The paired difference of the cost of a trial."""
    return _delta(pairs, pl.col("cost"), pl.col("cost_c"))


def duration_delta(pairs: pl.DataFrame) -> DistributionDelta:
    """The paired difference of the seconds of a receipt."""
    here, there = (
        pl.when(pl.col(f"kind{side}") == "receipt").then(f"duration_seconds{side}")
        for side in ("", "_c")
    )
    return _delta(pairs, here, there)


def _delta(pairs: pl.DataFrame, here: pl.Expr, there: pl.Expr) -> DistributionDelta:
    both = pairs.select(here=here, there=there)
    differences = both.select(pl.col("there") - pl.col("here"))["there"].drop_nulls().sort()
    return DistributionDelta(
        mean=mean_difference(differences),
        matched=len(differences),
        baseline_only=both["here"].count() - len(differences),
        candidate_only=both["there"].count() - len(differences),
    )


def usage_delta(pairs: pl.DataFrame) -> Payload | None:
    """Candidate minus baseline of each counter, summed over trials that both sides recorded.

    None where no trial has usage on both sides.
    """
    counted, counted_there = (pl.col(f"input_tokens{side}").is_not_null() for side in ("", "_c"))
    both = counted & counted_there
    row = pairs.select(
        *((pl.col(f"{name}_c") - pl.col(name)).filter(both).sum() for name in USAGE),
        matched=both.sum(),
        baseline_only=(counted & ~counted_there).sum(),
        candidate_only=(~counted & counted_there).sum(),
    ).row(0, named=True)
    if not row["matched"]:
        return None
    return {name.removesuffix("_c"): value for name, value in row.items()}
