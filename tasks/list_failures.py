"""What went wrong in the trials of a grading: kinds of failure, how often, and an example."""

from dataclasses import dataclass

import polars as pl

from assay.tasks.store import GradingStore, RunStore

_KIND = ("assessment", "error_class")


@dataclass(frozen=True, slots=True)
class FailureKind:
    """Failures of one class, of the target or of one assessment.

    Attributes:
        assessment: The id of the assessment, or None for the target.
        error_class: Why.
        count: In how many trials.
        trial: One of them, such as `case#0`.
        example: The error of that trial; it may hold what a model wrote.
    """

    assessment: str | None
    error_class: str
    count: int
    trial: str
    example: str

    def payload(self) -> dict[str, object]:
        """The machine form."""
        return {name: getattr(self, name) for name in self.__slots__}


def list_failures(run: RunStore, grading: GradingStore) -> tuple[FailureKind, ...]:
    """The kinds of failure: the target's first, then each assessment's, the most frequent first.

    Raises:
        StoreError: when a part cannot be read.
    """
    columns = ["case_id", "repeat", "error_class", "error"]
    failed = run.executions([*columns, "kind"]).filter(_is("kind", "failure"))
    broken = grading.grades([*columns, "assessment_id", "status"]).filter(_is("status", "failed"))
    of_target = _kinds(failed.with_columns(assessment=pl.lit(None, pl.String)))
    of_grades = _kinds(broken.with_columns(assessment=pl.col("assessment_id").cast(pl.String)))
    return of_target + of_grades


def _is(column: str, value: str) -> pl.Expr:
    return pl.col(column).cast(pl.String) == value


def _kinds(rows: pl.DataFrame) -> tuple[FailureKind, ...]:
    texts = pl.col("error_class", "case_id", "error").cast(pl.String)
    counted = (
        rows.with_columns(texts)
        # Whatever the order of parts, the same run shows the same example.
        .sort("case_id", "repeat")
        .group_by(_KIND, maintain_order=True)
        .agg(pl.len().alias("count"), pl.first("case_id"), pl.first("repeat"), pl.first("error"))
        .sort("assessment", "count", "error_class", descending=[False, True, False])
    )
    return tuple(
        FailureKind(
            assessment=row["assessment"],
            error_class=row["error_class"] or "internal",
            count=row["count"],
            trial=f"{row['case_id']}#{row['repeat']}",
            example=row["error"] or "",
        )
        for row in counted.iter_rows(named=True)
    )
