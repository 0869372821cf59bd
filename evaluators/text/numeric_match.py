"""Whether the answer states the expected number."""

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Annotated, Literal

from pydantic import Field

from assay.evaluators.errors import EvaluatorError
from assay.evaluators.excerpt import excerpt
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.stated_number import StatedNumber, stated_numbers

Taken = Literal["last", "first", "only", "any"]
Tolerance = Annotated[float, Field(ge=0)]

# Wide enough that no number of a text overflows; nothing is trapped.
_CONTEXT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(case={"expected": 1000}, receipt={"output": "That makes 10 x 100 = 1,000 in all."}),
)
def numeric_match(
    sample: Sample,
    *,
    take: Taken = "last",
    absolute_tolerance: Tolerance = 0.0,
    relative_tolerance: Tolerance = 0.0,
) -> Checked:
    """Pass when the number that the output states is the expected one; compared as decimals.

    16.00 is 16, 1,000 is 1000, and (42). is 42; 711 is not 11, 33.14 is not 3.14, 5 is not -5, and
    60% is not 60, because percent is a unit. A number stands by itself: one that touches letters or
    another number, as in v2, 60km, 12:30 or 1.2.3, is none. Commas may only group thousands. An
    output that is a number is compared as it is; true and false are no numbers, and an output
    without a number fails. Skipped without an expected value.

    Args:
        sample: Its expected value is a number, or a text that states exactly one.
        take: Which of several numbers counts; `only` demands that all of them are equal to the
            expected one, `any` that one of them is.
        absolute_tolerance: The largest difference that still passes.
        relative_tolerance: The same, as a share of the expected number; the larger one holds.
    """
    expected = _expected(sample.expected)
    stated = _stated(sample.output)
    if not stated:
        return Checked(
            passed=False, reason=f"expected a number, found none in {excerpt(sample.output)}"
        )
    absolute, relative = Decimal(repr(absolute_tolerance)), Decimal(repr(relative_tolerance))
    allowed = max(absolute, _CONTEXT.multiply(relative, expected.value.copy_abs()))
    fits = [_fits(one, expected, allowed) for one in stated]
    if _verdict(fits, take):
        return Checked(passed=True)
    shown = {"last": stated[-1:], "first": stated[:1]}.get(take, stated)
    numbers = ", ".join(f"{one.value}{one.unit}" for one in shown)
    wanted = f"{expected.value}{expected.unit}"
    return Checked(passed=False, reason=f"expected {wanted[:60]}, got {numbers[:60]}")


def _verdict(fits: Sequence[bool], take: Taken) -> bool:
    match take:
        case "last":
            return fits[-1]
        case "first":
            return fits[0]
        case "only":
            return all(fits)
        case "any":
            return any(fits)


def _fits(one: StatedNumber, expected: StatedNumber, allowed: Decimal) -> bool:
    if one.unit != expected.unit:
        return False
    if one.value == expected.value:
        return True
    return _CONTEXT.subtract(one.value, expected.value).copy_abs() <= allowed


def _stated(value: object) -> list[StatedNumber]:
    match value:
        case bool():
            return []
        case int() | float() | Decimal():
            number = Decimal(repr(value) if isinstance(value, float) else value)
            return [StatedNumber(number)] if number.is_finite() else []
        case str():
            return stated_numbers(value)
        case _:
            return []


def _expected(value: object) -> StatedNumber:
    found = _stated(value)
    if len(found) != 1:
        msg = f"expected an expected value that states one number, got {excerpt(value, 60)}"
        raise EvaluatorError("invalid_input", msg)
    return found[0]
