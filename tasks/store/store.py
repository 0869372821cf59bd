"""The store: every run, by any address that fsspec knows."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import pyarrow as pa

from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.schema import SCHEMA_VERSION
from assay.tasks.store.cases_file import encode_cases, file_digest
from assay.tasks.store.folder import Folder
from assay.tasks.store.foreign import Foreign, foreign_runs
from assay.tasks.store.grading_store import GradingStore
from assay.tasks.store.ids import find_id, is_id, require_id
from assay.tasks.store.json_file import JsonRecord, encode_record
from assay.tasks.store.layout import CASES_FILE, PLAN_FILE, RUNS
from assay.tasks.store.leftover import is_leftover
from assay.tasks.store.location import open_folder
from assay.tasks.store.run_entry import RunEntry
from assay.tasks.store.run_store import RunStore


def open_store(url: str) -> "Store":
    """The store at a path or URL; nothing is written, and it need not exist yet.

    Raises:
        InputError: unknown protocol, missing extra, a file in the way, or no answer.
    """
    return Store(open_folder(url))


class Store:
    """Runs in a folder.

    Args:
        folder: The folder of the store, whether it exists or not.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._runs = folder.child(RUNS)

    @property
    def url(self) -> str:
        """The path or address, for messages."""
        return self._folder.place

    def require_writable(self) -> None:
        """Refuse a store that certainly cannot be written; writes nothing.

        Raises:
            InputError: naming what is in the way.
        """
        self._runs.require_writable()

    def runs(self) -> tuple[RunEntry, ...]:
        """Every run, the oldest first; one whose plan is damaged is listed with its problem."""
        entries = [_entry(self._run(run_id)) for run_id in self._run_ids()]
        return tuple(sorted(entries, key=_age))

    def create_run(self, run_id: str, *, plan: Mapping[str, object], cases: pa.Table) -> RunStore:
        """A new run; it is there as a whole or not at all.

        Args:
            run_id: Such as `new_run_id` makes.
            plan: A JSON object with at least `name` (text) and `counts` (numbers by name). Added
                are `run_id`, `created_at`, `schema_version` and `cases_digest`.
            cases: The columns of `CASES` but the stamped one; `case_table` makes such a table.

        Raises:
            InputError: the id is invalid or taken, or the store cannot be written.
            StoreError: writing failed.
            ValueError: plan or cases are not of that form.
        """
        require_id(run_id, kind="run")
        _require_form(plan)
        self.require_writable()
        snapshot = encode_cases(cases)
        record = {
            **plan,
            "run_id": run_id,
            "created_at": datetime.now(UTC).isoformat(),
            "schema_version": SCHEMA_VERSION,
            "cases_digest": file_digest(snapshot),
        }
        try:
            files = {CASES_FILE: snapshot, PLAN_FILE: encode_record(record)}
            self._runs.publish(run_id, files)
        except FileExistsError as error:
            message = f"run {run_id} exists already; resume it or choose another id"
            raise InputError(message, place=self.url, kind="run") from error
        return self._run(run_id)

    def run(self, run_id: str) -> RunStore:
        """The run of that id, or the only one whose id begins so.

        Raises:
            InputError: there is none, or several; close ids are named.
        """
        return self._run(find_id(run_id, self._run_ids(), kind="run", place=self.url))

    def find_grading(self, grading_id: str) -> tuple[RunStore, GradingStore]:
        """The grading of that id, or the only one whose id begins so, and its run.

        Raises:
            InputError: there is none, or several; close ids are named.
        """
        found = dict(self._gradings())
        wanted = find_id(grading_id, list(found), kind="grading", place=self.url)
        return found[wanted], found[wanted].grading(wanted)

    def foreign(self) -> tuple[Foreign, ...]:
        """What stands among the runs and is none, with what to do about it."""
        return tuple(foreign_runs(self._runs))

    def remove_leftovers(self, *, older_than_seconds: float = 3600) -> None:
        """Remove what is left of runs whose making was interrupted so long ago.

        Raises:
            StoreError: it cannot be removed.
        """
        for name in self._runs.names():
            if is_leftover(name, older_than_seconds):
                folder = self._runs.child(name)
                for file in folder.sizes():
                    folder.remove(file)

    def _gradings(self) -> Iterator[tuple[str, RunStore]]:
        for run_id in self._run_ids():
            run = self._run(run_id)
            for grading_id in run.grading_ids():
                yield grading_id, run

    def _run(self, run_id: str) -> RunStore:
        return RunStore(self._runs.child(run_id), run_id=run_id)

    def _run_ids(self) -> list[str]:
        names = [name for name in self._runs.names() if is_id(name)]
        return [name for name in names if self._runs.child(name).exists(PLAN_FILE)]


def _require_form(plan: Mapping[str, object]) -> None:
    has_form = isinstance(plan.get("name"), str) and isinstance(plan.get("counts"), Mapping)
    if not has_form:
        message = "expected a plan with a text `name` and an object `counts`"
        raise ValueError(message)


def _entry(run: RunStore) -> RunEntry:
    try:
        return _read_entry(run.run_id, run.plan)
    except (AssayError, OSError, ValueError) as error:
        return RunEntry(run.run_id, problem=str(error))


def _read_entry(run_id: str, plan: JsonRecord) -> RunEntry:
    counts = plan.get("counts")
    numbers = counts.items() if isinstance(counts, dict) else ()
    return RunEntry(
        run_id,
        name=str(plan.get("name", "")),
        created_at=datetime.fromisoformat(str(plan.get("created_at"))),
        counts={str(key): value for key, value in numbers if isinstance(value, int)},
    )


def _age(entry: RunEntry) -> tuple[datetime, str]:
    return entry.created_at or datetime.min.replace(tzinfo=UTC), entry.run_id
