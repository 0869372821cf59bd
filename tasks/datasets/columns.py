"""What columns a table of cases may have: id, input, expected, and `metadata.<key>`."""

from collections.abc import Mapping, Sequence

from assay.evaluators.canonical import Json
from assay.evaluators.errors import InputError
from assay.tasks.datasets.case_row import DATASET
from assay.tasks.documents.places import bounded, close_match

METADATA = "metadata"
_PREFIX = METADATA + "."


def check_columns(columns: Sequence[str], known: Sequence[str], place: str) -> None:
    """Refuse a table whose columns cannot be the members of cases.

    Args:
        columns: The columns in order.
        known: The columns that may stand beside `metadata.<key>`.
        place: Where the header stands.

    Raises:
        InputError: a column is unknown, without a name, or named twice, or `input` is missing.
    """
    seen: set[str] = set()
    for number, column in enumerate(columns, start=1):
        if column in seen:
            raise _refusal(f"expected each column once, got {bounded(column)} twice", place)
        if column not in known and not (column.startswith(_PREFIX) and column != _PREFIX):
            expected = f"columns out of {', '.join(known)}, metadata.<key>"
            got = f"{bounded(column)} as column {number}"
            hint = close_match(column, known)
            raise _refusal(f"expected {expected}, got {got}{hint}", place)
        seen.add(column)
    if "input" not in seen:
        raise _refusal("expected a column 'input', got none", place)
    if METADATA in seen and any(column.startswith(_PREFIX) for column in seen):
        raise _refusal("expected either a column 'metadata' or 'metadata.<key>', got both", place)


def case_members(cells: Mapping[str, Json]) -> dict[str, Json]:
    """The members of a case from the cells that are present, `metadata.<key>` gathered."""
    members: dict[str, Json] = {}
    metadata: dict[str, Json] = {}
    for column, cell in cells.items():
        if column.startswith(_PREFIX):
            metadata[column.removeprefix(_PREFIX)] = cell
        else:
            members[column] = cell
    return {**members, METADATA: metadata} if metadata else members


def _refusal(message: str, place: str) -> InputError:
    return InputError(message, place=place, kind=DATASET)
