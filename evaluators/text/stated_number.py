"""The numbers that a text states."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

_NUMBER = re.compile(
    r"""
    (?P<sign>[+\-\u2212]?)
    [$€£¥₹]?
    (?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
    (?P<exponent>[eE][+\-\u2212]?\d+)?
    """,
    re.VERBOSE,
)
# What makes a number part of something else: a word, a date, a version, a term.
_JOINED_BEFORE = re.compile(r"(?:[\w.]|\d[,:/^*+\-\u2212])\Z")
_JOINED_AFTER = re.compile(r"\w|[.,:/^*+\-\u2212]\d")
_UNIT = re.compile(r"\s*(?:(?P<percent>%|\bper ?cent\b)|(?P<mille>‰))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number as a text states it.

    Attributes:
        value: Exactly the decimal that is written.
        unit: `%` or `‰` where it stands behind the number, else empty.
    """

    value: Decimal
    unit: str = ""


def stated_numbers(text: str) -> list[StatedNumber]:
    """The numbers of a text, in order.

    A number is digits, perhaps with a sign, a currency sign, commas before groups of three digits,
    a fraction behind a point, and an exponent. It stands by itself: one that touches a letter, a
    digit, an underscore, or by a mark another number (12:30, 3/4, 1.2.3, 2024-01-05, 1,00) is part
    of something else. Other marks around it do not matter. A percent sign or the word percent is
    its unit; other units are words, and are not looked at.

    Examples:
        >>> [str(one.value) for one in stated_numbers("72, in total, (-5) or $1,000.50.")]
        ['72', '-5', '1000.50']
        >>> stated_numbers("v2 at 12:30, 60km")
        []
    """
    return list(_found(text))


def _found(text: str) -> Iterator[StatedNumber]:
    for match in _NUMBER.finditer(text):
        before = text[max(match.start() - 2, 0) : match.start()]
        if _JOINED_BEFORE.search(before) or _JOINED_AFTER.match(text, match.end()):
            continue
        digits = match["digits"].replace(",", "")
        written = (match["sign"] + digits + (match["exponent"] or "")).replace("\u2212", "-")
        try:
            yield StatedNumber(Decimal(written), _unit(text, match.end()))
        except InvalidOperation:  # an exponent beyond 10^18
            continue


def _unit(text: str, end: int) -> str:
    found = _UNIT.match(text, end)
    if found is None:
        return ""
    return "%" if found["percent"] else "‰"
