"""Part files: what is seen, what is named as damaged, what older versions give."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.schema import EXECUTIONS
from assay.tasks.store import ExecutionRow, StoreError
from assay.tasks.store.folder import Folder
from assay.tasks.store.local_folder import LocalFolder
from assay.tasks.store.part_file import encode, read_part, write_part
from assay.tasks.store.parts import Parts
from assay.tasks.store.rows import table_of
from assay.tasks.store.stamp import row_digests

Make = Callable[..., ExecutionRow]


def _write(folder: Folder, *rows: ExecutionRow) -> str:
    before = set(folder.names())
    write_part(folder, table_of(rows, EXECUTIONS), EXECUTIONS, prefix="part")
    (name,) = set(folder.names()) - before
    return name


def _outputs(parts: Parts) -> list[object]:
    outputs: list[object] = parts.table(["output"])["output"].to_pylist()
    return outputs


def test_rows_come_back_as_they_were_written(folder: Folder, receipt: Make) -> None:
    """Types included, and in the order of time."""
    _write(folder, receipt("c0", output='"a"'), receipt("c1", output='"b"'))
    _write(folder, receipt("c2", output='"c"'))
    parts = Parts(folder, EXECUTIONS)
    table = parts.table(EXECUTIONS.names)
    assert table.schema.equals(EXECUTIONS)
    assert table["output"].to_pylist() == ['"a"', '"b"', '"c"']
    assert row_digests(table).to_pylist() == table["row_digest"].to_pylist()
    assert parts.damaged() == ()


def test_no_parts_are_an_empty_table_of_the_same_columns(folder: Folder) -> None:
    """A run of which nothing was executed is read like any other."""
    assert Parts(folder, EXECUTIONS).table(EXECUTIONS.names).schema.equals(EXECUTIONS)


def test_temporaries_and_foreign_files_are_not_seen(folder: Folder, receipt: Make) -> None:
    """A killed writer leaves some, and people put notes into folders."""
    _write(folder, receipt("c0"))
    for name in (
        ".part-1.parquet-2.tmp",
        "notes.txt",
        "part-1.csv",
        "xpart-1.parquet",
        ".DS_Store",
    ):
        folder.add(name, b"torn")
    parts = Parts(folder, EXECUTIONS)
    assert len(parts.names()) == 1
    assert _outputs(parts) == ['"x"']


def _torn(content: bytes) -> bytes:
    return content[:-9]


def _flipped(content: bytes) -> bytes:
    at = content.index(b"row-payload") if b"row-payload" in content else 200
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def _emptied(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [_torn, _flipped, _emptied])
def test_a_damaged_part_is_named_and_skipped_only_when_told(
    damage: Callable[[bytes], bytes], folder: Folder, receipt: Make
) -> None:
    """One bad file must not silently change a denominator, nor make the rest unreadable."""
    _write(folder, receipt("c0", output='"good"'))
    bad = _write(folder, receipt("c1", output='"row-payload"'))
    folder.replace(bad, damage(folder.read(bad)))
    sentence = f"^{folder.place}/{bad}: expected a whole part file, found a damaged one .*restore"
    with pytest.raises(StoreError, match=sentence):
        _outputs(Parts(folder, EXECUTIONS))
    assert _outputs(Parts(folder, EXECUTIONS, skip_damaged=True)) == ['"good"']
    assert [bad in one for one in Parts(folder, EXECUTIONS).damaged()] == [True]


@given(at=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_no_single_bit_changes_a_payload_unnoticed(at: int, bit: int) -> None:
    """A disk that errs is found without waiting for `verify`: footers parse, pages have checksums.

    What is checked are the payloads; a flipped bit in unused bytes of the footer changes nothing.
    """
    row = ExecutionRow("c0", 0, "receipt", 1, output='"some output"', receipt_digest="sha256:r")
    content = bytearray(_CONTENT)
    content[at % len(content)] ^= 1 << bit
    folder = _Held(bytes(content))
    try:
        table = read_part(folder, "part-x.parquet", EXECUTIONS, EXECUTIONS.names)
    except StoreError:
        return
    assert [table[name].to_pylist()[0] for name in ("case_id", "output", "receipt_digest")] == [
        row.case_id,
        row.output,
        row.receipt_digest,
    ]


def test_another_program_s_parquet_is_not_taken_for_a_part(folder: Folder) -> None:
    """Its columns may have our names and mean something else."""
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"case_id": ["c0"]}), sink)
    folder.add("part-foreign.parquet", sink.getvalue().to_pybytes())
    with pytest.raises(
        StoreError, match=r"part-foreign\.parquet: expected a part file of this store"
    ):
        Parts(folder, EXECUTIONS).table(["case_id"])


def _of_version(version: int, table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({"assay.schema_version": str(version)}), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def test_a_newer_version_is_refused_by_name(folder: Folder) -> None:
    """Reading half of what is there would look like data."""
    folder.add("part-new.parquet", _of_version(99, pa.table({"case_id": ["c0"]})))
    with pytest.raises(
        StoreError, match=r"part-new\.parquet: has schema version 99.*reads up to 1"
    ):
        Parts(folder, EXECUTIONS).table(["case_id"])


def test_an_older_version_lacks_columns_and_is_read(folder: Folder, receipt: Make) -> None:
    """Receipts of a year ago are graded again; what was not recorded then is absent."""
    new = table_of([receipt("c1")], EXECUTIONS)
    folder.add("part-0.parquet", _of_version(0, new.drop_columns(["waits", "cost", "error_class"])))
    write_part(folder, new, EXECUTIONS, prefix="part")
    table = Parts(folder, EXECUTIONS).table(["case_id", "waits", "cost", "error_class"])
    assert (
        table.to_pylist()
        == [{"case_id": "c1", "waits": None, "cost": None, "error_class": None}] * 2
    )


def test_many_small_parts_are_one_table(folder: Folder, receipt: Make) -> None:
    """Slow targets leave one part a trial."""
    for number in range(150):
        _write(folder, receipt(f"c{number}"))
    table = Parts(folder, EXECUTIONS).table(["case_id"])
    assert sorted(table["case_id"].to_pylist()) == sorted(f"c{number}" for number in range(150))


def test_parts_that_are_merged_meanwhile_are_found_again(
    tmp_path: Path, receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge may remove parts between our listing and our reading of them."""
    folder = LocalFolder(tmp_path)
    old = _write(folder, receipt("c0"))
    listed = folder.names()
    new = "part-merged.parquet"
    (tmp_path / old).rename(tmp_path / new)
    answers = iter([listed, (new,)])
    monkeypatch.setattr(LocalFolder, "names", lambda _: next(answers))
    assert _outputs(Parts(folder, EXECUTIONS)) == ['"x"']


def test_parts_that_keep_vanishing_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking again has an end."""
    monkeypatch.setattr(LocalFolder, "names", lambda _: ("part-gone.parquet",))
    with pytest.raises(StoreError, match="vanish while they are read"):
        _outputs(Parts(LocalFolder(tmp_path), EXECUTIONS))


class _Held:
    """A folder of one file that is held in memory."""

    place = "held"

    def __init__(self, content: bytes) -> None:
        self._content = content

    def open(self, _: str) -> pa.BufferReader:
        """The file."""
        return pa.BufferReader(self._content)


_CONTENT = encode(
    table_of(
        [ExecutionRow("c0", 0, "receipt", 1, output='"some output"', receipt_digest="sha256:r")],
        EXECUTIONS,
    ),
    EXECUTIONS,
)
