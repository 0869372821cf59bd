"""Merged parts: the same rows in few sorted files, whatever happens while they are merged."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.schema import EXECUTIONS, GRADES, IDENTITIES
from assay.tasks.store import ExecutionRow, GradeRow, RunStore, StoreError
from assay.tasks.store import merge as merging
from assay.tasks.store.folder import Folder
from assay.tasks.store.local_folder import LocalFolder
from assay.tasks.store.location import open_folder
from assay.tasks.store.merge import Merger
from assay.tasks.store.part_file import write_part
from assay.tasks.store.part_kind import EXECUTION_PARTS, GRADE_PARTS, IDENTITY_PARTS
from assay.tasks.store.parts import Parts
from assay.tasks.store.rows import table_of
from assay.tasks.store.sorted_rows import RowOrder
from assay.tasks.store.stamp import row_digests

Make = Callable[..., ExecutionRow]


def _write(folder: Folder, *rows: ExecutionRow) -> None:
    write_part(folder, table_of(rows, EXECUTIONS), EXECUTIONS, prefix="part")


def _rows(folder: Folder) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = Parts(folder, EXECUTIONS).table(EXECUTIONS.names).to_pylist()
    return sorted(rows, key=lambda row: str(row["row_digest"]))


def _merge_all(folder: Folder) -> None:
    Merger(folder, EXECUTION_PARTS).merge_all()


def test_merging_keeps_every_row_as_it_was(folder: Folder, receipt: Make) -> None:
    """Failures, late results and doubles included, with the moment and the digest of each."""
    _write(folder, receipt("c1"), receipt("c0", 1))
    _write(folder, ExecutionRow("c1", 0, "late", 2, status="completed"))
    _write(folder, receipt("c1"), ExecutionRow("c2", 0, "failure", 3, error_class="timeout"))
    before = _rows(folder)
    _merge_all(folder)
    assert _rows(folder) == before
    table = Parts(folder, EXECUTIONS).table(EXECUTIONS.names)
    assert len(folder.names()) == 1
    assert table["case_id"].to_pylist() == ["c0", "c1", "c1", "c1", "c2"]
    assert row_digests(table).to_pylist() == table["row_digest"].to_pylist()


def test_merging_what_is_merged_changes_nothing(folder: Folder, receipt: Make) -> None:
    """A nightly compaction of old runs costs a look."""
    _write(folder, receipt("c1"))
    _merge_all(folder)
    names = folder.names()
    _merge_all(folder)
    assert folder.names() == names


def test_nothing_to_merge_is_fine(folder: Folder) -> None:
    """A run of which nothing was executed."""
    _merge_all(folder)
    Merger(folder, EXECUTION_PARTS).merge_some()
    assert folder.names() == ()


def test_a_merged_part_has_row_groups_of_two_thousand(tmp_path: Path) -> None:
    """Looking up one case decodes one group, found by its statistics."""
    folder = LocalFolder(tmp_path)
    _write(folder, *(ExecutionRow(f"c{number:05d}", 0, "failure", 1) for number in range(4500)))
    _merge_all(folder)
    part = pq.ParquetFile(tmp_path / folder.names()[0])
    groups = [part.metadata.row_group(number) for number in range(part.num_row_groups)]
    assert [group.num_rows for group in groups] == [2000, 2000, 500]
    assert groups[1].column(0).statistics.min == "c02000"


class _KilledError(BaseException):
    """The process ends here."""


class _Dying:
    """A guard that ends the process at its n-th call."""

    def __init__(self, call: int) -> None:
        self.left = call

    def __call__(self) -> None:
        if self.left == 0:
            raise _KilledError
        self.left -= 1


@pytest.mark.parametrize("step", range(6))
@pytest.mark.parametrize("method", ["merge_all", "merge_some"])
def test_a_merge_that_is_killed_loses_nothing_and_can_be_done_again(
    step: int, method: str, folder: Folder, receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any step: before the merged file is there, after it, between the removals."""
    monkeypatch.setattr(merging, "MANY_PARTS", 2)
    for number in range(4):
        _write(folder, receipt("c0"), receipt(f"c{number}", 1))
    before = _rows(folder)
    with pytest.raises(_KilledError):
        getattr(Merger(folder, EXECUTION_PARTS, guard=_Dying(min(step, 4))), method)()
    distinct = {str(row["row_digest"]): row for row in _rows(folder)}
    assert [distinct[digest] for digest in sorted(distinct)] == before
    _merge_all(folder)
    assert _rows(folder) == before
    assert len(folder.names()) == 1


