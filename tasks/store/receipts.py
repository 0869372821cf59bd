"""The counted receipts of a run, read without ever holding all of them."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import polars as pl
import pyarrow as pa

from assay.tasks.store.frame import frame_of
from assay.tasks.store.part_file import read_part
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
    for (name,), places in _places(parts).group_by("part", maintain_order=True):
        rows = places["row"].to_list()
        for piece in _taken(parts, str(name), rows, columns=columns, size=size):
            pending.append(piece)
            if sum(map(len, pending)) >= size:
                yield _joined(pending)
                pending = []
    if pending:
        yield _joined(pending)


class ReceiptIndex:
    """Where the counted receipt of each trial lies, as of one look at the parts.

    Args:
        parts: The parts of the executions.

    Raises:
        StoreError: a part cannot be read.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._places = _places(parts)
        self._held: tuple[str, pa.Table] | None = None

    def read(self, case_id: str, repeat: int) -> dict[str, object] | None:
        """The receipt of one trial, column by column, or None.

        Raises:
            StoreError: its part cannot be read.
            FileNotFoundError: its part has been merged into another since.
        """
        is_it = (pl.col("case_id").cast(pl.String) == case_id) & (pl.col("repeat") == repeat)
        found = self._places.filter(is_it).select("part", "row").rows()
        if not found:
            return None
        name, row = found[0]
        receipt: dict[str, object] = self._part(name).slice(row, 1).to_pylist()[0]
        return receipt

    def _part(self, name: str) -> pa.Table:
        # Trials are asked for in the order of the cases, so neighbours often share a part.
        if self._held is None or self._held[0] != name:
            schema = self._parts.schema
            self._held = (name, read_part(self._parts.folder, name, schema, schema.names))
        return self._held[1]


def _places(parts: Parts) -> pl.DataFrame:
    """The trials that have a counted receipt, with its `part` and `row`, sorted by those."""
    tables = parts.tables(EXECUTION_ORDER)
    lengths = {name: len(table) for name, table in tables.items() if len(table)}
    if not lengths:
        return pl.DataFrame(schema=["case_id", "repeat", "part", "row"])
    keys = frame_of(pa.concat_tables(tables.values(), promote_options="permissive"))
    numbered = pl.DataFrame({"part": list(lengths), "row": list(lengths.values())}).with_columns(
        row=pl.int_ranges(0, pl.col("row"))
    )
    rows = keys.hstack(numbered.explode("row", empty_as_null=False))
    counted = counted_executions(rows).filter(pl.col("kind").cast(pl.String) == "receipt")
    return counted.select("case_id", "repeat", "part", "row").sort("part", "row")


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
