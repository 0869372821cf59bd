"""JSON as an identity: strict reading, and one spelling for equal values.

Numbers keep the spelling in which they came (`1`, `1.0` and `1e0` are three identities), object
members are sorted by UTF-16 code units as in RFC 8785, strings take the shortest escapes. A Python
float is spelled as ECMAScript does (`1`, `0.8`, `1e-7`, `1e+21`, `-0`).
"""

import dataclasses
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Never, TypeAlias

from pydantic import BaseModel, RootModel

from assay.evaluators.errors import MalformedJson, NotJson
from assay.evaluators.number import Number, decimal_text, number_text, read_integer, read_real

__all__ = [
    "WHITE_SPACE",
    "HasWire",
    "Json",
    "MalformedJson",
    "NotJson",
    "Number",
    "canonicalize",
    "decode",
    "digest",
    "encode",
    "is_blank",
    "is_text",
    "is_trimmed",
    "number_text",
    "parse",
    "write",
]

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode White_Space; `str.strip` would also remove U+001C to U+001F."""

_DEEPEST = 200
_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
}
_WORDS = {None: "null", True: "true", False: "false"}
_NEEDS_ESCAPE = re.compile(r'["\\\x00-\x1f]')
_SURROGATE = re.compile(r"[\ud800-\udfff]")


Json: TypeAlias = "bool | Number | str | list[Json] | dict[str, Json] | None"
_Path: TypeAlias = tuple[str | int, ...]


class HasWire:
    """A kernel value that has a JSON form of its own.

    Subclasses say so by name: a foreign object that happens to have a method `wire` is none.
    """

    def wire(self) -> object:
        """The value as mappings, sequences, text, numbers and `Number` literals."""
        raise NotImplementedError


def is_text(value: str) -> bool:
    """True if the string can be written as UTF-8, that is, holds no lone surrogate."""
    return _SURROGATE.search(value) is None


def is_trimmed(value: str) -> bool:
    """True if neither end of the string is Unicode white space."""
    return value == value.strip(WHITE_SPACE)


def is_blank(value: str) -> bool:
    """True if the string is empty or white space alone."""
    return not value.strip(WHITE_SPACE)


def parse(text: str | bytes) -> Json:
    """The tree of exactly one strict JSON value (RFC 7493), numbers as `Number` literals.

    Raises:
        MalformedJson: for invalid UTF-8, a lone surrogate, a duplicate member (after unescaping),
            NaN or Infinity, trailing data, or nothing at all.
    """
    return _load(text, Number, Number)


def decode(text: str | bytes) -> object:
    """The Python value of a strict JSON text: dict, list, str, int, float, bool or None.

    `-0` is the float -0.0. A number beyond what an int or a float can hold comes back as a Decimal,
    never as infinity. A float of 2**53 or more, which is spelled like an integer, comes back as
    that integer.

    Raises:
        MalformedJson: as `parse`, and for an exponent that even a Decimal cannot hold.
    """
    return _load(text, read_integer, read_real)


def decode_stored(text: str) -> object:
    """As `decode`, for a text that `write` or `spell` made, and therefore without its checks.

    Grading retained receipts decodes thousands of texts that were strict when they were stored.

    Raises:
        MalformedJson: when the text is no JSON after all.
    """
    try:
        return _STORED.decode(text)
    except (ValueError, RecursionError):
        return decode(text)


def _load(
    text: str | bytes, read_int: Callable[[str], object], read_float: Callable[[str], object]
) -> Json:
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            msg = "expected UTF-8"
            raise MalformedJson(msg) from error
    try:
        tree: Json = json.loads(
            text,
            parse_int=read_int,
            parse_float=read_float,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_members,
        )
    except json.JSONDecodeError as error:
        raise MalformedJson(error.msg, error.lineno, error.colno) from None
    except RecursionError as error:
        msg = "expected fewer nested levels"
        raise MalformedJson(msg) from error
    if "\\u" in text or not is_text(text):
        _refuse_surrogates(tree)
    return tree


def _refuse_constant(literal: str) -> Never:
    msg = f"expected a JSON number, got {literal}"
    raise MalformedJson(msg)


_STORED = json.JSONDecoder(parse_float=read_real, parse_constant=_refuse_constant)


def _unique_members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        msg = f"expected each member once, got {twice[:60]!r} more than once"
        raise MalformedJson(msg)
    return members


def _refuse_surrogates(tree: Json) -> None:
    waiting: list[Json] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            waiting.extend(node.keys())
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, str) and not is_text(node):
            msg = "expected no lone surrogate"
            raise MalformedJson(msg)


def write(value: object) -> str:
    """The canonical text of a tree or of any Python value that has a JSON form.

    Models become mappings, tuples lists; a `Number` keeps its spelling.

    Raises:
        NotJson: naming the path, for anything JSON cannot hold (bytes, sets, NaN, lone surrogates,
            keys that are not text, more than 200 nested levels and therefore cycles).
    """
    return _written(value, _CANONICAL)


encode = write


def spell(value: object) -> str:
    """A JSON text that decodes to an equal value of the same types: what a payload is stored as.

    Other than in canonical form, members keep their order and 3.0 is not spelled as 3, because what
    a target answers may depend on both.

    Raises:
        NotJson: as `write`.

    Examples:
        >>> spell({"b": 3.0, "a": 3})
        '{"b":3.0,"a":3}'
    """
    return _written(value, _FAITHFUL)


def canonicalize(text: str | bytes) -> str:
    r"""The canonical spelling of a JSON text: a fixed point of itself.

    Raises:
        MalformedJson: when the text is not one strict JSON value.
        NotJson: when it has more than 200 nested levels.

    Examples:
        >>> canonicalize('{ "z": 1e400, "label": "\\u003cb\\u003e" }')
        '{"label":"<b>","z":1e400}'
    """
    return write(parse(text))


def digest(text: str) -> str:
    """`sha256:` and the 64 hexadecimal digits of the text's UTF-8 bytes."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