def test_two_merges_at_once_lose_nothing(
    folder: Folder, receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lease forbids it, but a holder may have lost it a moment ago."""
    for number in range(4):
        _write(folder, receipt(f"c{number}"))
    before = _rows(folder)
    removed: list[str] = []
    monkeypatch.setattr(Merger, "_remove", lambda _, names: removed.extend(names))
    _merge_all(folder)  # has written, and is about to remove
    monkeypatch.undo()
    _merge_all(folder)
    for name in removed:
        folder.remove(name)
    assert _rows(folder) == before


def test_a_damaged_part_is_left_alone(folder: Folder, receipt: Make) -> None:
    """It may be restored; merging the others must not depend on it."""
    _write(folder, receipt("c0"))
    _write(folder, receipt("c1"))
    folder.add("part-0.parquet", b"torn")
    merger = Merger(folder, EXECUTION_PARTS)
    merger.merge_all()
    assert merger.left_alone == {"part-0.parquet"}
    assert folder.read("part-0.parquet") == b"torn"
    assert len(folder.names()) == 2


def test_rows_of_an_older_version_are_left_alone(folder: Folder, receipt: Make) -> None:
    """Their digests were made of the columns that there were."""
    sink = pa.BufferOutputStream()
    old = table_of([receipt("c0")], EXECUTIONS).drop_columns(["waits"])
    pq.write_table(old.replace_schema_metadata({"assay.schema_version": "0"}), sink)
    folder.add("part-0.parquet", sink.getvalue().to_pybytes())
    _write(folder, receipt("c1"))
    _write(folder, receipt("c2"))
    _merge_all(folder)
    assert "part-0.parquet" in folder.names()
    assert len(folder.names()) == 2


def test_few_parts_are_not_worth_a_merge(folder: Folder, receipt: Make) -> None:
    """Sixty-four are read nearly as fast as one."""
    for number in range(64):
        _write(folder, receipt(f"c{number}"))
    Merger(folder, EXECUTION_PARTS).merge_some()
    assert len(folder.names()) == 64
    _write(folder, receipt("c64"))
    Merger(folder, EXECUTION_PARTS).merge_some()
    assert len(folder.names()) == 1
    assert len(_rows(folder)) == 65


def test_slow_targets_leave_few_parts_and_rows_are_rewritten_seldom(
    receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One part a trial for hours: merging all of them each time would cost its square."""
    monkeypatch.setattr(merging, "MANY_PARTS", 8)
    monkeypatch.setattr(merging, "_LEVELS", (6_500, 9_000, 20_000, 10**9))
    folder = open_folder("memory://many")
    rewritten = most = 0
    for number in range(300):
        _write(folder, receipt(f"c{number}"))
        rewritten += Merger(folder, EXECUTION_PARTS).merge_some()
        most = max(most, len(folder.names()))
    assert len(_rows(folder)) == 300
    assert most <= 9
    assert rewritten < 300 * 8


def test_large_runs_are_merged_piece_by_piece(
    folder: Folder, receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory holds a piece of each part, and the merged parts do not overlap."""
    monkeypatch.setattr(merging, "_FULL_BYTES", 1)
    monkeypatch.setattr(merging, "_PIECE_BYTES", 1)
    monkeypatch.setattr(merging, "_BATCH_ROWS", 3)
    for number in range(5):
        _write(folder, *(receipt(f"c{case:02d}", number) for case in range(20)))
    before = _rows(folder)
    _merge_all(folder)
    assert _rows(folder) == before
    parts = Parts(folder, EXECUTIONS)
    ranges = []
    for table in parts.tables(["case_id"]).values():
        ids = table["case_id"].to_pylist()
        assert ids == sorted(ids)
        ranges.append((ids[0], ids[-1]))
    ranges.sort()
    assert len(ranges) > 1
    assert all(one[1] <= other[0] for one, other in pairwise(ranges))
    names = folder.names()
    _merge_all(folder)
    assert folder.names() == names


def test_grades_and_identities_are_merged_too(folder: Folder) -> None:
    """They come in as many parts as the receipts."""
    for number in (2, 0, 1):
        row = GradeRow(f"c{number}", 0, "a", "k", "completed", "e", "r")
        write_part(folder, table_of([row], GRADES), GRADES, prefix="part")
        identity = pa.table(
            {"digest": ["same", f"d{number}"], "kind": ["metric", "policy"], "text": ["t", "u"]}
        )
        wanted = pa.schema([IDENTITIES.field(name) for name in identity.column_names])
        write_part(folder, identity.cast(wanted), IDENTITIES, prefix="identities")
    Merger(folder, GRADE_PARTS).merge_all()
    Merger(folder, IDENTITY_PARTS).merge_all()
    assert len(folder.names()) == 2
    grades = Parts(folder, GRADES).table(["case_id"])["case_id"].to_pylist()
    assert grades == ["c0", "c1", "c2"]
    texts = Parts(folder, IDENTITIES, "identities").table(["digest", "text"])
    assert texts["digest"].to_pylist() == ["d0", "d1", "d2", "same"]


def test_a_merge_that_is_forbidden_writes_nothing(folder: Folder, receipt: Make) -> None:
    """Whoever lost the lease must not touch a run that somebody forgets cases of."""

    def forbid() -> None:
        message = "lost"
        raise StoreError(message)

    _write(folder, receipt("c0"))
    _write(folder, receipt("c1"))
    names = folder.names()
    with pytest.raises(StoreError, match="lost"):
        Merger(folder, EXECUTION_PARTS, guard=forbid).merge_all()
    assert folder.names() == names


_MOMENTS = st.integers(0, 3).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(n))
_KEYS = st.tuples(st.text("aé\U0001f600b", max_size=2), _MOMENTS, st.integers(0, 5).map(str))
_ORDER = RowOrder(("name", "at"), "id")


def _table(rows: Sequence[tuple[str, datetime, str]]) -> pa.Table:
    names, moments, _ = zip(*rows, strict=True) if rows else ((), (), ())
    moment = pa.timestamp("us", tz="UTC")
    return pa.table(
        {
            "name": pa.array(names, pa.string()).dictionary_encode(),
            "at": pa.array(moments, moment),
            # An identity belongs to one row: it is made of all that the row says.
            "id": pa.array([f"{name}{at}{one}" for name, at, one in rows], pa.string()),
        }
    )


@settings(max_examples=60)
@given(st.lists(st.lists(_KEYS, max_size=12), max_size=4), st.integers(1, 4))
def test_merging_sorted_sources_is_sorting_them_together(
    sources: list[list[tuple[str, datetime, str]]], size: int
) -> None:
    """The law of a merge: nothing is lost, doubled or out of order, whatever the pieces are."""
    tables = [_ORDER.sort(_table(rows)) for rows in sources]
    pieces = [
        [table.slice(start, size) for start in range(0, len(table), size)] for table in tables
    ]
    merged = [row for piece in _ORDER.merge(pieces) for row in piece.to_pylist()]
    distinct = {row["id"]: row for table in tables for row in table.to_pylist()}
    expected = sorted(distinct.values(), key=lambda row: (row["name"], row["at"], row["id"]))
    assert [(row["name"], row["at"]) for row in merged] == [
        (row["name"], row["at"]) for row in expected
    ]
    assert sorted(row["id"] for row in merged) == sorted(distinct)


def test_frames_of_merged_rows_are_those_of_the_parts(folder: Folder, receipt: Make) -> None:
    """Readers of columns see no difference."""
    for number in range(3):
        _write(folder, receipt(f"c{number}", output=f'"{number}"'))
    columns = ["case_id", "repeat", "kind", "output", "committed_at"]
    before = pl.DataFrame(Parts(folder, EXECUTIONS).table(columns).to_pylist())
    _merge_all(folder)
    after = pl.DataFrame(Parts(folder, EXECUTIONS).table(columns).to_pylist())
    assert before.sort("case_id").equals(after.sort("case_id"))


def test_receipts_that_are_merged_while_they_are_read_come_once(
    run: RunStore, receipt: Make
) -> None:
    """A long regrade must not end because somebody tidied up meanwhile."""
    for number in range(6):
        with run.execution_writer() as writer:
            for repeat in range(3):
                writer.commit_blocking(receipt(f"c{number}", repeat))
    batches = run.iter_receipts(batch_size=2, columns=["case_id", "repeat"])
    rows = next(batches).to_pylist()
    for merger in run.mergers():
        merger.merge_all()
    for batch in batches:
        rows += batch.to_pylist()
    assert sorted((row["case_id"], row["repeat"]) for row in rows) == [
        (f"c{number}", repeat) for number in range(6) for repeat in range(3)
    ]


def test_a_writer_that_holds_the_lease_keeps_its_parts_few(run: RunStore, receipt: Make) -> None:
    """DESIGN 5: the number of files stays small however slowly rows come."""
    grading = run.create_grading("g", grading={})
    with (
        run.lease("run") as lease,
        run.execution_writer(lease=lease) as executions,
        grading.writer(lease=lease) as grades,
    ):
        for number in range(200):
            executions.commit_blocking(receipt(f"c{number}"))
            row = GradeRow(f"c{number}", 0, "a", "k", "completed", "e", "r")
            grades.commit_blocking([row], {f"d{number}": ("metric", "t")})
    assert run.executions(["case_id"]).height == grading.grades(["case_id"]).height == 200
    assert len(grading.identities()) == 200
    for folder in (f"{run.place}/executions", grading.place):
        names = [one for one in open_folder(folder).names() if one.endswith(".parquet")]
        assert len([one for one in names if one.startswith("part-")]) <= 64 + 16
        assert len([one for one in names if one.startswith("ident")]) <= 64 + 16


def test_writers_that_take_part_in_a_lease_do_not_merge(run: RunStore, receipt: Make) -> None:
    """Several machines that merge the same parts would do the work several times."""
    with (
        run.lease("run") as lease,
        run.lease("shard", token=lease.token) as shard,
        run.execution_writer(lease=shard) as writer,
    ):
        for number in range(100):
            writer.commit_blocking(receipt(f"c{number}"))
    assert len(open_folder(f"{run.place}/executions").names()) == 100


def test_a_writer_that_lost_its_lease_writes_nothing_more(run: RunStore, receipt: Make) -> None:
    """Another process goes on with the run; what was acknowledged stays."""
    with run.lease("run") as lease:
        writer = run.execution_writer(lease=lease)
        writer.commit_blocking(receipt("c0"))
    with pytest.raises(StoreError, match="the lease to write it is not held"):
        writer.commit_blocking(receipt("c1"))
    with pytest.raises(StoreError, match="the lease to write it is not held"):
        writer.close_blocking()
    assert run.executions(["case_id"])["case_id"].to_list() == ["c0"]
