"""Erasing payloads: what a person or a model said goes, digests and numbers stay.

An erased row still fits its schema. Whether something was there is kept too: a text becomes
`[forgotten]`, and only where its absence means nothing else, a payload becomes null. Erasing what
is erased changes nothing.
"""

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from assay.evaluators.canonical import Json, parse, write
from assay.evaluators.errors import IncompleteRecording, MalformedJson
from assay.tasks.store.json_file import JsonRecord

MARK = "[forgotten]"
"""What stands in the place of a text."""

FORGOTTEN_SENTENCE = (
    "the case was forgotten: its input and answers are erased, so it cannot be graded again"
)
"""Why a grade of a forgotten case is unverified; it says nothing that was erased."""

_JSON_MARK = write(MARK)

Eraser: TypeAlias = Callable[[str], str | None]


def erase_rows(table: pa.Table, chosen: pa.ChunkedArray, erasers: "Erasers") -> pa.Table:
    """The table with the payloads of the chosen rows erased.

    Args:
        table: Rows of any schema.
        chosen: Which of them, one boolean a row.
        erasers: What becomes of a value that is there, by column.
    """
    for index, field in enumerate(table.schema):
        eraser = erasers.get(field.name)
        if eraser is not None:
            column = _erased(table.column(index), chosen, eraser)
            table = table.set_column(index, field, column)
    return table


def rows_where(table: pa.Table, column: str, values: Collection[str] | None) -> pa.ChunkedArray:
    """Which rows have one of these values in a column, or any where it is None: a boolean a row."""
    found = table[column].cast(pa.string())
    if values is None:
        return pc.is_valid(found)
    return pc.is_in(found, value_set=pa.array(sorted(values), type=pa.string()))


def _erased(column: pa.ChunkedArray, chosen: pa.ChunkedArray, eraser: Eraser) -> pa.ChunkedArray:
    values = [
        eraser(value) if is_chosen and value is not None else value
        for value, is_chosen in zip(column.to_pylist(), chosen.to_pylist(), strict=True)
    ]
    return pa.chunked_array([pa.array(values, type=column.type)])


def _nothing(_: str) -> None:
    return None


def _mark(_: str) -> str:
    return MARK


def _mark_error(text: str) -> str:
    is_ours = text == f"{IncompleteRecording.__name__}: {FORGOTTEN_SENTENCE}"
    return text if is_ours else MARK


def _mark_unless_empty(text: str) -> str:
    return MARK if text else text


def _json_mark(_: str) -> str:
    return _JSON_MARK


def _no_members(_: str) -> str:
    return "{}"


def _waits(text: str) -> str | None:
    return _edited(text, _without_errors)


def _report(text: str) -> str | None:
    return _edited(text, _bare_report)


def _settings(text: str) -> str | None:
    return _edited(text, _without_settings)


def _edited(text: str, edit: Callable[[Json], Json]) -> str | None:
    try:
        return write(edit(parse(text)))
    except MalformedJson:  # nothing in it is known to be harmless
        return None


Erasers: TypeAlias = Mapping[str, Eraser]

CASE_ERASERS: Erasers = {
    "input": _json_mark,
    "expected": _json_mark,
    "metadata": _no_members,
    "suite": _nothing,
}
EXECUTION_ERASERS: Erasers = {
    "error": _mark,
    "output": _nothing,
    "reason": _mark_unless_empty,
    "messages": _nothing,
    "tool_calls": _nothing,
    "spans": _nothing,
    "metadata": _nothing,
    "waits": _waits,
}
GRADE_ERASERS: Erasers = {"error": _mark_error, "report": _report, "reply": _mark}
OWN_GRADE_ERASERS: Erasers = {"report": _settings}
"""For an assessment that a case declares itself: its settings may say what the case says."""

IDENTITY_ERASERS: Erasers = {"text": _settings}
"""For what only such assessments name."""


def _without_errors(tree: Json) -> Json:
    attempts = tree if isinstance(tree, list) else []
    return [
        {name: MARK if name == "error" and value else value for name, value in attempt.items()}
        for attempt in attempts
        if isinstance(attempt, dict)
    ]


def _bare_report(tree: Json) -> Json:
    """A report without words and metadata; words that were its only outcome stay an outcome."""
    if not isinstance(tree, dict):
        return None
    bare = {name: value for name, value in tree.items() if name != "metadata"}
    if bare.get("feedback"):
        bare["feedback"] = MARK
    for name, edit in _MEMBERS.items():
        items = bare.get(name)
        if isinstance(items, list):
            bare[name] = [edit(item) for item in items]
    return bare


def _bare_item(tree: Json) -> Json:
    if not isinstance(tree, dict):
        return tree
    return {name: value for name, value in tree.items() if name not in {"message", "redacted"}}


_MEMBERS: Mapping[str, Callable[[Json], Json]] = {
    "details": _bare_report,
    "findings": _bare_item,
    "evidence": _bare_item,
}


def _without_settings(tree: Json) -> Json:
    if isinstance(tree, list):
        return [_without_settings(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    kept = {name: value for name, value in tree.items() if name != "parameters"}
    return {
        name: {} if name == "configuration" else _without_settings(value)
        for name, value in kept.items()
    }


def bare_plan(plan: JsonRecord, cases: Collection[str] | None) -> JsonRecord:
    """The plan without the settings of the assessments that these cases declare themselves.

    Args:
        plan: As it is stored.
        cases: Ids of cases; None for all.
    """
    own = plan.get("case_assessments")
    if not isinstance(own, dict):
        return plan
    bare = {
        case_id: [_bare_assessment(one) for one in declared]
        if cases is None or case_id in cases
        else declared
        for case_id, declared in own.items()
    }
    return {**plan, "case_assessments": bare}


def _bare_assessment(declared: object) -> object:
    if not isinstance(declared, dict):
        return declared
    evaluator = declared.get("evaluator")
    if isinstance(evaluator, dict):
        evaluator = {**evaluator, "configuration": {}, "description": ""}
    return {**declared, "entry": None, "evaluator": evaluator}
