"""The counted receipts of a run, read without ever holding all of them."""

from collections.abc import Iterator, Sequence

import polars as pl
import pyarrow as pa

from assay.tasks.store.part_file import read_part
from assay.tasks.store.parts import Parts
from assay.tasks.store.placed_rows import batches_at, placed_rows
from assay.tasks.store.precedence import (
    EXECUTION_ORDER,
    TRIAL,
    counted_executions,
    has_duplicates,
)


def receipt_batches(
    parts: Parts, columns: Sequence[str], *, size: int, trials: pl.DataFrame | None = None
) -> Iterator[pa.RecordBatch]:
    """The counted receipts in batches of about `size` rows, one row a trial that has a receipt.

    Holds one batch, and of all other rows only what decides which of them count.

    Args:
        parts: The parts of the executions.
        columns: What is read of each.
        size: Rows held at once.
        trials: `case_id` and `repeat` of those that are wanted; by default all. Parts that hold
            none of them are not read.

    Raises:
        StoreError: a part cannot be read.
    """

    def again(places: pl.DataFrame) -> pl.DataFrame:
        trials = places.select(TRIAL)
        return _places(parts).join(trials, on=TRIAL, how="semi", maintain_order="left")

    places = _places(parts)
    if trials is not None:
        places = places.join(trials, on=TRIAL, how="semi", maintain_order="left")
    return batches_at(parts, places, columns, size=size, again=again)


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
    rows = placed_rows(parts, (*TRIAL, "kind"))
    if has_duplicates(rows, TRIAL):
        # What decides between rows is dear to read, and most runs have one row a trial.
        rows = counted_executions(placed_rows(parts, EXECUTION_ORDER))
    counted = rows.filter(pl.col("kind").cast(pl.String) == "receipt")
    return counted.select("case_id", "repeat", "part", "row").sort("part", "row")
