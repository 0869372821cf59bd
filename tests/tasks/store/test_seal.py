"""Seals: one digest over rows, whichever parts they are in, that any change of a row changes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import fsspec
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.store import ExecutionRow, GradeRow, RunStore, StoreError
from assay.tasks.store.seal import Seal, seal_tables

_NOW = datetime(2026, 11, 30, tzinfo=UTC)
_DIGESTS = st.integers(0, 2**256 - 1).map(lambda number: f"sha256:{number:064x}")


def _table(digests: list[str]) -> pa.Table:
    moments = [_NOW + timedelta(seconds=at) for at in range(len(digests))]
    schema = pa.schema([("row_digest", pa.string()), ("committed_at", pa.timestamp("us", "UTC"))])
    return pa.table([pa.array(digests, pa.string()), pa.array(moments)], schema=schema)


@given(st.lists(_DIGESTS, unique=True, max_size=20), st.integers(0, 20))
def test_neither_order_nor_parts_nor_copies_show(digests: list[str], cut: int) -> None:
    """Merging parts, and a merge that was killed, leave a summary as true as it was."""
    other = sorted(digests)
    one = seal_tables([_table(digests)])
    two = seal_tables([_table(other[:cut]), _table(other[cut:]), _table(other[:1])])
    assert (one.rows, one.digest) == (two.rows, two.digest)
    assert one.rows == len(digests)


@given(st.lists(_DIGESTS, unique=True, min_size=1, max_size=8), _DIGESTS)
def test_a_row_that_is_another_changes_the_seal(digests: list[str], another: str) -> None:
    """That is what it is for; so does a row that is missing."""
    changed = [another, *digests[1:]]
    if another not in digests:
        assert seal_tables([_table(changed)]).digest != seal_tables([_table(digests)]).digest
    assert seal_tables([_table(digests[1:])]).digest != seal_tables([_table(digests)]).digest


def test_the_seal_of_two_rows() -> None:
    """A known value: sums of 64-bit words, the first of which overflows."""
    rows = [
        "sha256:ffffffffffffffff000000000000000100000000000000000000000000000002",
        "sha256:0000000000000003000000000000000100000000000000000000000000000005",
    ]
    seal = seal_tables([_table(rows)])
    assert seal == Seal(
        rows=2,
        # sha256 of the text 2:2:2:0:7
        digest="sha256:7ef7614d2cd4245ddeb9a79f9908c42b67f8d74525aadd8c42f1d2a69f2a6b8c",
        until=_NOW + timedelta(seconds=1),
    )


def test_rows_that_came_later_can_be_left_out() -> None:
    """A summary of a run that went on since is older, not false."""
    digests = [f"sha256:{number:064x}" for number in range(5)]
    early = seal_tables([_table(digests[:3])])
    assert seal_tables([_table(digests)], until=early.until) == early


def test_a_seal_outlives_its_file() -> None:
    """It is written as JSON."""
    for seal in (seal_tables([]), seal_tables([_table([f"sha256:{1:064x}"])])):
        assert Seal.from_wire(seal.wire()) == seal
    for wrong in (None, {}, {"rows": 1, "digest": "x", "until": "never"}, [1]):
        assert Seal.from_wire(wrong) is None


def test_a_summary_says_of_which_rows_it_was_made(
    run: RunStore, receipt: Callable[..., ExecutionRow], grade: Callable[..., GradeRow]
) -> None:
    """The last link of the chain from plan to summary."""
    grading = run.create_grading("g", grading={})
    assert grading.info["plan_digest"] == run.plan_digest()
    with run.execution_writer() as executions, grading.writer() as grades:
        executions.commit_blocking(receipt("c0"))
        grades.commit_blocking([grade("c0", "a"), grade("c0", "b")])
    grading.write_summary(pl.DataFrame({"value": [1.0]}))
    stored = grading.stored_summary()
    assert stored is not None
    assert stored.table.equals(pl.DataFrame({"value": [1.0]}))
    assert stored.executions is not None
    assert stored.grades is not None
    assert (stored.executions.rows, stored.grades.rows) == (1, 2)
    for merger in run.mergers():
        merger.merge_all()
    grading.write_summary(pl.DataFrame({"value": [1.0]}))
    again = grading.stored_summary()
    assert again is not None
    assert (again.executions, again.grades) == (stored.executions, stored.grades)


def test_a_damaged_summary_is_named(run: RunStore) -> None:
    """It is derived, so that it may simply go."""
    grading = run.create_grading("g", grading={})
    assert grading.stored_summary() is None
    grading.write_summary(pl.DataFrame({"value": [1.0]}))
    system, path = fsspec.core.url_to_fs(grading.place)
    system.pipe_file(f"{path}/summary.parquet", b"torn")
    with pytest.raises(StoreError, match=r"summary\.parquet: expected a summary, .*remove it"):
        grading.summary()
