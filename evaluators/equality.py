"""When two JSON-like values are the same answer."""

from collections.abc import Callable, Mapping
from decimal import Decimal

from assay.evaluators.canonical import WHITE_SPACE

Fold = Callable[[str], str]
"""Spells strings alike that shall count as equal."""


def folding(*, ignore_case: bool = False, trim_space: bool = False) -> Fold:
    """The fold of the usual options.

    Args:
        ignore_case: Case does not matter, by full Unicode folding: STRASSE equals straße.
        trim_space: White space at the ends does not matter, and inside any run of it is one space.
    """

    def fold(text: str) -> str:
        if trim_space:
            text = " ".join(_words(text))
        return text.casefold() if ignore_case else text

    return fold


def _words(text: str) -> list[str]:
    spaced = text.translate(dict.fromkeys(map(ord, WHITE_SPACE), " "))
    return [word for word in spaced.split(" ") if word]


def equal(left: object, right: object, fold: Fold = str) -> bool:
    """True if two values are equal as JSON values.

    Numbers compare by value, so 1 equals 1.0, but never a boolean; NaN equals nothing. Lists and
    tuples compare item by item, mappings regardless of order; the fold applies to every string but
    the keys. Any other two values must be of one type and equal.

    Examples:
        >>> equal(1, 1.0), equal(True, 1), equal({"a": [1]}, {"a": (1.0,)})
        (True, False, True)
    """
    match left, right:
        case (bool(), _) | (_, bool()):
            return left is right
        case (int() | float() | Decimal(), int() | float() | Decimal()):
            return left == right
        case str(), str():
            return fold(left) == fold(right)
        case (list() | tuple(), list() | tuple()):
            pairs = zip(left, right, strict=False)
            return len(left) == len(right) and all(equal(a, b, fold) for a, b in pairs)
        case Mapping(), Mapping():
            return left.keys() == right.keys() and all(
                equal(value, right[key], fold) for key, value in left.items()
            )
        case _:
            return type(left) is type(right) and bool(left == right)
