"""A table of grades as CSV that a spreadsheet shows and does not run."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from io import StringIO

import polars as pl

from assay.evaluators.canonical import decode_stored

_LEFT_OUT = frozenset(
    (
        *("execution_messages", "execution_tool_calls", "execution_spans", "execution_metadata"),
        *("report", "reply"),
    )
)
"""Columns that are longer than a cell of a spreadsheet can be; jsonl and parquet have them."""

_SHOWN_PLAIN = frozenset(("input", "expected", "execution_output"))
"""Columns of JSON texts in which a string is shown as its text, without quotes."""

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_STARTS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What begins a formula or a command, the full-width forms included."""

_INVISIBLE = frozenset(("Cf", "Zs", "Zl", "Zp", "Cc"))
"""Categories of characters that a spreadsheet may drop from the start of a cell."""


def csv_text(table: pl.DataFrame) -> str:
    """The CSV of a table that `export_rows` made, every text quoted, lines ended by CRLF."""
    shown = table.drop(name for name in table.columns if name in _LEFT_OUT)
    sink = StringIO()
    writer = csv.writer(sink, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(shown.columns)
    plain = [name in _SHOWN_PLAIN for name in shown.columns]
    for row in shown.iter_rows():
        writer.writerow(_cells(row, plain))
    return sink.getvalue()


def _cells(row: Iterable[object], plain: Iterable[bool]) -> Iterator[object]:
    for value, is_plain in zip(row, plain, strict=True):
        if isinstance(value, str):
            yield inert(_plain(value) if is_plain else value)
        else:
            yield _cell(value)


def _cell(value: object) -> object:
    match value:
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.isoformat()
        case _:
            return value


def _plain(text: str) -> str:
    value = decode_stored(text)
    return value if isinstance(value, str) else text


def inert(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula: a quote stands before it if so.

    A number stays a number, negative ones too.

    Examples:
        >>> inert("=1+1"), inert("-2"), inert("-2+3")
        ("'=1+1", '-2', "'-2+3")
    """
    if _NUMBER.fullmatch(text):
        return text
    for char in text:
        if char in _STARTS:
            return f"'{text}"
        if unicodedata.category(char) not in _INVISIBLE:
            return text
    return text
