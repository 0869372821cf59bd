"""A grading begun for the trials of a run whose evaluators have changed since."""

import polars as pl

from assay.evaluators.schema import GRADES, given_columns
from assay.tasks.own_grading import new_grading, own_gradings
from assay.tasks.planned_run import PlannedRun
from assay.tasks.result_makers import ResultMakers
from assay.tasks.reusable_grades import REUSABLE
from assay.tasks.store import GradingStore, RunStore

_PLACE = ("case_id", "repeat", "assessment_id")


def renew_grading(run: RunStore, planned: PlannedRun) -> GradingStore:
    """A grading for the run's trials, with what earlier ones hold that its evaluators would repeat.

    Grades that are carried over say which grading they are from; the others are made again.

    Raises:
        StoreError: when the run cannot be read or written.
    """
    earlier = own_gradings(run)
    grading = new_grading(run, planned, origin="resume" if earlier else "run")
    makers = ResultMakers(planned)
    frames = [_still_right(one, makers) for one in reversed(earlier)]
    if frames:
        grades = pl.concat(frames).unique(_PLACE, keep="first", maintain_order=True)
        texts = {digest: text for one in earlier for digest, text in one.identities().items()}
        if grades.height:
            with grading.writer() as writer:
                writer.commit_table_blocking(grades.to_arrow(), texts)
    return grading


def _still_right(grading: GradingStore, makers: ResultMakers) -> pl.DataFrame:
    """The grades that the evaluators of now would make again, with where they are from."""
    grades = grading.grades(list(given_columns(GRADES)))
    made = grades.select("case_id", "assessment_id", "evaluator", "status").iter_rows()
    keep = [
        status in REUSABLE and makers.of(case_id).get(identity) == evaluator
        for case_id, identity, evaluator, status in made
    ]
    origin = pl.coalesce(pl.col("reused_from").cast(pl.String), pl.lit(grading.grading_id))
    kept = grades.filter(pl.Series(keep, dtype=pl.Boolean)).with_columns(reused_from=origin)
    return kept.with_columns(pl.col(pl.Categorical).cast(pl.String))
