"""Rows in the order of a merged part, each of them once."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The order of rows that are merged.

    Attributes:
        columns: What they are sorted by; text in the order of its code points.
        identity: The column in which only copies of one row agree.
    """

    columns: tuple[str, ...]
    identity: str

    @property
    def _by(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.columns, self.identity)))

    def sort(self, table: pa.Table) -> pa.Table:
        """The rows in order, of copies one."""
        by = self._by
        keys = table.select(list(by)).cast(pa.schema([(name, _plain(table, name)) for name in by]))
        order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in by])
        ids = keys[self.identity].take(order).combine_chunks()
        is_first = pa.array([True])
        if len(ids) > 1:
            differs = pc.not_equal(ids.slice(1), ids.slice(0, len(ids) - 1))
            is_first = pa.concat_arrays([is_first, differs])
        return table.take(order.filter(is_first)) if len(ids) else table

    def merge(self, sources: Sequence[Iterable[pa.Table]]) -> Iterator[pa.Table]:
        """All rows of sorted sources in order, of copies one; a piece of each is held at once.

        Args:
            sources: Each gives pieces that are in order, within and among each other.
        """
        waiting = [iter(source) for source in sources]
        heads = [_next(source) for source in waiting]
        while any(head is not None for head in heads):
            # Up to here every source is known: the least of the last rows that are held.
            bound = min(self._key(head, len(head) - 1) for head in heads if head is not None)
            taken = []
            for index, head in enumerate(heads):
                if head is None:
                    continue
                count = self._count_up_to(head, bound)
                taken.append(head.slice(0, count))
                heads[index] = head.slice(count) if count < len(head) else _next(waiting[index])
            yield self.sort(pa.concat_tables(taken, promote_options="permissive"))

    def _count_up_to(self, table: pa.Table, bound: Key) -> int:
        return bisect_right(range(len(table)), bound, key=lambda row: self._key(table, row))

    def _key(self, table: pa.Table, row: int) -> Key:
        return tuple(table[name][row].as_py() for name in self._by)


def _plain(table: pa.Table, name: str) -> pa.DataType:
    kind = table.schema.field(name).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _next(source: Iterator[pa.Table]) -> pa.Table | None:
    return next((piece for piece in source if len(piece)), None)
