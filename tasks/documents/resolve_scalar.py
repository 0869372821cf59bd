"""What a plain YAML scalar stands for: the core schema of YAML 1.2, nothing of 1.1."""

import re

from assay.evaluators.canonical import Json, Number

_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(?:\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NULLS = ("", "~", "null", "Null", "NULL")
_TRUE = ("true", "True", "TRUE")
_FALSE = ("false", "False", "FALSE")


def resolve_scalar(text: str) -> Json:
    """The null, boolean, number or text that an unquoted and untagged scalar is.

    Numbers keep their spelling as far as JSON allows it.

    Raises:
        ValueError: for NaN and infinities, which JSON has no word for.

    Examples:
        >>> [resolve_scalar(text) for text in ("no", "12:30", "1_000", "2001-12-14")]
        ['no', '12:30', '1_000', '2001-12-14']
        >>> [str(resolve_scalar(text)) for text in ("010", "0x1F", "+1.50", ".5", "1e3")]
        ['10', '31', '1.50', '0.5', '1e3']
    """
    if text in _NULLS:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _NOT_FINITE.fullmatch(text):
        msg = f"expected a finite number, got {text}"
        raise ValueError(msg)
    return _number(text) or text


def _number(text: str) -> Number | None:
    sign = "-" if text.startswith("-") else ""
    if _INT.fullmatch(text):
        return Number(sign + _without_zeros(text.lstrip("+-")))
    if _BASED.fullmatch(text):
        return Number(str(int(text, 0)))
    match = _FLOAT.fullmatch(text)
    if match is None:
        return None
    mantissa, exponent = match.groups()
    whole, point, fraction = mantissa.partition(".")
    after = f".{fraction or '0'}" if point else ""
    return Number(sign + _without_zeros(whole) + after + (exponent or ""))


def _without_zeros(digits: str) -> str:
    return digits.lstrip("0") or "0"
