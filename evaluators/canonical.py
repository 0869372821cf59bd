"""JSON as an identity: strict reading, and one spelling for equal values.

Numbers keep the spelling in which they came (`1`, `1.0` and `1e0` are three identities), object
members are sorted by UTF-16 code units as in RFC 8785, strings take the shortest escapes. A Python
float is spelled as ECMAScript does (`1`, `0.8`, `1e-7`, `1e+21`, `-0`).
"""

import dataclasses
import hashlib
import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Protocol, TypeAlias, runtime_checkable

from pydantic import BaseModel

from assay.evaluators.errors import MalformedJson, NotJson

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode White_Space; `str.strip` would also remove U+001C to U+001F."""

_DEEPEST = 500
_LARGEST_PLAIN_EXPONENT = 21
_SMALLEST_PLAIN_EXPONENT = -6
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NEEDS_ESCAPE = re.compile(r'["\\\x00-\x1f]')
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Number(str):
    """The literal text of a JSON number, such as `1.0` or `1e1000`."""

    __slots__ = ()


Json: TypeAlias = "None | bool | Number | str | list[Json] | dict[str, Json]"


@runtime_checkable
class HasWire(Protocol):
    """A kernel value that has a JSON form of its own."""

    def wire(self) -> object:
        """The value as mappings, sequences, text, numbers and `Number` literals."""


def is_text(value: str) -> bool:
    """True if the string can be written as UTF-8, that is, holds no lone surrogate."""
    return _SURROGATE.search(value) is None


def is_trimmed(value: str) -> bool:
    """True if neither end of the string is Unicode white space."""
    return value == value.strip(WHITE_SPACE)


def is_blank(value: str) -> bool:
    """True if the string is empty or white space alone."""
    return not value.strip(WHITE_SPACE)


def number_text(value: float) -> str:
    """The ECMAScript spelling of a finite number; raises NotJson for NaN and infinities.

    Examples:
        >>> number_text(1.0), number_text(1e-7), number_text(1e21), number_text(-0.0)
        ('1', '1e-7', '1e+21', '-0')
    """
    if isinstance(value, int):
        return str(int(value))
    if not math.isfinite(value):
        msg = "expected a finite number"
        raise NotJson(msg)
    if value == 0:
        return "-0" if math.copysign(1.0, value) < 0 else "0"
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    text = "".join(map(str, digits))
    return ("-" if sign else "") + _place_point(text, len(text) + int(exponent))


def _place_point(digits: str, point: int) -> str:
    if len(digits) <= point <= _LARGEST_PLAIN_EXPONENT:
        return digits + "0" * (point - len(digits))
    if 0 < point <= _LARGEST_PLAIN_EXPONENT:
        return f"{digits[:point]}.{digits[point:]}"
    if _SMALLEST_PLAIN_EXPONENT < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{mantissa}e{point - 1:+d}"


def parse(text: str | bytes) -> Json:
    """The tree of exactly one strict JSON value (RFC 7493), numbers as `Number` literals.

    Raises:
        MalformedJson: for invalid UTF-8, a lone surrogate, a duplicate member (after unescaping),
            NaN or Infinity, trailing data, or nothing at all.
    """
    return _load(text, Number, Number)


def decode(text: str | bytes) -> object:
    """The Python value of a strict JSON text: dict, list, str, int, float, bool or None.

    A number too large for a float comes back as a Decimal, never as infinity.

    Raises:
        MalformedJson: as `parse`.
    """
    return _load(text, int, _finite)


def _finite(literal: str) -> float | Decimal:
    value = float(literal)
    return value if math.isfinite(value) else Decimal(literal)


def _load(text: str | bytes, read_int: type, read_float: object) -> Json:
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
            parse_float=read_float,  # type: ignore[arg-type]
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_members,
        )
    except json.JSONDecodeError as error:
        raise MalformedJson(error.msg, error.lineno, error.colno) from None
    except RecursionError as error:
        msg = "expected fewer nested levels"
        raise MalformedJson(msg) from error
    except ValueError as error:  # an integer of more digits than Python reads
        msg = "expected a number of fewer digits"
        raise MalformedJson(msg) from error
    if "\\u" in text or not is_text(text):
        _refuse_surrogates(tree)
    return tree


def _refuse_constant(literal: str) -> None:
    msg = f"expected a JSON number, got {literal}"
    raise MalformedJson(msg)


def _unique_members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        msg = f"expected each member once, got {twice[:60]!r} twice"
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
            keys that are not text, cycles).
    """
    parts: list[str] = []
    _write(value, parts, ())
    return "".join(parts)


encode = write


def canonicalize(text: str | bytes) -> str:
    """The canonical spelling of a JSON text: a fixed point of itself.

    Examples:
        >>> canonicalize('{ "z": 1e400, "label": "\\\\u003cb\\\\u003e" }')
        '{"label":"<b>","z":1e400}'
    """
    return write(parse(text))


def digest(text: str) -> str:
    """`sha256:` and the 64 hexadecimal digits of the text's UTF-8 bytes."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def _write(value: object, parts: list[str], path: tuple[str | int, ...]) -> None:
    if len(path) > _DEEPEST:
        raise NotJson(_at(path[:3], f"at most {_DEEPEST} nested levels", value))
    match value:
        case None:
            parts.append("null")
        case bool():
            parts.append("true" if value else "false")
        case Number():
            parts.append(str(value))
        case str():
            parts.append(_string(value, path))
        case int() | float():
            parts.append(_number(value, path))
        case Mapping():
            _write_members(value, parts, path)
        case list() | tuple():
            _write_items(value, parts, path)
        case _:
            _write(_as_json(value, path), parts, path)


def _number(value: float, path: tuple[str | int, ...]) -> str:
    try:
        return number_text(value)
    except NotJson:
        raise NotJson(_at(path, "a finite number", value)) from None


def _string(value: str, path: tuple[str | int, ...]) -> str:
    if not is_text(value):
        raise NotJson(_at(path, "text without lone surrogates", value))
    if _NEEDS_ESCAPE.search(value) is None:
        return f'"{value}"'
    return '"' + _NEEDS_ESCAPE.sub(_escape, value) + '"'


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _ESCAPES.get(char) or f"\\u{ord(char):04x}"


def _write_items(
    items: list[object] | tuple[object, ...], parts: list[str], path: tuple[str | int, ...]
) -> None:
    parts.append("[")
    for index, item in enumerate(items):
        if index:
            parts.append(",")
        _write(item, parts, (*path, index))
    parts.append("]")


def _write_members(
    members: Mapping[object, object], parts: list[str], path: tuple[str | int, ...]
) -> None:
    names = list(members)
    if not all(isinstance(name, str) for name in names):
        raise NotJson(_at(path, "text keys", members))
    texts = [str(name) for name in names]
    parts.append("{")
    for index, name in enumerate(sorted(texts, key=_utf16_order)):
        if index:
            parts.append(",")
        parts.append(_string(name, path))
        parts.append(":")
        _write(members[name], parts, (*path, name))
    parts.append("}")


def _utf16_order(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _as_json(value: object, path: tuple[str | int, ...]) -> object:
    if isinstance(value, HasWire):
        return value.wire()
    if isinstance(value, BaseModel):
        return {name: getattr(value, name) for name in type(value).model_fields}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Decimal) and value.is_finite():
        return Number(str(value))
    raise NotJson(_at(path, "a JSON value", value))


def _at(path: tuple[str | int, ...], expected: str, value: object) -> str:
    where = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:40]}" for step in path)
    return f"{where.lstrip('.') or 'the value'}: expected {expected}, got {type(value).__name__}"
