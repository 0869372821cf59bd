"""The writer of executions: a row in, and back when its part file is durable."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import pyarrow as pa
from typing_extensions import override

from assay.tasks.store.folder import Folder
from assay.tasks.store.group_commit import CommitLimits, GroupCommit
from assay.tasks.store.lease import Lease
from assay.tasks.store.part_file import write_part
from assay.tasks.store.part_kind import PartKind
from assay.tasks.store.rows import table_of
from assay.tasks.store.stamp import conform
from assay.tasks.store.upkeep import Upkeep

RowT = TypeVar("RowT")


class PartWriter(GroupCommit[RowT | pa.Table, pa.Table], Generic[RowT]):
    """A group-committing writer of one kind of row into the part files of one folder.

    Args:
        folder: Where the parts go; nobody else's writer is disturbed by this one.
        kind: The kind of the parts.
        in_flight: As for `GroupCommit`.
        limits: As for `GroupCommit`.
        lease: The writer's lease: without it nothing is written.
    """

    def __init__(
        self,
        folder: Folder,
        kind: PartKind,
        *,
        in_flight: Callable[[], int] | None = None,
        limits: CommitLimits | None = None,
        lease: Lease | None = None,
    ) -> None:
        self._folder = folder
        self._kind = kind
        self._upkeep = Upkeep(folder, (kind,), lease)
        super().__init__(
            place=folder.place,
            in_flight=in_flight,
            limits=limits,
            guard=self._upkeep.require_allowed,
        )

    async def commit(self, row: RowT) -> None:
        """Return when the part file that holds the row is durable.

        Cancelling the wait does not take the row back.

        Raises:
            StoreError: the row is not stored.
        """
        await self._submit(row)

    def commit_blocking(self, row: RowT) -> None:
        """The same from a thread."""
        self._submit_blocking(row)

    async def commit_table(self, table: pa.Table) -> None:
        """Return when all rows of the table are durable, in one part.

        Args:
            table: The columns of the schema but the stamped ones, of any string type.

        Raises:
            StoreError: no row of it is stored.
        """
        await self._submit(table, urgent=True)

    def commit_table_blocking(self, table: pa.Table) -> None:
        """The same from a thread."""
        self._submit_blocking(table, urgent=True)

    @override
    def _prepare(self, items: Sequence[RowT | pa.Table]) -> pa.Table:
        return gather(items, self._kind.schema)

    @override
    def _write(self, payload: pa.Table) -> None:
        write_part(self._folder, payload, self._kind.schema, prefix=self._kind.prefix)
        self._upkeep.note_part()

    @override
    def _end(self) -> None:
        self._upkeep.wait()


def gather(items: Sequence[object], schema: pa.Schema) -> pa.Table:
    """Rows and tables as one conformed table.

    Raises:
        ValueError: one of them does not fit the schema.
    """
    tables = [conform(one, schema) for one in items if isinstance(one, pa.Table)]
    rows = [one for one in items if not isinstance(one, pa.Table)]
    if rows or not tables:
        tables.append(table_of(rows, schema))
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables).unify_dictionaries()
