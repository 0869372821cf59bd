"""Cases from the rows of a file: kinds checked, unnamed ones numbered, clashes refused."""

from collections.abc import Sequence

from assay.evaluators.canonical import Json, Number
from assay.evaluators.case import Case
from assay.evaluators.dataset import find_clash
from assay.evaluators.errors import AssayError
from assay.evaluators.open_map import OpenMap
from assay.tasks.datasets.case_row import CaseRow
from assay.tasks.documents.places import bounded, close_match, shown
from assay.tasks.documents.plain_value import plain_value

_KNOWN = ("id", "input", "expected", "metadata", "suite")
_IDS = ("id", "name")


def build_cases(rows: Sequence[CaseRow]) -> tuple[Case, ...]:
    """The cases of the rows, in order; a row without an id is called `case N`, N from 1.

    Raises:
        InputError: a row has an unknown key, no input, a member of the wrong kind, or an id that
            equals another one after normalisation and trimming; the place is named.
    """
    for row in rows:
        _check_keys(row)
    ids = [_id(row) or f"case {number}" for number, row in enumerate(rows, start=1)]
    _check_unique(rows, ids)
    return tuple(_case(row, case_id) for row, case_id in zip(rows, ids, strict=True))


def _check_keys(row: CaseRow) -> None:
    for key in row.members:
        if key not in _KNOWN and key not in _IDS:
            message = f"expected keys out of {', '.join(_KNOWN)}, got {bounded(key)}"
            raise row.refusal(message + close_match(key, _KNOWN), key)
    if "input" not in row.members:
        message = "expected a case with an 'input', got none"
        raise row.refusal(message)
    if all(key in row.members for key in _IDS):
        message = "expected either 'id' or 'name', which mean the same, got both"
        raise row.refusal(message, "name")


def _id_key(row: CaseRow) -> tuple[str, ...]:
    return tuple(key for key in _IDS if key in row.members)


def _id(row: CaseRow) -> str:
    """The id as written; empty where there is none, or a null or empty one."""
    for key in _id_key(row):
        value = row.members[key]
        if isinstance(value, Number) or not isinstance(value, str | None):
            message = f"expected text as {key}, got {shown(value)}; put it in quotes"
            raise row.refusal(message, key)
        return value or ""
    return ""


def _check_unique(rows: Sequence[CaseRow], ids: Sequence[str]) -> None:
    clash = find_clash(ids)
    if clash is None:
        return
    first, second = clash
    earlier = rows[first].place(_id_key(rows[first]))
    message = f"expected unique ids, got {bounded(ids[second])}, the id of the case at {earlier}"
    raise rows[second].refusal(message, *_id_key(rows[second]))


def _case(row: CaseRow, case_id: str) -> Case:
    metadata, suite = _metadata(row), _suite(row)
    try:
        return Case(
            id=case_id,
            input=plain_value(row.members["input"]),
            expected=plain_value(row.members.get("expected")),
            metadata=OpenMap.from_wire(metadata),
            suite=suite,
        )
    except (AssayError, ValueError) as error:
        message = f"case {bounded(case_id)}: {error}"
        raise row.refusal(message) from error


def _metadata(row: CaseRow) -> dict[str, Json] | None:
    metadata = row.members.get("metadata")
    if isinstance(metadata, dict | None):
        return metadata
    message = f"expected metadata as a mapping, got {shown(metadata)}"
    raise row.refusal(message, "metadata")


def _suite(row: CaseRow) -> tuple[dict[str, object], ...]:
    entries = row.members.get("suite")
    if not isinstance(entries, list | None):
        message = f"expected suite as a list of assessments, got {shown(entries)}"
        raise row.refusal(message, "suite")
    return tuple(_entry(row, entry, index) for index, entry in enumerate(entries or []))


def _entry(row: CaseRow, entry: Json, index: int) -> dict[str, object]:
    if not isinstance(entry, dict):
        message = f"expected an assessment as a mapping, got {shown(entry)}"
        raise row.refusal(message, "suite", index)
    return {key: plain_value(value) for key, value in entry.items()}