@dataclasses.dataclass(frozen=True, slots=True)
class _Style:
    in_order: bool
    number: Callable[[float], str]


def _written(value: object, style: _Style) -> str:
    parts: list[str] = []
    try:
        _write(value, parts, (), style)
    except RecursionError as error:
        raise NotJson(_at((), "fewer nested levels", value)) from error
    return "".join(parts)


def _write(value: object, parts: list[str], path: _Path, style: _Style) -> None:
    if len(path) > _DEEPEST:
        raise NotJson(_at(path[:3], f"at most {_DEEPEST} nested levels", value))
    match value:
        case None | bool():
            parts.append(_WORDS[value])
        case str():
            parts.append(value if isinstance(value, Number) else _string(value, path))
        case int() | float() | Decimal():
            parts.append(_number(value, path, style))
        case list() | tuple():
            _write_items(value, parts, path, style)
        case Mapping() if not isinstance(value, HasWire):
            _write_members(value, parts, path, style)
        case _:
            _write(_as_json(value, path), parts, path, style)


def _number(value: float | Decimal, path: _Path, style: _Style) -> str:
    try:
        return decimal_text(value) if isinstance(value, Decimal) else style.number(value)
    except NotJson:
        raise NotJson(_at(path, "a finite number", value)) from None


def _float_text(value: float) -> str:
    text = number_text(value)
    is_bare = text.removeprefix("-").isdecimal()
    return f"{text}.0" if is_bare and not isinstance(value, int) else text


_CANONICAL = _Style(in_order=False, number=number_text)
_FAITHFUL = _Style(in_order=True, number=_float_text)


def _string(value: str, path: _Path) -> str:
    if not is_text(value):
        raise NotJson(_at(path, "text without lone surrogates", value))
    if _NEEDS_ESCAPE.search(value) is not None:
        value = _NEEDS_ESCAPE.sub(_escape, value)
    # Not an f-string, which gives the name of the member where the text is one of an enum.
    return '"' + value + '"'


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _ESCAPES.get(char) or f"\\u{ord(char):04x}"


def _write_items(
    items: list[object] | tuple[object, ...], parts: list[str], path: _Path, style: _Style
) -> None:
    parts.append("[")
    for index, item in enumerate(items):
        if index:
            parts.append(",")
        _write(item, parts, (*path, index), style)
    parts.append("]")


def _write_members(
    mapping: Mapping[object, object], parts: list[str], path: _Path, style: _Style
) -> None:
    members = _members(mapping, path)
    parts.append("{")
    for index, (name, value) in enumerate(
        members if style.in_order else sorted(members, key=_utf16_order)
    ):
        if index:
            parts.append(",")
        parts.append(_string(name, path))
        parts.append(":")
        _write(value, parts, (*path, name), style)
    parts.append("}")


def _members(mapping: Mapping[object, object], path: _Path) -> list[tuple[str, object]]:
    try:
        members = list(mapping.items())
    except Exception as error:
        raise NotJson(_at(path, "a mapping that can be read", mapping)) from error
    named = [(name, value) for name, value in members if isinstance(name, str)]
    if len(named) != len(members):
        raise NotJson(_at(path, "text keys", mapping))
    return named


def _utf16_order(member: tuple[str, object]) -> bytes:
    return member[0].encode("utf-16-be", "surrogatepass")


def _as_json(value: object, path: _Path) -> object:
    try:
        return _fields_of(value, path)
    except NotJson:
        raise
    except Exception as error:
        raise NotJson(_at(path, "an object whose fields can be read", value)) from error


def _fields_of(value: object, path: _Path) -> object:
    if isinstance(value, HasWire):
        return value.wire()
    if isinstance(value, RootModel):
        return value.root
    if isinstance(value, BaseModel):
        fields = {name: getattr(value, name) for name in type(value).model_fields}
        return {**fields, **(value.model_extra or {})}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    raise NotJson(_at(path, "a JSON value", value))


def _at(path: _Path, expected: str, value: object) -> str:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:40]}" for step in path)
    return f"{where.lstrip('.') or 'the value'}: expected {expected}, got {type(value).__name__}"
