"""All part files of one kind in a folder, read as one table or batch by batch."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa

from assay.tasks.store.folder import Folder
from assay.tasks.store.part_file import (
    WholePart,
    align,
    open_part,
    present,
    read_part,
    read_whole,
)
from assay.tasks.store.store_error import StoreError

_T = TypeVar("_T")

WAITS_SECONDS = (0.0, 0.02, 0.1, 0.5, 1.0)
"""Before each new look at parts that vanish; a listing that lags catches up meanwhile."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts `<prefix>-*.parquet` of a folder; temporaries and foreign files are not seen.

    Attributes:
        folder: Where they are.
        schema: The columns of `evaluators.schema` that they hold.
        prefix: How their names begin.
        skip_damaged: Go on without a part that cannot be read; otherwise it is an error.
    """

    folder: Folder
    schema: pa.Schema
    prefix: str = "part"
    skip_damaged: bool = False

    def names(self) -> tuple[str, ...]:
        """The names of the parts, the oldest first."""
        begin, end = f"{self.prefix}-", ".parquet"
        names = self.folder.names()
        return tuple(name for name in names if name.startswith(begin) and name.endswith(end))

    def tables(self, columns: Sequence[str]) -> dict[str, pa.Table]:
        """The columns of each part by its name; one that an older version lacks is null.

        Raises:
            StoreError: a part cannot be read.
        """
        return self._settled(lambda: dict(self._tables(columns)))

    def table(self, columns: Sequence[str]) -> pa.Table:
        """The columns of all parts as one table.

        Raises:
            StoreError: a part cannot be read.
        """
        tables = self.tables(columns).values()
        if not tables:
            return pa.schema([self.schema.field(name) for name in columns]).empty_table()
        return pa.concat_tables(tables, promote_options="permissive")

    def batches(self, name: str, columns: Sequence[str], *, size: int) -> Iterator[pa.Table]:
        """The rows of one part in pieces of at most `size`.

        Raises:
            StoreError: the part cannot be read.
        """
        with open_part(self.folder, name) as part:
            for batch in part.iter_batches(
                batch_size=size,
                columns=present(part, columns),
                use_threads=False,  # they cost a batch of this size more than they save
            ):
                yield align(pa.Table.from_batches([batch]), self.schema, columns)

    def whole(self) -> Iterator[tuple[str, WholePart | StoreError]]:
        """Each part by its name, with the columns of its own version, or why it cannot be read.

        A part that is merged meanwhile is followed into the merged one, whose rows then all come,
        those that came before too.
        """
        seen: set[str] = set()
        vanished = True
        while vanished:
            vanished = False
            fresh = [name for name in self.names() if name not in seen]
            seen.update(fresh)
            for name in fresh:
                try:
                    yield name, read_whole(self.folder, name)
                except FileNotFoundError:
                    vanished = True
                except StoreError as error:
                    yield name, error

    def damaged(self) -> tuple[str, ...]:
        """One sentence for each part that cannot be read, its pages included."""
        return self._settled(lambda: tuple(filter(None, map(self._damage, self.names()))))

    def _tables(self, columns: Sequence[str]) -> Iterator[tuple[str, pa.Table]]:
        for name in self.names():
            try:
                yield name, read_part(self.folder, name, self.schema, columns)
            except StoreError:
                if not self.skip_damaged:
                    raise

    def _damage(self, name: str) -> str:
        try:
            read_part(self.folder, name, self.schema, self.schema.names)
        except StoreError as error:
            return str(error)
        return ""

    def _settled(self, look: Callable[[], _T]) -> _T:
        """What a look at the parts gives; parts may be merged meanwhile, then it looks again."""
        for seconds in WAITS_SECONDS:
            try:
                return look()
            except FileNotFoundError:
                time.sleep(seconds)
        try:
            return look()
        except FileNotFoundError as error:
            message = f"{self.folder.place}: part files vanish while they are read; try again"
            raise StoreError(message) from error
