"""A table of grades as JSON Lines: one trial a line, every payload exactly as it is stored."""

from collections.abc import Iterator, Mapping
from datetime import datetime

import polars as pl

from assay.evaluators.canonical import spell

_JSON = frozenset(
    (
        *("input", "expected", "metadata", "output", "messages", "tool_calls", "spans", "usage"),
        *("report",),
    )
)
"""Columns that hold JSON texts, whatever they are prefixed with."""

_PREFIX = "execution_"
_TRIAL = ("case_id", "repeat")
_BREAKS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}
"""What some readers take for the end of a line, though JSON allows it within a text."""


def jsonl_lines(table: pl.DataFrame) -> Iterator[str]:
    """The lines of a table that `export_rows` made, each with its line feed.

    A line is an object of the trial's own members, `execution` (null where it was not run) and
    `grades` (an array). A member that is absent is left out, so that an absent output and a null
    one stay two things.
    """
    graded = table.columns[table.columns.index("assessment_id") :]
    ran = [name for name in table.columns if name.startswith(_PREFIX)]
    own = [name for name in table.columns if name not in {*graded, *ran}]
    for _, rows in table.group_by(_TRIAL, maintain_order=True):
        first = rows.row(0, named=True)
        was_run = first[f"{_PREFIX}kind"] is not None
        execution = _object(first, ran) if was_run else "null"
        grades = [
            _object(row, graded)
            for row in rows.iter_rows(named=True)
            if row["assessment_id"] is not None
        ]
        members = _members(first, own)
        members += [f'"execution":{execution}', f'"grades":[{",".join(grades)}]']
        yield _unbroken("{" + ",".join(members) + "}") + "\n"


def _object(row: Mapping[str, object], names: list[str]) -> str:
    return "{" + ",".join(_members(row, names)) + "}"


def _members(row: Mapping[str, object], names: list[str]) -> list[str]:
    return [
        f"{spell(name.removeprefix(_PREFIX))}:{_text(name.removeprefix(_PREFIX), row[name])}"
        for name in names
        if row[name] is not None
    ]


def _text(name: str, value: object) -> str:
    if name in _JSON and isinstance(value, str):
        return value
    return spell(value.isoformat() if isinstance(value, datetime) else value)


def _unbroken(text: str) -> str:
    for char, escape in _BREAKS.items():
        if char in text:
            text = text.replace(char, escape)
    return text
