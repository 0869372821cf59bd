"""Merging the parts of one kind in a folder: the merged file is there before a part goes.

A reader sees the parts, or the merged file, or both, and counts the same rows. A merge that is
killed at any moment has lost nothing, and the next one ends its work. So it is with two at once:
each removes only parts whose rows it has written itself.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa

from assay.tasks.store.folder import Folder
from assay.tasks.store.part_file import (
    encode_stamped,
    is_current,
    merge_id_of,
    open_part,
    read_part,
)
from assay.tasks.store.part_kind import PartKind
from assay.tasks.store.parts import Parts
from assay.tasks.store.store_error import StoreError
from assay.tasks.store.uuid7 import uuid7

MANY_PARTS = 64
"""More parts than that are merged in the background."""

_FULL_BYTES = 16 << 20
_LEVELS = (16 << 10, 128 << 10, 1 << 20, _FULL_BYTES)
_PIECE_BYTES = 32 << 20
_BATCH_ROWS = 2000
_LOOKS = 5


class Merger:
    """Merges the parts of one kind in one folder.

    Args:
        folder: Where they lie.
        kind: Which parts.
        guard: Called before anything is written or removed; raises when it may not be.

    Attributes:
        left_alone: Parts that cannot be merged: damaged ones, and those of an older version, whose
            rows say something else in other columns.
    """

    def __init__(
        self, folder: Folder, kind: PartKind, *, guard: Callable[[], None] | None = None
    ) -> None:
        self._folder = folder
        self._kind = kind
        self._parts = Parts(folder, kind.schema, kind.prefix)
        self._guard = guard or (lambda: None)
        self.left_alone: set[str] = set()

    def count(self) -> int:
        """How many parts there are."""
        return len(self._parts.names())

    def places_left_alone(self) -> list[str]:
        """Where the parts are that were left alone, for messages."""
        return [f"{self._folder.place}/{name}" for name in sorted(self.left_alone)]

    def merge_some(self) -> int:
        """Merge parts of about one size into one, if there are many that are not full.

        Every row is rewritten a few times in the life of a run at most, however slowly rows come.

        Returns:
            How many rows were merged.

        Raises:
            StoreError: the store cannot be read or written, or the guard forbids it.
        """
        chosen = self._many_of_one_size()
        if len(chosen) < 2:  # noqa: PLR2004 - one has nothing to be merged with
            return 0
        try:
            return self._merge_held(chosen)
        except FileNotFoundError:
            return 0  # somebody else merges them

    def merge_all(self) -> None:
        """Merge all parts into sorted ones of bounded size that do not overlap.

        Raises:
            StoreError: the store cannot be read or written, or the guard forbids it.
        """
        for _ in range(_LOOKS):
            try:
                self._merge_all()
            except FileNotFoundError:
                continue  # somebody else merges them too
            return
        message = f"{self._folder.place}: part files vanish while they are merged; try again"
        raise StoreError(message)

    def _merge_all(self) -> None:
        merges = {name: self._merge_id(name) for name in self._parts.names()}
        unsorted = [name for name, merge_id in merges.items() if merge_id == ""]
        if not unsorted and len(set(merges.values()) - {None}) <= 1:
            return
        for group in self._groups(unsorted):
            self._merge_held(group)
        self._merge_streams()

    def _merge_held(self, names: Sequence[str]) -> int:
        tables = {name: table for name in names if (table := self._rows(name)) is not None}
        if not tables:
            return 0
        rows = pa.concat_tables(tables.values(), promote_options="permissive")
        self._put(self._kind.order.sort(rows), uuid7())
        self._remove(list(tables))
        return len(rows)

    def _merge_streams(self) -> None:
        names = [name for name in self._parts.names() if self._merge_id(name)]
        if len(names) < 2:  # noqa: PLR2004 - one has nothing to be merged with
            return
        merge_id = uuid7()
        columns = self._kind.schema.names
        sources = [self._parts.batches(name, columns, size=_BATCH_ROWS) for name in names]
        for piece in _pieces(self._kind.order.merge(sources)):
            self._put(piece, merge_id)
        self._remove(names)

    def _merge_id(self, name: str) -> str | None:
        """The merge that sorted the part, empty if none did; None if it must be left alone."""
        if name in self.left_alone:
            return None
        try:
            with open_part(self._folder, name) as part:
                if is_current(part):
                    return merge_id_of(part)
        except StoreError:
            pass  # it is damaged: whoever reads it is told so
        self.left_alone.add(name)
        return None

    def _rows(self, name: str) -> pa.Table | None:
        if self._merge_id(name) is None:
            return None
        try:
            return read_part(self._folder, name, self._kind.schema, self._kind.schema.names)
        except StoreError:
            self.left_alone.add(name)
            return None

    def _many_of_one_size(self) -> list[str]:
        sizes = self._folder.sizes()
        small = {
            name: sizes.get(name, 0)
            for name in self._parts.names()
            if sizes.get(name, 0) < _FULL_BYTES and name not in self.left_alone
        }
        if len(small) <= MANY_PARTS:
            return []
        levels: defaultdict[int, list[str]] = defaultdict(list)
        for name, size in small.items():
            levels[sum(size >= bound for bound in _LEVELS)].append(name)
        return next(_grouped(max(levels.values(), key=len), sizes))

    def _groups(self, names: Sequence[str]) -> Iterator[list[str]]:
        return _grouped(names, self._folder.sizes())

    def _put(self, rows: pa.Table, merge_id: str) -> None:
        self._guard()
        name = f"{self._kind.prefix}-{uuid7()}.parquet"
        self._folder.replace(name, encode_stamped(rows, merge_id=merge_id))

    def _remove(self, names: Sequence[str]) -> None:
        for name in names:
            self._guard()
            self._folder.remove(name)


def _grouped(names: Sequence[str], sizes: dict[str, int]) -> Iterator[list[str]]:
    """The names in groups whose files can be held at once."""
    group: list[str] = []
    held = 0
    for name in sorted(names, key=lambda one: (sizes.get(one, 0), one)):
        if group and held + sizes.get(name, 0) > _FULL_BYTES:
            yield group
            group, held = [], 0
        group.append(name)
        held += sizes.get(name, 0)
    if group:
        yield group


def _pieces(tables: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """The rows in tables of about what one part should hold."""
    held: list[pa.Table] = []
    for table in tables:
        held.append(table)
        if sum(one.nbytes for one in held) >= _PIECE_BYTES:
            yield pa.concat_tables(held, promote_options="permissive")
            held = []
    if held:
        yield pa.concat_tables(held, promote_options="permissive")
