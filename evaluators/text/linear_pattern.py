"""Python patterns that RE2, which never backtracks, reads in the same way."""

import functools
import re
import sys
from array import array
from collections.abc import Iterator

_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P<\w+>|:)|\(\?|.", re.DOTALL)
_FLAGS = re.compile(r"\(\?([ims]+)\)")
_CONTROLS = frozenset("tnrfv")
_LITERAL_ESCAPES = _CONTROLS | set(".^$*+?{}[]()|\\/-\"'#&~@!%,:;<=>_ `")
_CLASSES = frozenset("dswDSW")
_ANCHORS = {"A": r"\A", "Z": r"\z"}
_CASELESS_CLASS = re.compile(r"(?:\\.|0-9|[^\w\\-])*", re.DOTALL)
# What Python folds into ASCII letters; RE2 knows the kelvin sign and the long s, but no Turkish i.
_FOLDED = {"i": "iI\u0130\u0131", "k": "kK\u212a", "s": "sS\u017f"}


class _NotLinear(Exception):
    """The pattern holds something that the engines read differently, or RE2 not at all."""


def linear_pattern(pattern: str) -> str | None:
    r"""The pattern for RE2 that is found in the same texts, or None where there may be none.

    Character classes become the code points that Python counts among them. A `$` that only the end
    can follow also allows for the newline before which Python lets it match. Lookaround, back
    references, `\b` and ignored case outside ASCII have no equivalent.

    Args:
        pattern: One that Python compiles.

    Examples:
        >>> linear_pattern("a+b$"), linear_pattern(r"(?=a)b")
        ('a+b(?:\\n?\\z)', None)
    """
    flags, body = "", pattern
    if found := _FLAGS.match(pattern):
        flags, body = found[1], pattern[found.end() :]
    try:
        translated = "".join(_translated(_TOKEN.findall(body), flags))
    except _NotLinear:
        return None
    kept = "".join(sorted(set(flags) - {"i"}))
    return f"(?{kept}){translated}" if kept else translated


def _translated(pieces: list[str], flags: str) -> Iterator[str]:
    depth = 0
    for index, piece in enumerate(pieces):
        depth += piece.startswith("(") - (piece == ")")
        following = pieces[index + 1] if index + 1 < len(pieces) else "|"
        if piece == "$" and "m" not in flags:
            if depth or following != "|":
                raise _NotLinear
            yield r"(?:\n?\z)"
        elif piece == "{":
            # Python reads {,3} as up to three, RE2 as these letters; both read {2} and {2,3} alike.
            if following == ",":
                raise _NotLinear
            yield piece
        else:
            yield _one(piece, ignore_case="i" in flags)


def _one(piece: str, *, ignore_case: bool) -> str:
    if piece.startswith("\\"):
        return _escape(piece[1])
    if piece.startswith("[") and len(piece) > 1:
        return _class(piece, ignore_case=ignore_case)
    if piece == "(?":
        raise _NotLinear
    if piece.startswith("("):
        return "(?:"
    return _any_case(piece) if ignore_case else piece


def _any_case(letter: str) -> str:
    if not letter.isascii():
        if letter.lower() != letter.upper():
            raise _NotLinear
        return letter
    if not letter.isalpha():
        return letter
    lower = letter.lower()
    return f"[{_FOLDED.get(lower, lower + lower.upper())}]"


def _escape(letter: str) -> str:
    if letter in _CLASSES:
        return f"[{_ranges(letter)}]"
    if letter in _ANCHORS:
        return _ANCHORS[letter]
    if letter not in _LITERAL_ESCAPES:
        raise _NotLinear
    return f"\\{letter}" if letter in _CONTROLS else re.escape(letter)


def _class(piece: str, *, ignore_case: bool) -> str:
    start = 2 if piece.startswith("[^") else 1
    inner = piece[start:-1]
    # A bracket or a doubled operator inside may mean a set operation one day, as Python warns.
    if any(part in inner for part in ("[", "--", "&&", "~~", "||")):
        raise _NotLinear
    if ignore_case and not _CASELESS_CLASS.fullmatch(inner):
        raise _NotLinear
    parts = re.findall(r"\\.|[^\\]", inner, re.DOTALL)
    return piece[:start] + "".join(map(_in_class, parts)) + "]"


def _in_class(part: str) -> str:
    if not part.startswith("\\"):
        return "\\]" if part == "]" else part
    if part[1] in _CLASSES:
        return _ranges(part[1])
    if part[1] not in _LITERAL_ESCAPES:
        raise _NotLinear
    return part if part[1] in _CONTROLS else re.escape(part[1])


@functools.cache
def _ranges(letter: str) -> str:
    """The code points of a class of Python's, as ranges; surrogates are no text."""
    return "".join(
        f"\\x{{{first + run.start():x}}}-\\x{{{first + run.end() - 1:x}}}"
        for first, last in ((0, 0xD7FF), (0xE000, sys.maxunicode))
        for run in re.finditer(f"\\{letter}+", _code_points(first, last))
    )


@functools.cache
def _code_points(first: int, last: int) -> str:
    return array("I", range(first, last + 1)).tobytes().decode(f"utf-32-{sys.byteorder[0]}e")
