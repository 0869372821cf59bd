"""The counted receipts of a run, read without ever holding all of them."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import polars as pl
import pyarrow as pa

from assay.tasks.store.frame import frame_of
from assay.tasks.store.parts import Parts
from assay.tasks.store.precedence import EXECUTION_ORDER, counted_executions
from assay.tasks.store.store_error import StoreError


def receipt_batches(parts: Parts, columns: Sequence[str], *, size: int) -> Iterator[pa.RecordBatch]:
    """The counted receipts in batches of about `size` rows, one row a trial that has a receipt.

    Holds one batch, and of all other rows only what decides which of them count.

    Raises:
        StoreError: a part cannot be read.
    """
    pending: list[pa.Table] = []
    for name, rows in _places(parts).items():
        for piece in _taken(parts, name, rows, columns=columns, size=size):
            pending.append(piece)
            if sum(map(len, pending)) >= size:
                yield _joined(pending)
                pending = []
    if pending:
        yield _joined(pending)


def receipt_of(parts: Parts, case_id: str, repeat: int) -> dict[str, object] | None:
    """The counted receipt of one trial, column by column, or None.

    Raises:
        StoreError: a part cannot be read.
    """
    trial = (pl.col("case_id").cast(pl.String) == case_id) & (pl.col("repeat") == repeat)
    for name, rows in _places(parts, trial).items():
        for piece in _taken(parts, name, rows, columns=parts.schema.names, size=1024):
            row: dict[str, object] = piece.to_pylist()[0]
            return row
    return None


def _places(parts: Parts, condition: pl.Expr | None = None) -> dict[str, list[int]]:
    """Row numbers of the counted receipts by part, ascending."""
    tables = parts.tables(EXECUTION_ORDER)
    if not tables:
        return {}
    lengths = pl.DataFrame({"part": list(tables), "length": [len(one) for one in tables.values()]})
    numbered = lengths.filter(pl.col("length") > 0).with_columns(
        row=pl.int_ranges(0, pl.col("length"))
    )
    keys = frame_of(pa.concat_tables(tables.values(), promote_options="permissive"))
    rows = keys.hstack(numbered.explode("row", empty_as_null=False).select("part", "row"))
    counted = counted_executions(rows if condition is None else rows.filter(condition))
    found = counted.filter(pl.col("kind").cast(pl.String) == "receipt").sort("part", "row")
    return {
        str(name): group["row"].to_list()
        for (name,), group in found.group_by("part", maintain_order=True)
    }


def _taken(
    parts: Parts, name: str, rows: Sequence[int], *, columns: Sequence[str], size: int
) -> Iterator[pa.Table]:
    try:
        yield from _pieces(parts.batches(name, columns, size=size), rows)
    except FileNotFoundError as error:
        message = f"{parts.folder.place}/{name}: the part vanished while it was read; try again"
        raise StoreError(message) from error
    except StoreError:
        if not parts.skip_damaged:
            raise


def _pieces(batches: Iterable[pa.Table], rows: Sequence[int]) -> Iterator[pa.Table]:
    """The rows of these ascending numbers, batch by batch."""
    begin = taken = 0
    for batch in batches:
        end = begin + len(batch)
        upto = bisect_left(rows, end, taken)
        if upto > taken:
            yield batch.take([row - begin for row in rows[taken:upto]])
        begin, taken = end, upto


def _joined(tables: Sequence[pa.Table]) -> pa.RecordBatch:
    table = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries()
    return table.combine_chunks().to_batches()[0]
