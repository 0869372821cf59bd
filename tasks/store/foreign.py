"""Files and folders in a store that no program of this kind put there."""

from collections.abc import Callable, Iterator

from assay.tasks.store.folder import Folder
from assay.tasks.store.ids import is_id
from assay.tasks.store.layout import (
    CASES_FILE,
    EXECUTIONS,
    GRADING_FILE,
    GRADINGS,
    JOURNAL,
    LEASE,
    PLAN_FILE,
    REPORT_FILE,
    SUMMARY_FILE,
)
from assay.tasks.store.part_kind import EXECUTION_PARTS, GRADE_PARTS, IDENTITY_PARTS, PartKind
from assay.tasks.store.run_folder import RunFolder

Foreign = tuple[str, str]
"""Its place, and what to do about it."""

_RUN = {PLAN_FILE, CASES_FILE, EXECUTIONS, GRADINGS, JOURNAL, LEASE}
_GRADING = {GRADING_FILE, CASES_FILE, SUMMARY_FILE, REPORT_FILE, LEASE}


def foreign_runs(runs: Folder) -> Iterator[Foreign]:
    """What stands among the runs and is none."""
    yield from _but(runs, is_id)
    for name in filter(is_id, runs.names()):
        if _is_filled(runs.child(name)) and not runs.child(name).exists(PLAN_FILE):
            yield f"{runs.place}/{name}", "has no plan, so that it is no run; remove it"


def foreign_files(places: RunFolder) -> Iterator[Foreign]:
    """What stands in a run and is no part of it."""
    yield from _but(places.root, _RUN.__contains__)
    yield from _but(places.executions, lambda name: _is_part(name, EXECUTION_PARTS))
    yield from _but(places.gradings, is_id)
    for name in filter(is_id, places.gradings.names()):
        folder = places.gradings.child(name)
        yield from _but(folder, _belongs_to_grading)
        if _is_filled(folder) and not folder.exists(GRADING_FILE):
            yield folder.place, "has no head, so that it is no grading; remove it"


def _is_filled(folder: Folder) -> bool:
    """True if somebody put something there; a writer that was killed leaves an empty folder."""
    return any(not name.startswith(".") for name in folder.names())


def _belongs_to_grading(name: str) -> bool:
    return name in _GRADING or _is_part(name, GRADE_PARTS) or _is_part(name, IDENTITY_PARTS)


def _is_part(name: str, kind: PartKind) -> bool:
    return name.startswith(f"{kind.prefix}-") and name.endswith(".parquet")


def _but(folder: Folder, belongs: Callable[[str], bool]) -> Iterator[Foreign]:
    # Hidden names are those of file managers, and of writers that were killed.
    for name in folder.names():
        if not name.startswith(".") and not belongs(name):
            yield f"{folder.place}/{name}", "does not belong to the store; move it elsewhere"
