"""The writer of grades: identities first, then the rows that name them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
from typing_extensions import override

from assay.evaluators.schema import GRADES, IDENTITIES
from assay.tasks.store.folder import Folder
from assay.tasks.store.group_commit import CommitLimits, GroupCommit
from assay.tasks.store.lease import Lease
from assay.tasks.store.part_file import write_part
from assay.tasks.store.part_kind import GRADE_PARTS, IDENTITY_PARTS
from assay.tasks.store.part_writer import gather
from assay.tasks.store.rows import GradeRow, table_of
from assay.tasks.store.upkeep import Upkeep

Identities = Mapping[str, tuple[str, str]]
"""Digest to (kind, text)."""


@dataclass(frozen=True, slots=True)
class _Handful:
    rows: tuple[GradeRow | pa.Table, ...]
    identities: Identities


@dataclass(frozen=True, slots=True)
class _IdentityRow:
    digest: str
    kind: str
    text: str


class GradeWriter(GroupCommit[_Handful, tuple[pa.Table, pa.Table]]):
    """A group-committing writer of the grades of one grading.

    Args:
        folder: The folder of the grading.
        in_flight: As for `GroupCommit`.
        limits: As for `GroupCommit`.
        lease: The writer's lease: without it nothing is written.
    """

    def __init__(
        self,
        folder: Folder,
        *,
        in_flight: Callable[[], int] | None = None,
        limits: CommitLimits | None = None,
        lease: Lease | None = None,
    ) -> None:
        self._folder = folder
        self._upkeep = Upkeep(folder, (GRADE_PARTS, IDENTITY_PARTS), lease)
        super().__init__(
            place=folder.place,
            in_flight=in_flight,
            limits=limits,
            guard=self._upkeep.require_allowed,
        )
        self._written: set[str] = set()

    async def commit(self, rows: Sequence[GradeRow], identities: Identities | None = None) -> None:
        """Return when all grades of a trial are durable, in one part.

        Args:
            rows: One row an assessment.
            identities: What the digests in the rows stand for; known ones cost nothing.

        Raises:
            StoreError: none of the rows is stored.
        """
        await self._submit(_Handful(tuple(rows), identities or {}))

    def commit_blocking(
        self, rows: Sequence[GradeRow], identities: Identities | None = None
    ) -> None:
        """The same from a thread."""
        self._submit_blocking(_Handful(tuple(rows), identities or {}))

    async def commit_table(self, table: pa.Table, identities: Identities | None = None) -> None:
        """Return when all rows of the table are durable, in one part; as for `PartWriter`."""
        await self._submit(_Handful((table,), identities or {}), urgent=True)

    def commit_table_blocking(self, table: pa.Table, identities: Identities | None = None) -> None:
        """The same from a thread."""
        self._submit_blocking(_Handful((table,), identities or {}), urgent=True)

    @override
    def _prepare(self, items: Sequence[_Handful]) -> tuple[pa.Table, pa.Table]:
        rows = [row for handful in items for row in handful.rows]
        found = {
            digest: identity
            for handful in items
            for digest, identity in handful.identities.items()
            if digest not in self._written
        }
        new = [_IdentityRow(digest, kind, text) for digest, (kind, text) in sorted(found.items())]
        return table_of(new, IDENTITIES), gather(rows, GRADES)

    @override
    def _write(self, payload: tuple[pa.Table, pa.Table]) -> None:
        identities, grades = payload
        if len(identities):
            write_part(self._folder, identities, IDENTITIES, prefix=IDENTITY_PARTS.prefix)
            self._written.update(identities["digest"].to_pylist())
        if len(grades):
            write_part(self._folder, grades, GRADES, prefix=GRADE_PARTS.prefix)
        self._upkeep.note_part()

    @override
    def _end(self) -> None:
        self._upkeep.wait()
