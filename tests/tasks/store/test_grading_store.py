"""A stored grading: which grades count, what they mean, what is derived."""

from collections.abc import Callable

import polars as pl
import pytest

from assay.evaluators.schema import GRADES
from assay.tasks.store import (
    CaseRow,
    GradeRow,
    GradingStore,
    RunStore,
    StoreError,
    case_table,
)

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


def test_grades_are_found_by_where_they_lie(grading: GradingStore, grade: Make) -> None:
    """Grades that are carried over are read a batch at a time, in the order of where they lie."""
    for number in range(3):
        _commit(grading, grade(f"c{number}", "a", score=number / 10))
    places = grading.placed_grades(["case_id", "score"]).filter(pl.col("score") != 0.1)
    batches = grading.grades_at(places, ["score"], batch_size=1)
    assert [batch["score"].to_pylist() for batch in batches] == [[0.0], [0.2]]
    (batch,) = grading.grades_at(pl.concat([places, places]), ["score"], batch_size=10)
    assert batch["score"].to_pylist() == [0.0, 0.0, 0.2, 0.2]


def test_only_counted_grades_have_a_place(grading: GradingStore, grade: Make) -> None:
    """What an earlier attempt said is not carried over."""
    _commit(grading, grade("c0", "a", score=0.1), grade("c0", "a", score=0.2, attempt=2))
    places = grading.placed_grades(["score"])
    assert places["score"].to_list() == [0.2]
    (batch,) = grading.grades_at(places, ["score"], batch_size=10)
    assert batch["score"].to_pylist() == [0.2]


def test_an_empty_grading_has_no_places(grading: GradingStore) -> None:
    """A first regrade has nothing to carry over."""
    places = grading.placed_grades(["key"])
    assert places.height == 0
    assert list(grading.grades_at(places, ["key"], batch_size=10)) == []


def test_the_places_of_no_grades_join_with_the_places_of_some(grading: GradingStore) -> None:
    """The first regrade of a run that nobody has graded finds nothing, and says so in its types."""
    places = grading.placed_grades(["case_id", "repeat", "key"])
    assert not places.height
    assert str(places.schema["case_id"]) == "Categorical"
    assert places.schema["key"] == pl.String
    assert places.schema["row"] == pl.Int64


def test_a_grading_may_have_cases_of_its_own(run: RunStore) -> None:
    """Corrected expected values stand beside the grades that were made with them."""
    row = CaseRow("c0", "1", "2", "{}", None, "sha256:c", "sha256:i", 0)
    graded = run.create_grading("g-2", grading={}, cases=case_table([row]))
    cases = run.grading("g-2").cases(["case_id", "expected"])
    assert cases is not None
    assert cases.rows() == [("c0", "2")]
    assert graded.info["cases_digest"]


def test_a_grading_without_cases_of_its_own_says_so(grading: GradingStore) -> None:
    """Then the run's cases are those that were graded."""
    assert grading.cases() is None
