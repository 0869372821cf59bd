"""A part file holds its rows and nothing else."""

from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assay.evaluators.schema import CASES, identity_columns
from assay.tasks.store.part_file import encode, row_groups
from assay.tasks.store.stamp import conform

MANY = 20_000


def cases(count: int) -> pa.Table:
    """Cases with as many ids, conformed as a writer hands them over."""
    rows = {
        "case_id": [f"case-{n}" for n in range(count)],
        "input": ["1"] * count,
        "expected": pa.nulls(count, pa.string()),
        "metadata": ["{}"] * count,
        "suite": pa.nulls(count, pa.string()),
        "case_digest": ["c"] * count,
        "input_digest": ["i"] * count,
        "position": pa.array(range(count), pa.int32()),
    }
    return conform(pa.table(rows), CASES)


def test_a_row_group_stores_the_identities_of_its_own_rows() -> None:
    """All ids once a group made a million rows ten times slower to read."""
    part = pq.ParquetFile(BytesIO(encode(cases(MANY), CASES)))
    assert part.num_row_groups == 3
    for number in range(part.num_row_groups):
        column = part.read_row_group(number, columns=["case_id"])["case_id"]
        assert all(len(chunk.dictionary) == len(column) for chunk in column.chunks)


@pytest.mark.parametrize("count", [0, 1, 8192, 8193, MANY])
def test_pieces_put_together_are_the_table(count: int) -> None:
    """What a reader sees does not depend on where a row group ends."""
    table = cases(count)
    pieces = list(row_groups(table))
    together = pa.concat_tables(pieces).unify_dictionaries()
    assert together.to_pylist() == table.to_pylist()
    assert all(piece.schema.equals(table.schema) for piece in pieces)
    read = pq.read_table(BytesIO(encode(table, CASES)))
    assert read.select(table.column_names).to_pylist() == table.to_pylist()
    assert identity_columns(read.schema) == identity_columns(CASES)


def test_a_slice_of_a_large_table_leaves_the_rest_behind() -> None:
    """A writer that commits a slice must not store the identities of the whole."""
    (group,) = row_groups(cases(MANY).slice(100, 3))
    assert group["case_id"].to_pylist() == ["case-100", "case-101", "case-102"]
    assert group["case_id"].chunk(0).dictionary.to_pylist() == group["case_id"].to_pylist()
