"""A stored grading: which grades count, what they mean, what is derived."""

from collections.abc import Callable

import polars as pl
import pytest

from assay.evaluators.schema import GRADES
from assay.tasks.store import GradeRow, GradingStore, RunStore, StoreError

Make = Callable[..., GradeRow]


@pytest.fixture
def grading(run: RunStore) -> GradingStore:
    """A grading without grades."""
    return run.create_grading("g-1", grading={})


def _commit(grading: GradingStore, *rows: GradeRow) -> None:
    with grading.writer() as writer:
        for row in rows:
            writer.commit_blocking([row])


def test_no_grades_are_an_empty_frame_with_all_columns(grading: GradingStore) -> None:
    """Counting needs no special case."""
    assert grading.grades().columns == GRADES.names
    assert grading.grades().height == 0
    assert grading.identities() == {}


def test_each_assessment_of_a_trial_counts_once(grading: GradingStore, grade: Make) -> None:
    """A grader that was tried again after an outage does not vote twice."""
    _commit(
        grading,
        grade("c0", "a", score=0.2, attempt=2),
        grade("c0", "a", score=0.1),
        grade("c0", "a", score=0.3, attempt=2),
        grade("c0", "b", score=0.9),
    )
    rows = grading.grades(["assessment_id", "score"]).rows()
    assert sorted(rows) == [("a", 0.2), ("b", 0.9)]
    assert grading.grades().height == 2


def test_few_columns_are_those_asked_for(grading: GradingStore, grade: Make) -> None:
    """A summary of millions of rows does not read their reports."""
    _commit(grading, grade("c0", "a", score=0.2))
    assert grading.grades(["score", "status"]).columns == ["score", "status"]
    assert grading.grades(["score"]).schema == {"score": pl.Float64}


def test_a_score_that_is_absent_is_null(grading: GradingStore, grade: Make) -> None:
    """Never NaN, never 0."""
    _commit(grading, grade("c0", "a"))
    assert grading.grades(["score", "measurement", "label", "policy"]).row(0) == (None,) * 4


def test_what_a_digest_stands_for_is_kept_once(grading: GradingStore, grade: Make) -> None:
    """Two processes may both write a text."""
    for _ in range(2):
        with grading.writer() as writer:
            writer.commit_blocking([grade("c0", "a")], {"sha256:e": ("evaluator", "{}")})
    assert grading.identities() == {"sha256:e": ("evaluator", "{}")}


def test_derived_files_may_be_rebuilt(grading: GradingStore) -> None:
    """A summary and a report are views; the grades are the record."""
    assert grading.summary() is None
    for mean in (0.5, 0.75):
        grading.write_summary(pl.DataFrame({"mean": [mean]}))
    summary = grading.summary()
    assert summary is not None
    assert summary["mean"].to_list() == [0.75]
    assert grading.write_report("<p>").endswith("g-1/report.html")
    assert grading.grades().height == 0


def test_a_torn_part_is_named(grading: GradingStore, grade: Make) -> None:
    """Of grades as of identities."""
    with grading.writer() as writer:
        writer.commit_blocking([grade("c0", "a")], {"sha256:e": ("evaluator", "{}")})
    folder = grading._folder  # noqa: SLF001 - the test plays the disk
    for name in folder.names():
        if name.endswith(".parquet"):
            folder.replace(name, folder.read(name)[:100])
    with pytest.raises(StoreError, match=r"part-.*: expected a whole part file"):
        grading.grades()
    with pytest.raises(StoreError, match=r"identities-.*: expected a whole part file"):
        grading.identities()
    assert len(grading.damaged()) == 2
    assert grading.grades(skip_damaged=True).height == 0
