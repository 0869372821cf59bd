"""Cases from JSON Lines: one object a line, blank lines skipped."""

from assay.evaluators.errors import InputError
from assay.tasks.datasets.case_row import DATASET, CaseRow, CaseRows
from assay.tasks.documents.places import place_in, shown
from assay.tasks.documents.read_document import parse_json

_BLANK = " \t\r"


def read_jsonl(text: str, url: str) -> CaseRows:
    """The cases of a JSON Lines text.

    Args:
        text: The content, without a byte order mark.
        url: Where it was read, for errors.

    Raises:
        InputError: the file is empty, or a line is not one strict JSON object.
    """
    if not text:
        msg = "expected one case a line, got an empty file"
        raise InputError(msg, place=place_in(url, 1), kind=DATASET)
    # str.splitlines would also break at U+2028 inside a prompt.
    lines = enumerate(text.split("\n"), start=1)
    return CaseRows(tuple(_row(line, url, number) for number, line in lines if line.strip(_BLANK)))


def _row(line: str, url: str, number: int) -> CaseRow:
    tree = parse_json(line, url, DATASET, number)
    place = place_in(url, number)
    if not isinstance(tree, dict):
        msg = f"expected one JSON object a line, got {shown(tree)}"
        raise InputError(msg, place=place, kind=DATASET)
    return CaseRow(tree, lambda _: place)
