"""Reading the assessments of a suite: from a file, from a list of entries, or from a case."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import parse, write
from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError, InputError
from assay.tasks.build_evaluator import KIND, EntryPlace, build_evaluator
from assay.tasks.documents.places import KeyPath, bounded, shown
from assay.tasks.documents.read_document import read_document
from assay.tasks.settings.explain_invalid import explain_invalid
from assay.tasks.settings.suite_entry import SuiteEntry

Place = Callable[[KeyPath], str]
"""Says where the value at a path, which begins with `suite`, stands in a file."""

Entries = Sequence[SuiteEntry | Mapping[str, object]]
"""Assessments as an experiment, a case or a plan holds them."""


def read_suite(
    source: str | Entries, base: Path, *, place: Place = lambda _: ""
) -> tuple[Assessment, ...]:
    """The assessments that a suite declares, each with its entry as it was written.

    Args:
        source: The path of a `.yaml` or `.json` file that is a list of assessments, or the list.
        base: The folder that a relative path starts from, and that the import strings of a list
            resolve from first; those of a file resolve from its own folder.
        place: Where a path such as `("suite", 0, "with")` stands, for errors about a list.

    Raises:
        InputError: the file cannot be read, an entry has an unknown key, names no evaluator or
            configures it wrongly, or two assessments have one id.
    """
    if not isinstance(source, str):
        top = EntryPlace(base, ("suite",), place)
        return _assessments(source, top, set())
    document = read_document(str(_path(source, base)), kind=KIND)
    if not isinstance(document.tree, list):
        raise document.refusal(f"expected a list of assessments, got {shown(document.tree)}")
    top = EntryPlace(suite_folder(source, base), (), document.place)
    return _assessments(document.tree, top, set())


def suite_folder(source: str | Entries, base: Path) -> Path:
    """The folder that the import strings of a suite resolve from first."""
    return _path(source, base).resolve().parent if isinstance(source, str) else base


def read_case_suite(
    case: Case, base: Path, *, taken: Collection[str], place: str = ""
) -> tuple[Assessment, ...]:
    """The assessments that a case declares for itself; those that are objects are kept.

    Args:
        case: The case.
        base: The folder that import strings resolve from first.
        taken: The ids of the results of the run's assessments.
        place: The file that the case is from, for errors.

    Raises:
        InputError: as `read_suite`, and for an id that the run's suite has.
    """
    where = f"{place}, case {bounded(case.id)}" if place else f"case {bounded(case.id)}"
    return _assessments(case.suite, EntryPlace(base, ("suite",), lambda _: where), set(taken))


def _assessments(
    entries: Sequence[object], top: EntryPlace, taken: set[str]
) -> tuple[Assessment, ...]:
    assessments: list[Assessment] = []
    for index, entry in enumerate(entries):
        at = top.below(index)
        assessment = entry if isinstance(entry, Assessment) else _assessment(entry, at)
        for one in assessment.ids:
            if one in taken:
                raise at.refusal(f"expected each id once, got {bounded(one)} again")
            taken.add(one)
        assessments.append(assessment)
    return tuple(assessments)


def _assessment(entry: object, at: EntryPlace) -> Assessment:
    read = entry if isinstance(entry, SuiteEntry) else _entry(entry, at)
    evaluator = build_evaluator(read, at)
    written = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
    try:
        return Assessment(read.id, evaluator, entry=write(written))
    except AssayError as error:
        raise at.below("id").refusal(str(error)) from error


def _entry(entry: object, at: EntryPlace) -> SuiteEntry:
    text = write(entry)
    try:
        return SuiteEntry.model_validate_json(text)
    except ValidationError as error:
        fault = explain_invalid(error, parse(text))
        place = at.place((*at.path, *fault.mark))
        raise InputError(fault.message(at.path), place=place, kind=KIND) from error


def _path(source: str, base: Path) -> Path:
    return base / Path(source).expanduser()
