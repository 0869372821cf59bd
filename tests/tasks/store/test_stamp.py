"""Pinned types, and a digest a row."""

from datetime import UTC, datetime
from hashlib import sha256

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.schema import EXECUTIONS, GRADES, given_columns
from assay.tasks.store import ExecutionRow, GradeRow
from assay.tasks.store.rows import table_of
from assay.tasks.store.stamp import conform, row_digests, stamp

_NOW = datetime(2026, 11, 30, 12, 0, 0, 5, UTC)
_TEXTS = st.text(max_size=8)
_FLOATS = st.none() | st.floats(allow_nan=False, allow_infinity=False)

_ROWS = st.builds(
    ExecutionRow,
    case_id=_TEXTS,
    repeat=st.integers(0, 9),
    kind=st.sampled_from(["receipt", "failure", "late"]),
    attempts=st.just(1),
    output_present=st.booleans(),
    output=st.none() | _TEXTS,
    error=st.none() | _TEXTS,
    cost=_FLOATS,
    started_at=st.none() | st.datetimes(timezones=st.just(UTC)),
)


def _table(rows: list[ExecutionRow]) -> pa.Table:
    return stamp(table_of(rows, EXECUTIONS), EXECUTIONS, now=lambda: _NOW)


def test_the_digest_is_that_of_the_documented_content() -> None:
    """Whoever reads the files with other tools can check them."""
    table = pa.table(
        {
            "b": pa.array(["ü,"]).dictionary_encode(),
            "a": pa.array([None], pa.string()),
            "n": pa.array([-3], pa.int32()),
            "f": pa.array([1.0]),
            "t": pa.array([_NOW], pa.timestamp("us", tz="UTC")),
            "yes": pa.array([True]),
            "row_digest": ["ignored"],
        }
    )
    micros = int(_NOW.timestamp()) * 10**6 + 5
    content = f"a=,b=3:ü,,f=19:4607182418800017408,n=2:-3,t=16:{micros},yes=1:1"
    expected = f"sha256:{sha256(content.encode()).hexdigest()}"
    assert row_digests(table).to_pylist() == [expected]


@given(st.lists(_ROWS, min_size=1, max_size=4))
def test_many_rows_and_few_have_the_same_digests(rows: list[ExecutionRow]) -> None:
    """Columns at once are faster for many rows, a loop for few; both must mean the same."""
    many = _table(rows * 101)
    few = pa.chunked_array([row_digests(many.slice(at, 1)).chunk(0) for at in range(len(rows))])
    assert row_digests(many).to_pylist() == few.to_pylist() * 101


@given(_ROWS, _ROWS)
def test_equal_digests_mean_equal_rows(one: ExecutionRow, other: ExecutionRow) -> None:
    """An edited cell is found, wherever the edit moves text between cells."""
    first, second = (row_digests(_table([row])).to_pylist() for row in (one, other))
    # repr, because 0.0 and -0.0 are equal values and different contents
    assert (first == second) == (repr(one) == repr(other))


def test_a_stamped_table_has_exactly_the_pinned_columns() -> None:
    """Any reader may rely on them."""
    table = _table([ExecutionRow("c", 0, "failure", 2)])
    assert table.schema.equals(EXECUTIONS)
    assert table["committed_at"].to_pylist() == [_NOW]
    assert table["schema_version"].to_pylist() == [1]


def _grades(**columns: object) -> dict[str, object]:
    row = GradeRow("c", 0, "a", "k", "completed", "e", "r", score=0.5)
    given = {name: [getattr(row, name)] for name in given_columns(GRADES)}
    return {**given, **columns}


def test_columns_from_a_frame_take_the_pinned_types() -> None:
    """Bulk grading hands over what polars made: other strings, other integers, any order."""
    frame = pl.DataFrame(_grades()).with_columns(pl.col("case_id").cast(pl.Categorical))
    conformed = conform(frame.select(sorted(frame.columns)).to_arrow(), GRADES)
    assert stamp(conformed, GRADES).schema.equals(GRADES)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"strange": [1]}, "columns missing or unknown: strange"),
        ({"key": [None]}, "'key' with null values"),
        ({"score": [float("nan")]}, "column score holds a number that is not finite"),
        ({"measurement": [float("inf")]}, "column measurement holds a number that is not finite"),
    ],
)
def test_a_table_that_breaks_the_schema_is_refused(columns: dict[str, object], said: str) -> None:
    """No number stands for `not measured`, and nothing unknown is dropped in silence."""
    with pytest.raises(ValueError, match=said):
        conform(pa.table(_grades(**columns)), GRADES)


def test_a_missing_column_is_named() -> None:
    """A column that was forgotten is not filled with nulls."""
    columns = _grades()
    del columns["label"]
    with pytest.raises(ValueError, match="columns missing or unknown: label"):
        conform(pa.table(columns), GRADES)
