"""How an error names the place of a fault and the value that stood there."""

import difflib
import re
from collections.abc import Iterable

from assay.evaluators.canonical import Number
from assay.evaluators.errors import describe

KeyPath = tuple[str | int, ...]
"""The way from the top of a document to a value: member names and positions from 0."""

_LONGEST_SHOWN = 80
_LONGEST_REASON = 200
_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@")
_PLAIN_KEY = re.compile(r"[^.\[\]\s]+")


def place_in(url: str, line: int = 0, column: int = 0) -> str:
    """The file, line and column (both from 1, left out when 0), without credentials.

    Examples:
        >>> place_in("s3://key:word@bucket/cases.jsonl", 3, 14)
        's3://bucket/cases.jsonl, line 3, column 14'
    """
    parts = [without_credentials(url)]
    if line:
        parts.append(f"line {line}")
    if column:
        parts.append(f"column {column}")
    return ", ".join(parts)


def without_credentials(text: str) -> str:
    """The text without the user and password of any URL in it."""
    return _CREDENTIALS.sub("", text)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of an offset; lines end at CR, LF or both, nowhere else."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def key_path(path: KeyPath) -> str:
    """The path as a reader would write it.

    Examples:
        >>> key_path(("suite", 0, "with", "ignore_case"))
        'suite[0].with.ignore_case'
    """
    text = ""
    for step in path:
        if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
            text += f".{step[:_LONGEST_SHOWN]}" if text else step[:_LONGEST_SHOWN]
        else:
            text += f"[{bounded(step)}]"
    return text


def shown(tree: object) -> str:
    """A value from a file, in at most 80 characters: scalars as written, the rest by kind."""
    match tree:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[tree]
        case Number():
            return tree if len(tree) <= _LONGEST_SHOWN else tree[: _LONGEST_SHOWN - 1] + "…"
        case list():
            return f"a list of {len(tree)}"
        case dict():
            return "a mapping"
        case _:
            return bounded(tree)


def bounded(value: object) -> str:
    """The repr of a value in at most 80 characters."""
    text = repr(value[: _LONGEST_SHOWN + 1] if isinstance(value, str) else value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def bounded_reason(error: BaseException) -> str:
    """Type and message of an error on one line, in at most 200 characters, without credentials."""
    return without_credentials(" ".join(describe(error).split()))[:_LONGEST_REASON]


def close_match(name: str, known: Iterable[str]) -> str:
    """`; did you mean '…'?` when a known name is like the given one, else nothing.

    Examples:
        >>> close_match("expcted", ["input", "expected"])
        "; did you mean 'expected'?"
    """
    near = difflib.get_close_matches(name[:_LONGEST_SHOWN], list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
