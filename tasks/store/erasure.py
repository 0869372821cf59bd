"""Erasing what some cases of a run say, in every file of the run that says it.

File by file, each whole or not at all. The journal says before the first file what is to be erased,
and after the last one what is left; whoever was killed between the two begins again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assay.tasks.store.cases_file import file_digest
from assay.tasks.store.erase import (
    CASE_ERASERS,
    EXECUTION_ERASERS,
    bare_plan,
    erase_rows,
    rows_where,
)
from assay.tasks.store.erase_grading import GradingErasure
from assay.tasks.store.erased_rows import ErasedRows
from assay.tasks.store.folder import Folder
from assay.tasks.store.forgotten import ALL, BEGUN, ENDED
from assay.tasks.store.ids import is_id
from assay.tasks.store.json_file import encode_record, read_record
from assay.tasks.store.layout import (
    CASES_FILE,
    EXECUTIONS,
    GRADING_FILE,
    GRADINGS,
    PLAN_FILE,
    REPORT_FILE,
)
from assay.tasks.store.leftover import is_leftover
from assay.tasks.store.part_file import WholePart, read_whole
from assay.tasks.store.part_kind import EXECUTION_PARTS
from assay.tasks.store.rewrite import Rewrite
from assay.tasks.store.run_folder import RunFolder
from assay.tasks.store.seal import Seal


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure in one run came to.

    Attributes:
        executions: Rows of the cases among the executions.
        grades: Rows of the cases among the grades of all gradings.
        files: Files that were rewritten or removed.
    """

    executions: int
    grades: int
    files: int


class Erasure:
    """One erasure in one run; whoever does it holds the leases of the run and its gradings.

    Args:
        places: The folder of the run.
        cases: Ids of the cases; None for all.
        guard: Called before each change; raises when it may not be made.
    """

    def __init__(
        self, places: RunFolder, cases: frozenset[str] | None, *, guard: Callable[[], None]
    ) -> None:
        self._places = places
        self._folder = places.root
        self._cases = cases
        self._rewrite = Rewrite(guard)
        self._executions = ErasedRows(cases)

    def run(self) -> Erased:
        """Erase, and say what was erased.

        Raises:
            StoreError: a file is damaged, so that what it says cannot be erased; or the store
                cannot be written. What was erased before stays erased.
        """
        journal = self._places.journal
        snapshots = list(self._bare_snapshots())
        fact = {
            "cases": ALL if self._cases is None else sorted(self._cases),
            "files": {path: file_digest(content) for path, _, content in snapshots},
            "plan_digest": file_digest(self._folder.read(PLAN_FILE)),
        }
        journal.add({"kind": BEGUN, **fact})
        for _, folder, content in snapshots:
            if folder.read(CASES_FILE) != content:
                self._rewrite.write(folder, CASES_FILE, content)
        self._erase_plan()
        self._rewrite.parts(self._places.executions, EXECUTION_PARTS, self._bare_receipts)
        gradings = {name: self._erase_grading(folder) for name, folder in self._gradings()}
        for folder in self._folders():
            self._remove_leftovers(folder)
        journal.add({"kind": ENDED, **fact, "seals": self._seals(gradings)})
        grades = sum(one.rows for one in gradings.values())
        return Erased(self._executions.rows, grades, self._rewrite.files)

    def _gradings(self) -> Iterator[tuple[str, Folder]]:
        # One that was about to be made when its maker was killed has cases, and no head yet.
        for name in filter(is_id, self._places.gradings.names()):
            yield name, self._places.gradings.child(name)

    def _folders(self) -> Iterator[Folder]:
        yield from (self._folder, self._places.executions, self._places.gradings)
        yield from (folder for _, folder in self._gradings())

    def _bare_snapshots(self) -> Iterator[tuple[str, Folder, bytes]]:
        yield CASES_FILE, self._folder, self._bare_cases(self._folder)
        for name, folder in self._gradings():
            if folder.exists(CASES_FILE):
                yield f"{GRADINGS}/{name}/{CASES_FILE}", folder, self._bare_cases(folder)

    def _bare_cases(self, folder: Folder) -> bytes:
        part = read_whole(folder, CASES_FILE)
        chosen = rows_where(part.rows, "case_id", self._cases)
        rows = erase_rows(part.rows, chosen, CASE_ERASERS)
        return WholePart(rows, part.version, part.merge_id).encode()

    def _bare_receipts(self, part: WholePart) -> WholePart:
        chosen = rows_where(part.rows, "case_id", self._cases)
        bare = erase_rows(part.rows, chosen, EXECUTION_ERASERS)
        self._executions.note(bare)
        return WholePart(bare, part.version, part.merge_id)

    def _erase_plan(self) -> None:
        plan = read_record(self._folder, PLAN_FILE)
        bare = bare_plan(plan, self._cases)
        if bare != plan:
            self._rewrite.write(self._folder, PLAN_FILE, encode_record(bare))

    def _erase_grading(self, folder: Folder) -> ErasedRows:
        head = read_record(folder, GRADING_FILE) if folder.exists(GRADING_FILE) else {}
        erasure = GradingErasure(self._cases, head)
        erasure.run(folder, self._rewrite)
        if folder.exists(REPORT_FILE):  # it can be rendered again
            self._rewrite.remove(folder, REPORT_FILE)
        return erasure.erased

    def _remove_leftovers(self, folder: Folder) -> None:
        """Remove what writers left that were killed: nobody reads it, but it says things."""
        for name in folder.sizes():
            if is_leftover(name):
                self._rewrite.remove(folder, name)

    def _seals(self, gradings: dict[str, ErasedRows]) -> dict[str, object]:
        seals: dict[str, Seal] = {EXECUTIONS: self._executions.seal()}
        seals |= {f"{GRADINGS}/{name}": one.seal() for name, one in gradings.items()}
        return {path: seal.wire() for path, seal in seals.items()}
