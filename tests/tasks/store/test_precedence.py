"""Which row counts: a function of the rows alone."""

from datetime import UTC, datetime, timedelta

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.store.precedence import (
    ASSESSED,
    TRIAL,
    counted_executions,
    counted_grades,
    has_duplicates,
)

_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def _execution(case_id: str, kind: str, second: int, digest: str = "d") -> dict[str, object]:
    return {
        "case_id": case_id,
        "repeat": 0,
        "kind": kind,
        "committed_at": _BEGIN + timedelta(seconds=second),
        "row_digest": digest,
    }


_SCHEMA = {"case_id": pl.Categorical, "kind": pl.Categorical}
_EXECUTIONS = st.lists(
    st.builds(
        _execution,
        st.sampled_from(["a", "b"]),
        st.sampled_from(["receipt", "failure", "late"]),
        st.integers(-3, 3),
        st.sampled_from(["d1", "d2"]),
    ),
    min_size=1,
    max_size=8,
)


def _counted(rows: list[dict[str, object]]) -> list[tuple[object, ...]]:
    frame = pl.DataFrame(rows, schema_overrides=_SCHEMA)
    return sorted(counted_executions(frame).rows(), key=repr)


def test_the_earliest_receipt_counts() -> None:
    """A trial that was executed twice by a crash keeps the result that may have been used."""
    rows = [_execution("a", "receipt", 2), _execution("a", "receipt", 1)]
    assert _counted(rows) == [tuple(rows[1].values())]


def test_a_receipt_counts_over_any_failure() -> None:
    """`--retry-failed` that succeeded has repaired the trial."""
    rows = [
        _execution("a", "failure", 1),
        _execution("a", "receipt", 2),
        _execution("a", "failure", 3),
    ]
    assert _counted(rows) == [tuple(rows[1].values())]


def test_of_failures_the_newest_counts() -> None:
    """The report shows why it failed the last time."""
    rows = [_execution("a", "failure", 1), _execution("a", "failure", 2)]
    assert _counted(rows) == [tuple(rows[1].values())]


def test_late_results_never_count() -> None:
    """A trial that was given up stays so, whatever came afterwards."""
    assert _counted([_execution("a", "late", 1)]) == []


@given(_EXECUTIONS, st.randoms())
def test_files_and_their_order_do_not_matter(rows: list[dict[str, object]], random: object) -> None:
    """Merging parts, or reading them in another order, gives the same report."""
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _counted(shuffled) == _counted(rows)


@given(_EXECUTIONS)
def test_each_trial_counts_at_most_once_and_counting_again_changes_nothing(
    rows: list[dict[str, object]],
) -> None:
    """No trial is in a denominator twice."""
    frame = counted_executions(pl.DataFrame(rows, schema_overrides=_SCHEMA))
    assert not has_duplicates(frame, TRIAL)
    assert counted_executions(frame).equals(frame)
    ended = {row["case_id"] for row in rows if row["kind"] != "late"}
    assert set(frame["case_id"].to_list()) == ended


def _grade(attempt: int, second: int, digest: str, score: float) -> dict[str, object]:
    return {
        "case_id": "a",
        "repeat": 0,
        "assessment_id": "x",
        "attempt": attempt,
        "committed_at": _BEGIN + timedelta(seconds=second),
        "row_digest": digest,
        "score": score,
    }


def test_the_highest_attempt_counts_and_then_the_earliest() -> None:
    """A retried grade replaces the failed one; a double commit of one attempt does not."""
    rows = [
        _grade(1, 0, "d", 0.1),
        _grade(2, 2, "d", 0.2),
        _grade(2, 1, "e", 0.3),
        _grade(2, 1, "f", 0.4),
    ]
    for order in (rows, rows[::-1]):
        assert counted_grades(pl.DataFrame(order))["score"].to_list() == [0.3]


def test_duplicates_are_seen_only_where_all_keys_agree() -> None:
    """Repeats and assessments of one case are different rows."""
    frame = pl.DataFrame([_grade(1, 0, "d", 0.1), {**_grade(1, 0, "d", 0.1), "repeat": 1}])
    assert not has_duplicates(frame, ASSESSED)
    assert has_duplicates(pl.concat([frame, frame]), ASSESSED)
