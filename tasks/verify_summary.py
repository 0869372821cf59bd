"""Verifying a derived summary: that it was made of the rows that are there and says so."""

import polars as pl

from assay.evaluators.errors import AssayError
from assay.evaluators.summary import summarize
from assay.evaluators.summary_frame import summary_frame
from assay.tasks.problem import Problem
from assay.tasks.read_grading import read_grading
from assay.tasks.store import GradingStore, RunStore, StoreError
from assay.tasks.store.parts import Parts
from assay.tasks.store.seal import Seal, seal_rows
from assay.tasks.stored_plan import settings_in_force

_PLACE = ["assessment_id", "metric", "observation", "statistic"]


def verify_summary(run: RunStore, grading: GradingStore) -> list[Problem]:
    """What is wrong with the summary of a grading; without one nothing is.

    A summary of fewer rows than there are now is older, not wrong.
    """
    place = f"{grading.place}/summary.parquet"
    try:
        stored = grading.stored_summary()
        if stored is None:
            return []
        sealed = (
            (stored.executions, run.execution_parts()),
            (stored.grades, grading.grade_parts()),
        )
        if not all(_is_made_of(seal, parts) for seal, parts in sealed):
            message = (
                "was made of other rows than are there: one was changed, removed or added since; "
                "restore it, or make the summary again with assay show"
            )
            return [Problem("summary", place, message)]
        is_current = all(seal is not None and seal_rows(parts) == seal for seal, parts in sealed)
        if is_current and not _says_the_same(run, grading, stored.table):
            message = "says something else than the rows; make it again with assay show"
            return [Problem("summary", place, message)]
    except StoreError as error:
        return [Problem.of(error, place=run.place)]
    except AssayError:
        return []  # a plan or a grading that cannot be summarised has been named for itself
    return []


def _is_made_of(seal: Seal | None, parts: Parts) -> bool:
    if seal is None:
        return True
    if seal.until is None:
        return seal.rows == 0
    return seal_rows(parts, until=seal.until) == seal


def _says_the_same(run: RunStore, grading: GradingStore, stored: pl.DataFrame) -> bool:
    failures = settings_in_force(run).target_failures
    summary = summarize(read_grading(run, grading), target_failures=failures)
    both = summary_frame(summary).join(stored, on=_PLACE, suffix="_stored", nulls_equal=True)
    # Only the process of the run knew how many calls it had given up.
    counted = both.filter(pl.col("statistic") != "trials.abandoned")
    return bool((counted["value"] == counted["value_stored"]).all())
