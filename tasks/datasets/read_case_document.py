"""Cases from a JSON or YAML document: a mapping with `cases` and little else."""

from assay.evaluators.canonical import Json, Number
from assay.tasks.datasets.case_row import CaseRow, CaseRows
from assay.tasks.documents.places import KeyPath, bounded, close_match, shown
from assay.tasks.documents.read_document import Document

_KNOWN = ("cases", "name", "$schema", "description", "version")


def read_case_document(document: Document) -> CaseRows:
    """The cases and the name in a dataset document.

    Raises:
        InputError: it is not a mapping with a list `cases`, or it has an unknown key.
    """
    members = _members(document)
    if "cases" not in members:
        raise document.refusal("expected a list of cases under 'cases', got none")
    cases = members["cases"]
    if not isinstance(cases, list):
        raise document.refusal(f"expected a list of cases, got {shown(cases)}", ("cases",))
    rows = tuple(_row(document, case, index) for index, case in enumerate(cases))
    return CaseRows(rows, _name(document, members))


def _members(document: Document) -> dict[str, Json]:
    tree = document.tree
    if not isinstance(tree, dict):
        got = shown(tree)
        raise document.refusal(f"expected a mapping with a list 'cases', got {got}")
    for key in tree:
        if key not in _KNOWN:
            message = f"expected keys out of {', '.join(_KNOWN)}, got {bounded(key)}"
            raise document.refusal(message + close_match(key, _KNOWN), (key,))
    return tree


def _name(document: Document, members: dict[str, Json]) -> str:
    name = members.get("name")
    if name is None:
        return ""
    if not isinstance(name, str) or isinstance(name, Number):
        raise document.refusal(f"expected a text as name, got {shown(name)}", ("name",))
    return name


def _row(document: Document, case: Json, index: int) -> CaseRow:
    path = ("cases", index)
    if not isinstance(case, dict):
        raise document.refusal(f"expected a case as a mapping, got {shown(case)}", path)

    def place(below: KeyPath) -> str:
        return document.place((*path, *below))

    return CaseRow(case, place)
