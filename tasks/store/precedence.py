"""Which row counts where a trial or an assessment has several: the same answer everywhere.

The answer depends on what the rows say alone, never on which file they are in, so that merging
parts changes nothing. Two rows committed in one microsecond are told apart by their digest.
"""

import polars as pl

TRIAL = ("case_id", "repeat")
"""What names a trial within a run."""

ASSESSED = (*TRIAL, "assessment_id")
"""What names an assessment of a trial within a grading."""

EXECUTION_ORDER = (*TRIAL, "kind", "committed_at", "row_digest")
"""The columns that `counted_executions` looks at."""

GRADE_ORDER = (*ASSESSED, "attempt", "committed_at", "row_digest")
"""The columns that `counted_grades` looks at."""

_COUNTED = pl.col("kind").cast(pl.String).is_in(["receipt", "failure"])


def counted_executions(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a trial: its earliest durable receipt, else its newest failure; never a late one."""
    moment = pl.col("committed_at").to_physical()
    is_receipt = pl.col("kind").cast(pl.String) == "receipt"
    age = pl.when(is_receipt).then(moment).otherwise(-moment)
    return (
        rows.filter(_COUNTED)
        .sort(~is_receipt, age, "row_digest")
        .unique(TRIAL, keep="first", maintain_order=True)
    )


def counted_grades(rows: pl.DataFrame) -> pl.DataFrame:
    """One row an assessment of a trial: that of the highest attempt, the earliest durable one."""
    return rows.sort(
        "attempt", "committed_at", "row_digest", descending=[True, False, False]
    ).unique(ASSESSED, keep="first", maintain_order=True)


def has_uncounted(rows: pl.DataFrame) -> bool:
    """True if an execution is among the rows that never counts, such as a late one."""
    return bool(rows.select((~_COUNTED).any()).item())


def has_duplicates(rows: pl.DataFrame, keys: tuple[str, ...]) -> bool:
    """True if two rows agree in these columns."""
    unique = rows.lazy().select(keys).unique().select(pl.len()).collect(engine="streaming")
    return bool(unique.item() < rows.height)
