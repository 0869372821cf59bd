"""One run, as it lies in the store: its plan, cases, executions, gradings and journal."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import chain

import polars as pl
import pyarrow as pa

from assay.evaluators.errors import InputError
from assay.evaluators.schema import SCHEMA_VERSION
from assay.tasks.store.cases_file import encode_cases, file_digest, read_cases
from assay.tasks.store.claim import Claims
from assay.tasks.store.erasure import Erased, Erasure
from assay.tasks.store.execution_reader import ExecutionReader
from assay.tasks.store.folder import Folder
from assay.tasks.store.foreign import Foreign, foreign_files
from assay.tasks.store.forgotten import Forgotten
from assay.tasks.store.grading_store import GradingStore
from assay.tasks.store.group_commit import CommitLimits
from assay.tasks.store.ids import find_id, is_id, require_id
from assay.tasks.store.json_file import JsonRecord, encode_record, read_record
from assay.tasks.store.layout import CASES_FILE, GRADING_FILE, LEASE, PLAN_FILE
from assay.tasks.store.lease import Lease, LeaseTimes
from assay.tasks.store.merge import Merger
from assay.tasks.store.part_kind import EXECUTION_PARTS
from assay.tasks.store.part_writer import PartWriter
from assay.tasks.store.rows import ExecutionRow
from assay.tasks.store.run_folder import RunFolder


class RunStore(ExecutionReader):
    """A stored run.

    Args:
        folder: The folder of the run.
        run_id: Its id.
    """

    def __init__(self, folder: Folder, *, run_id: str) -> None:
        super().__init__(RunFolder(folder))
        self._folder = folder
        self.run_id = run_id

    @property
    def place(self) -> str:
        """Where it lies, for messages."""
        return self._folder.place

    @cached_property
    def plan(self) -> JsonRecord:
        """What was to be done, as it was given to `Store.create_run`.

        Raises:
            StoreError: the file cannot be read.
        """
        return read_record(self._folder, PLAN_FILE)

    def plan_digest(self) -> str:
        """The digest of the plan's file, by which a grading names what was planned.

        Raises:
            StoreError: the file cannot be read.
        """
        return file_digest(self._folder.read(PLAN_FILE))

    def cases(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """The snapshot of the cases, in the order of the dataset.

        Raises:
            StoreError: the file is missing, or not the one that the plan was made with.
        """
        return read_cases(
            self._folder,
            str(self.plan.get("cases_digest")),
            columns,
            later=partial(self._places.later_files, CASES_FILE),
        )

    def execution_writer(
        self,
        *,
        in_flight: Callable[[], int] | None = None,
        limits: CommitLimits | None = None,
        lease: Lease | None = None,
    ) -> PartWriter[ExecutionRow]:
        """A writer of executions for this process; close it.

        With a lease it stops when the lease is lost, and keeps the number of parts small.
        """
        return PartWriter(
            self._places.executions,
            EXECUTION_PARTS,
            in_flight=in_flight,
            limits=limits,
            lease=lease,
        )

    def lease(
        self, purpose: str, *, token: str | None = None, times: LeaseTimes | None = None
    ) -> Lease:
        """The right to be the one writer of this run, taken on entering.

        Args:
            purpose: What for, one word for the message to others: `run`, `resume`, `compact`, ...
            token: Of the lease that another machine holds, to write beside it.
            times: How it is kept.
        """
        folder, what = self._folder.child(LEASE), f"run {self.run_id}"
        return Lease(folder, what=what, purpose=purpose, token=token, times=times)

    def writer(self) -> str:
        """Who writes the run now, for messages; empty if nobody does.

        Raises:
            StoreError: the lease cannot be read.
        """
        _, claim = Claims(self._folder.child(LEASE)).newest()
        return "" if claim is None or claim.is_over() else str(claim)

    def mergers(self, guard: Callable[[], None] | None = None) -> tuple[Merger, ...]:
        """What merges the run's parts; the guard is called before each change."""
        executions = Merger(self._places.executions, EXECUTION_PARTS, guard=guard)
        gradings = (self._grading(name).mergers(guard) for name in self.grading_ids())
        return (executions, *chain.from_iterable(gradings))

    def gradings(self) -> tuple[GradingStore, ...]:
        """The gradings of the run, the oldest first."""
        stores = [self._grading(name) for name in self.grading_ids()]
        return tuple(
            sorted(stores, key=lambda one: (str(one.info.get("created_at")), one.grading_id))
        )

    def create_grading(
        self, grading_id: str, *, grading: Mapping[str, object], cases: pa.Table | None = None
    ) -> GradingStore:
        """A new grading of the run.

        Args:
            grading_id: Such as `new_grading_id` makes.
            grading: Any JSON object; ids, moment, schema version and the digest of the plan are
                added.
            cases: The cases that are graded where they are not the run's, as for
                `Store.create_run`; added is `cases_digest`.

        Raises:
            InputError: the id is invalid or taken.
            StoreError: it cannot be written.
        """
        require_id(grading_id, kind="grading")
        record = {
            **grading,
            "grading_id": grading_id,
            "run_id": self.run_id,
            "plan_digest": self.plan_digest(),
            "created_at": datetime.now(UTC).isoformat(),
            "schema_version": SCHEMA_VERSION,
        }
        folder = self._places.gradings.child(grading_id)
        try:
            if cases is not None:
                snapshot = encode_cases(cases)
                record["cases_digest"] = file_digest(snapshot)
                folder.add(CASES_FILE, snapshot)
            # It comes last, because it makes the grading count.
            folder.add(GRADING_FILE, encode_record(record))
        except FileExistsError as error:
            message = f"grading {grading_id} exists already; choose another id"
            raise InputError(message, place=self.place, kind="grading") from error
        return self._grading(grading_id)

    def grading(self, grading_id: str) -> GradingStore:
        """The grading of that id, or the only one whose id begins so.

        Raises:
            InputError: there is none, or several; close ids are named.
        """
        known = self.grading_ids()
        return self._grading(find_id(grading_id, known, kind="grading", place=self.place))

    def add_journal(self, fact: Mapping[str, object]) -> None:
        """Keep a small fact that came later.

        Args:
            fact: A JSON object whose `kind` says what it is; the moment is added as `at`.

        Raises:
            StoreError: it cannot be written.
        """
        self._places.journal.add(fact)

    def journal(self) -> tuple[JsonRecord, ...]:
        """The facts that came later, the oldest first.

        Raises:
            StoreError: one of them cannot be read.
        """
        return self._places.journal.facts()

    def forgotten(self) -> tuple[Forgotten, ...]:
        """The erasures in this run, the oldest first.

        Raises:
            StoreError: the journal cannot be read.
        """
        return self._places.forgotten()

    def forgotten_cases(self) -> frozenset[str]:
        """The ids of cases whose payloads were erased, or are about to be.

        A trial of theirs is not executed again, and cannot be graded again.

        Raises:
            StoreError: the journal or the snapshot of the cases cannot be read.
        """
        erasures = self.forgotten()
        if any(one.cases is None for one in erasures):
            return frozenset(self.cases(["case_id"])["case_id"].cast(pl.String))
        return frozenset().union(*(one.cases for one in erasures if one.cases is not None))

    def erase(self, cases: frozenset[str] | None, *, guard: Callable[[], None]) -> Erased:
        """Erase the payloads of cases in every file of the run; digests and numbers stay.

        Whoever calls it holds the leases of the run and its gradings.

        Args:
            cases: Ids of the cases; None for all.
            guard: Called before each change; raises when it may not be made.

        Raises:
            StoreError: a file is damaged, or the store cannot be written; what was erased before
                stays erased, and the erasure can be done again.
        """
        return Erasure(self._places, cases, guard=guard).run()

    def foreign(self) -> tuple[Foreign, ...]:
        """What stands in the run's folder and is no part of it, with what to do about it."""
        return tuple(foreign_files(self._places))

    def _grading(self, grading_id: str) -> GradingStore:
        folder = self._places.gradings.child(grading_id)
        return GradingStore(folder, grading_id=grading_id, run=self._places)

    def grading_ids(self) -> list[str]:
        """The ids of the gradings, sorted."""
        names = [name for name in self._places.gradings.names() if is_id(name)]
        return [name for name in names if self._places.gradings.child(name).exists(GRADING_FILE)]
