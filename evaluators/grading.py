"""One pass of a suite over the planned trials of a run, as columns.

Summaries and comparisons read nothing else, whether the grades were made in memory a moment ago or
stand in a store: that is why the two cannot disagree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

import polars as pl

from assay.evaluators.assessment import Status
from assay.evaluators.errors import InvalidExperiment

STATUSES: tuple[Status, ...] = get_args(Status)

USAGE = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_creation_tokens",
    "reasoning_tokens",
    "model_calls",
)
"""The counters of a receipt's usage, in the order in which they are shown."""

KIND = pl.Enum(["receipt", "failure"])
STATUS = pl.Enum(STATUSES)
VERDICT = pl.Enum(["", "pass", "fail"])

TRIALS = pl.Schema(
    {
        "trial": pl.UInt32(),
        "case": pl.UInt32(),
        "case_id": pl.Categorical(),
        "repeat": pl.Int32(),
        "declared": pl.UInt32(),
        "kind": KIND,
        "error_class": pl.String(),
        "duration_seconds": pl.Float64(),
        "cost": pl.Float64(),
        **dict.fromkeys(USAGE, pl.Int128()),
    }
)
"""Columns of planned trials. `trial` and `case` count from 0 in planned order; `declared` is how
many assessments the trial should have; `kind` is null for a trial that never started."""


def grade_columns(assessments: tuple[str, ...]) -> pl.Schema:
    """Columns of grades under these assessment ids.

    `order` places a grade among all grades as they were declared: by trial, then by assessment.
    The identities are digests; `label`, `score` and `measurement` are null where absent.
    """
    return pl.Schema(
        {
            "trial": pl.UInt32(),
            "assessment": pl.Enum(assessments),
            "order": pl.UInt64(),
            "status": STATUS,
            "evaluator": pl.Categorical(),
            "observation": pl.Categorical(),
            "policy": pl.Categorical(),
            "verdict": VERDICT,
            "score": pl.Float64(),
            "measurement": pl.Float64(),
            "label": pl.String(),
        }
    )


@dataclass(frozen=True)
class Grading:
    """What one grading of a run holds.

    Attributes:
        fixture_id: The identity of the cases; never empty.
        trials: Every planned trial once, with the columns of `TRIALS`, in planned order.
        grades: At most one row per trial and assessment, with the columns of `grade_columns`.
        assessments: The declared result ids, in order of first appearance.
        declared: For each id, on how many planned trials it is declared.
        identities: The text that each digest stands for.
        reused: How many of the grades were carried over from another grading.
        late: Results that came after their trial was given up; counted nowhere else.
        abandoned: Calls that ignored their cancellation.

    Raises:
        InvalidExperiment: when a trial or a grade stands twice.
    """

    fixture_id: str
    trials: pl.DataFrame
    grades: pl.DataFrame
    assessments: tuple[str, ...]
    declared: Mapping[str, int]
    identities: Mapping[str, str] = field(default_factory=dict)
    reused: int = 0
    late: int = 0
    abandoned: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "trials", self.trials.match_to_schema(TRIALS))
        grades = self.grades.match_to_schema(grade_columns(self.assessments))
        grades = grades.with_columns(one_zero("score"), one_zero("measurement"))
        object.__setattr__(self, "grades", without_impossible(grades))
        _require_once(self.trials, ("case_id", "repeat"), "each case and repeat")
        _require_once(self.grades, ("trial", "assessment"), "each assessment of a trial")


def one_zero(name: str) -> pl.Expr:
    """The column with every zero positive, so that no sign decides which minimum is shown."""
    # Adding 0.0 would do in arithmetic, and polars leaves such an addition out.
    return pl.when(pl.col(name) == 0).then(0.0).otherwise(name).alias(name)


def without_impossible(grades: pl.DataFrame) -> pl.DataFrame:
    """The grades, those that no report can have given turned into failed ones.

    A number that is not finite, a score outside [0, 1], or a completed grade of no metric comes
    from a damaged row, and must not reach a mean.
    """
    score = pl.col("score").is_between(0, 1).fill_null(value=True)
    measurement = pl.col("measurement").is_finite().fill_null(value=True)
    nameless = (pl.col("status") == "completed") & pl.col("observation").is_null()
    broken = ~(score & measurement) | nameless
    if not grades.select(broken.any()).item():
        return grades
    absent = ("observation", "policy", "score", "measurement", "label")
    return grades.with_columns(
        pl.when(broken).then(pl.lit("failed", STATUS)).otherwise("status").alias("status"),
        pl.when(broken).then(pl.lit("", VERDICT)).otherwise("verdict").alias("verdict"),
        *(pl.when(~broken).then(name).alias(name) for name in absent),
    )


def _require_once(frame: pl.DataFrame, key: tuple[str, ...], what: str) -> None:
    unique = frame.lazy().select(key).unique().select(pl.len()).collect(engine="streaming").item()
    if unique != frame.height:
        msg = f"grading: expected {what} once, got {frame.height - unique} more"
        raise InvalidExperiment(msg)
