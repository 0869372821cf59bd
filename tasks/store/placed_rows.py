"""Rows of parts by where they lie, so that those that count are read without holding the rest."""

import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import polars as pl
import pyarrow as pa

from assay.tasks.store.frame import frame_of
from assay.tasks.store.parts import WAITS_SECONDS, Parts
from assay.tasks.store.store_error import StoreError

Again: TypeAlias = Callable[[pl.DataFrame], pl.DataFrame]


def placed_rows(parts: Parts, columns: Sequence[str]) -> pl.DataFrame:
    """The columns of every row, with the `part` and the `row` of it where it lies.

    Raises:
        StoreError: a part cannot be read.
    """
    tables = parts.tables(columns)
    lengths = {name: len(table) for name, table in tables.items() if len(table)}
    if not lengths:
        # Typed as rows would be, so that a join with none of them still joins.
        nothing = frame_of(parts.schema.empty_table().select(list(columns)))
        return nothing.with_columns(part=pl.lit("").cast(pl.String), row=pl.lit(0, pl.Int64))
    rows = frame_of(pa.concat_tables(tables.values(), promote_options="permissive"))
    numbered = pl.DataFrame({"part": list(lengths), "row": list(lengths.values())}).with_columns(
        row=pl.int_ranges(0, pl.col("row"))
    )
    return rows.hstack(numbered.explode("row", empty_as_null=False))


def batches_at(
    parts: Parts,
    places: pl.DataFrame,
    columns: Sequence[str],
    *,
    size: int,
    again: Again | None = None,
) -> Iterator[pa.RecordBatch]:
    """The rows at these places in batches of about `size`; holds one batch.

    Args:
        parts: Where they lie.
        places: `part` and `row` of each.
        columns: What is read of them.
        size: Rows held at once.
        again: Where rows lie now, given the places of those whose part has been merged since.

    Raises:
        StoreError: a part cannot be read, or has been merged and nobody knows where rows lie now.
    """
    pending: list[pa.Table] = []
    for piece in _pieces_at(parts, places, columns, size=size, again=again):
        pending.append(piece)
        if sum(map(len, pending)) >= size:
            yield _joined(pending)
            pending = []
    if pending:
        yield _joined(pending)


def _pieces_at(
    parts: Parts,
    places: pl.DataFrame,
    columns: Sequence[str],
    *,
    size: int,
    again: Again | None,
) -> Iterator[pa.Table]:
    left, waits = _by_part(places), iter(WAITS_SECONDS)
    while left:
        here, taken = left.popleft(), 0
        name, rows = here["part"][0], here["row"].to_list()
        try:
            for piece in _taken(parts, name, rows, columns=columns, size=size):
                taken += len(piece)
                yield piece
        except FileNotFoundError as error:
            seconds = next(waits, None)
            if again is None or seconds is None:
                place = f"{parts.folder.place}/{name}"
                message = f"{place}: the part vanished while it was read; try again"
                raise StoreError(message) from error
            time.sleep(seconds)
            left = _by_part(again(pl.concat([here.slice(taken), *left])))
        else:
            waits = iter(WAITS_SECONDS)


def _by_part(places: pl.DataFrame) -> deque[pl.DataFrame]:
    return deque(places.sort("part", "row").partition_by("part", maintain_order=True))


def _taken(
    parts: Parts, name: str, rows: list[int], *, columns: Sequence[str], size: int
) -> Iterator[pa.Table]:
    try:
        yield from _pieces(parts.batches(name, columns, size=size), rows)
    except StoreError:
        if not parts.skip_damaged:
            raise


def _pieces(batches: Iterable[pa.Table], rows: list[int]) -> Iterator[pa.Table]:
    """The rows of these ascending numbers, batch by batch."""
    begin = taken = 0
    for batch in batches:
        end = begin + len(batch)
        upto = bisect_left(rows, end, taken)
        wanted = rows[taken:upto]
        if wanted == list(range(begin, end)):
            yield batch  # all of it, without a copy
        elif wanted:
            yield batch.take([row - begin for row in wanted])
        begin, taken = end, upto


def _joined(tables: Sequence[pa.Table]) -> pa.RecordBatch:
    table = pa.concat_tables(tables, promote_options="permissive").unify_dictionaries()
    return table.combine_chunks().to_batches()[0]
