"""One grading of a run, as it lies in the store."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import polars as pl
import pyarrow as pa

from assay.evaluators.schema import GRADES, IDENTITIES
from assay.tasks.store.cases_file import read_cases
from assay.tasks.store.folder import Folder
from assay.tasks.store.frame import frame_of
from assay.tasks.store.grade_writer import GradeWriter
from assay.tasks.store.group_commit import CommitLimits
from assay.tasks.store.json_file import JsonRecord, read_record
from assay.tasks.store.layout import (
    CASES_FILE,
    GRADING_FILE,
    GRADINGS,
    LEASE,
    REPORT_FILE,
    SUMMARY_FILE,
)
from assay.tasks.store.lease import Lease, LeaseTimes
from assay.tasks.store.merge import Merger
from assay.tasks.store.part_kind import GRADE_PARTS, IDENTITY_PARTS
from assay.tasks.store.parts import Parts
from assay.tasks.store.placed_rows import batches_at, placed_rows
from assay.tasks.store.precedence import ASSESSED, GRADE_ORDER, counted_grades, has_duplicates
from assay.tasks.store.run_folder import RunFolder
from assay.tasks.store.seal import seal_rows
from assay.tasks.store.summary_file import StoredSummary


class GradingStore:
    """The grades of one pass of one suite over the receipts of a run.

    Args:
        folder: The folder of the grading.
        grading_id: Its id.
        run: What it needs of its run.
    """

    def __init__(self, folder: Folder, *, grading_id: str, run: RunFolder) -> None:
        self._folder = folder
        self._run = run
        self.grading_id = grading_id

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return self._folder.place

    @cached_property
    def info(self) -> JsonRecord:
        """What `grading.json` says: as given, with the id, the run's id and the moment.

        Raises:
            StoreError: the file cannot be read.
        """
        return read_record(self._folder, GRADING_FILE)

    def grades(
        self, columns: Sequence[str] | None = None, *, skip_damaged: bool = False
    ) -> pl.DataFrame:
        """One row an assessment of a trial, in no particular order.

        Of several rows that of the highest attempt counts, and of those the earliest durable one.

        Args:
            columns: Columns of `GRADES`, by default all of them; few are read much faster.
            skip_damaged: Go on without parts that cannot be read.

        Raises:
            StoreError: a part cannot be read.
        """
        wanted = list(GRADES.names if columns is None else columns)
        parts = self.grade_parts(skip_damaged=skip_damaged)
        rows = frame_of(parts.table(list(dict.fromkeys([*wanted, *ASSESSED]))))
        if has_duplicates(rows, ASSESSED):
            rows = counted_grades(frame_of(parts.table(list({*wanted, *GRADE_ORDER}))))
        return rows.select(wanted)

    def placed_grades(self, columns: Sequence[str]) -> pl.DataFrame:
        """The columns of the counted grades, with the `part` and the `row` where each lies.

        Raises:
            StoreError: a part cannot be read.
        """
        parts = self.grade_parts()
        rows = placed_rows(parts, list(dict.fromkeys([*columns, *ASSESSED])))
        if has_duplicates(rows, ASSESSED):
            rows = counted_grades(placed_rows(parts, list({*columns, *GRADE_ORDER})))
        return rows.select(*columns, "part", "row")

    def grades_at(
        self, places: pl.DataFrame, columns: Sequence[str], *, batch_size: int
    ) -> Iterator[pa.RecordBatch]:
        """The grades at places that `placed_grades` named, in batches of about that many rows.

        Args:
            places: `part` and `row` of each, in any order; one that is named twice comes twice.
            columns: Columns of `GRADES`.
            batch_size: Rows held at once.

        Returns:
            The rows in the order of part and row.

        Raises:
            StoreError: a part cannot be read, or has been merged since; then look again.
        """
        return batches_at(self.grade_parts(), places, columns, size=batch_size)

    def cases(self, columns: Sequence[str] | None = None) -> pl.DataFrame | None:
        """The cases that this grading was made with, or None where they are the run's.

        Raises:
            StoreError: the file is missing, or not the one that the grading was made with.
        """
        digest = self.info.get("cases_digest")
        if digest is None:
            return None
        path = f"{GRADINGS}/{self.grading_id}/{CASES_FILE}"
        later = partial(self._run.later_files, path)
        return read_cases(self._folder, str(digest), columns, later=later)

    def identity_table(self) -> pl.DataFrame:
        """What digests in the grades stand for: `digest`, `kind` and `text`, a digest once.

        Raises:
            StoreError: a part cannot be read.
        """
        found = frame_of(self.identity_parts().table(("digest", "kind", "text")))
        return found.unique("digest", keep="first").sort("digest")

    def identities(self) -> dict[str, tuple[str, str]]:
        """The same, as digest to (kind, text)."""
        rows = self.identity_table().cast({"kind": pl.String}).iter_rows()
        return {digest: (kind, text) for digest, kind, text in rows}

    def writer(
        self,
        *,
        in_flight: Callable[[], int] | None = None,
        limits: CommitLimits | None = None,
        lease: Lease | None = None,
    ) -> GradeWriter:
        """A writer of grades for this process; close it.

        With a lease it stops when the lease is lost, and keeps the number of parts small.
        """
        return GradeWriter(self._folder, in_flight=in_flight, limits=limits, lease=lease)

    def lease(
        self, purpose: str, *, token: str | None = None, times: LeaseTimes | None = None
    ) -> Lease:
        """The right to be the one writer of this grading; as `RunStore.lease`."""
        folder, what = self._folder.child(LEASE), f"grading {self.grading_id}"
        return Lease(folder, what=what, purpose=purpose, token=token, times=times)

    def mergers(self, guard: Callable[[], None] | None = None) -> tuple[Merger, ...]:
        """What merges the parts of the grading; the guard is called before each change."""
        kinds = (GRADE_PARTS, IDENTITY_PARTS)
        return tuple(Merger(self._folder, kind, guard=guard) for kind in kinds)

    def write_summary(self, summary: pl.DataFrame) -> None:
        """Keep a derived summary, with the seals of what it summarises; it replaces an older one.

        Raises:
            StoreError: it cannot be written, or a part cannot be read.
        """
        executions = seal_rows(self._run.execution_parts())
        stored = StoredSummary(summary, executions, seal_rows(self.grade_parts()))
        self._folder.replace(SUMMARY_FILE, stored.encode())

    def summary(self) -> pl.DataFrame | None:
        """The summary that was kept, or None: then it can be derived again.

        Raises:
            StoreError: it cannot be read.
        """
        stored = self.stored_summary()
        return None if stored is None else stored.table

    def stored_summary(self) -> StoredSummary | None:
        """The summary and the seals of what it was made of; as `summary`."""
        try:
            content = self._folder.read(SUMMARY_FILE)
        except FileNotFoundError:
            return None
        return StoredSummary.decode(content, place=f"{self._folder.place}/{SUMMARY_FILE}")

    def grade_parts(self, *, skip_damaged: bool = False) -> Parts:
        """The parts of grades."""
        return Parts(self._folder, GRADES, skip_damaged=skip_damaged)

    def identity_parts(self, *, skip_damaged: bool = False) -> Parts:
        """The parts of identities."""
        prefix = IDENTITY_PARTS.prefix
        return Parts(self._folder, IDENTITIES, prefix=prefix, skip_damaged=skip_damaged)

    def write_report(self, html: str) -> str:
        """Keep a rendered report, replacing an older one; returns its path or address.

        Raises:
            StoreError: it cannot be written.
        """
        self._folder.replace(REPORT_FILE, html.encode())
        return f"{self._folder.place}/{REPORT_FILE}"

    def damaged(self) -> tuple[str, ...]:
        """One sentence for each part that cannot be read."""
        return self.grade_parts().damaged() + self.identity_parts().damaged()
