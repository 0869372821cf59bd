"""The spelling of JSON numbers, which is part of an identity."""

import math
from decimal import Decimal

from assay.evaluators.errors import MalformedJson, NotJson

_LARGEST_PLAIN_EXPONENT = 21
_SMALLEST_PLAIN_EXPONENT = -6


class Number(str):
    """The literal text of a JSON number, such as `1.0` or `1e1000`."""

    __slots__ = ()


def number_text(value: float) -> str:
    """The ECMAScript spelling of a finite number; raises NotJson for NaN and infinities.

    Examples:
        >>> number_text(1.0), number_text(1e-7), number_text(1e21), number_text(-0.0)
        ('1', '1e-7', '1e+21', '-0')
    """
    if isinstance(value, int):
        return _integer_text(int(value))
    if not math.isfinite(value):
        msg = "expected a finite number"
        raise NotJson(msg)
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return f"{sign}0"
    # Read off the shortest digits: decimal arithmetic would depend on the caller's context.
    mantissa, _, exponent = repr(abs(float(value))).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)
    return sign + _place_point(digits.rstrip("0"), point)


def _integer_text(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # more digits than Python writes
        return str(Decimal(value))


def _place_point(digits: str, point: int) -> str:
    if len(digits) <= point <= _LARGEST_PLAIN_EXPONENT:
        return digits + "0" * (point - len(digits))
    if 0 < point <= _LARGEST_PLAIN_EXPONENT:
        return f"{digits[:point]}.{digits[point:]}"
    if _SMALLEST_PLAIN_EXPONENT < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{mantissa}e{point - 1:+d}"


def decimal_text(value: Decimal) -> str:
    """The spelling of a finite Decimal that reading and writing again does not change.

    A Decimal that a float can stand for is spelled as that float, because it is read as one.

    Raises:
        NotJson: for NaN and infinities.
    """
    text = str(value)
    if text.removeprefix("-").isdecimal():
        return text
    if not value.is_finite():
        msg = "expected a finite number"
        raise NotJson(msg)
    nearest = float(value)
    return text.lower() if math.isinf(nearest) else number_text(nearest)


def read_integer(literal: str) -> int | float | Decimal:
    """The integer of a JSON literal; `-0` is the float -0.0, as only a float keeps its sign."""
    if literal == "-0":
        return -0.0
    try:
        return int(literal)
    except ValueError:  # more digits than Python reads
        return Decimal(literal)


def read_real(literal: str) -> float | Decimal:
    """The float of a JSON literal, or a Decimal where a float would be infinite.

    Raises:
        MalformedJson: for an exponent that even a Decimal cannot hold.
    """
    value = float(literal)
    if math.isfinite(value):
        return value
    try:
        exact = Decimal(literal)
    except ArithmeticError:
        exact = Decimal("NaN")
    if not exact.is_finite():
        msg = "expected a number with a smaller exponent"
        raise MalformedJson(msg)
    return exact
