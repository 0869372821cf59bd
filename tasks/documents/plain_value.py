"""The Python value that a strict JSON tree spells."""

import math
from decimal import Decimal

from assay.evaluators.canonical import Json, Number


def plain_value(tree: Json) -> object:
    """The tree with its number literals as int or float, mappings in the order of the file.

    A number too large for a float is a Decimal, as in `canonical.decode`.

    Raises:
        ValueError: an integer has more digits than Python reads.
    """
    match tree:
        case Number():
            return _number(tree)
        case list():
            return [plain_value(item) for item in tree]
        case dict():
            return {key: plain_value(value) for key, value in tree.items()}
        case _:
            return tree


def _number(literal: Number) -> int | float | Decimal:
    if literal.lstrip("-").isdigit():
        return int(literal)
    value = float(literal)
    return value if math.isfinite(value) else Decimal(literal)
