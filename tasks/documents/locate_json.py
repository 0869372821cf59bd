"""Finding the place of a value in a JSON text, which the standard reader does not tell."""

import json
import re
from collections.abc import Iterator

from assay.evaluators.canonical import is_text
from assay.tasks.documents.places import KeyPath, line_and_column

_SPACE = re.compile(r"[ \t\n\r]*")
_CONSTANT = re.compile(r"NaN|-?Infinity")
_DECODER = json.JSONDecoder()


def locate_json(text: str, path: KeyPath) -> tuple[int, int]:
    """Line and column, from 1, of the value (for a member: of its name) at the path.

    Where the path leads nowhere, the place of its nearest ancestor.
    """
    best, depth = _skip(text, 0), 0
    try:
        for found, offset in _walk(text, _skip(text, 0), ()):
            if len(found) > depth and found == path[: len(found)]:
                best, depth = offset, len(found)
    except (ValueError, RecursionError):
        pass  # a text that cannot be walked further still has the places found so far
    return line_and_column(text, best)


def locate_fault(text: str) -> tuple[int, int]:
    """Line and column of the first duplicate member, lone surrogate, NaN or Infinity; else (0, 0).

    These are the faults that a JSON reader notices without knowing where it stands.
    """
    seen: set[KeyPath] = set()
    try:
        for path, offset in _walk(text, _skip(text, 0), ()):
            if path in seen or _is_faulty(text, offset):
                return line_and_column(text, offset)
            seen.add(path)
    except (ValueError, RecursionError):
        pass  # the text has another fault further on; its place is the reader's to tell
    return 0, 0


def _is_faulty(text: str, offset: int) -> bool:
    if text[offset : offset + 1] != '"':
        return _CONSTANT.match(text, offset) is not None
    first, end = _DECODER.raw_decode(text, offset)
    colon = _skip(text, end)
    if text[colon : colon + 1] != ":":
        return not is_text(first)
    return not is_text(first) or _is_bad_scalar(text, _skip(text, colon + 1))


def _is_bad_scalar(text: str, offset: int) -> bool:
    if text[offset : offset + 1] == '"':
        return not is_text(_DECODER.raw_decode(text, offset)[0])
    return _CONSTANT.match(text, offset) is not None


def _skip(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


def _walk(text: str, start: int, path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    """Every member and item below the value that starts here, with its offset, in file order."""
    opener = text[start : start + 1]
    if opener not in ("{", "["):
        return
    at, index = _skip(text, start + 1), 0
    while text[at : at + 1] not in ("}", "]", ""):
        begin, step = at, index
        key: str | int = step
        if opener == "{":
            key, end = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, end) + 1)
        yield (*path, key), begin
        yield from _walk(text, at, (*path, key))
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        index += 1
