"""How numbers are spelled, and read back."""

import math
import struct
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import decode, write
from assay.evaluators.errors import MalformedJson, NotJson
from assay.evaluators.number import Number, decimal_text, number_text

FINITE = st.floats(allow_nan=False, allow_infinity=False)

# Spellings of the function Number::toString of ECMA-262, as `JSON.stringify` gives them.
ECMASCRIPT = [
    (1.0, "1"),
    (0.8, "0.8"),
    (0.1 + 0.2, "0.30000000000000004"),
    (100.0, "100"),
    (123456.789, "123456.789"),
    (1e-6, "0.000001"),
    (1.5e-6, "0.0000015"),
    (1e-7, "1e-7"),
    (1.25e-7, "1.25e-7"),
    (1e20, "100000000000000000000"),
    (123456789012345680000.0, "123456789012345680000"),
    (1e21, "1e+21"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (5e-324, "5e-324"),
    (2.2250738585072014e-308, "2.2250738585072014e-308"),
    (9007199254740993.0, "9007199254740992"),
    (-0.0, "-0"),
    (0.0, "0"),
    (-1e-7, "-1e-7"),
    (-12.5, "-12.5"),
    (333333333.33333329, "333333333.3333333"),
    (4.35, "4.35"),
    (1e23, "1e+23"),
]


@pytest.mark.parametrize(("value", "text"), ECMASCRIPT)
def test_floats_are_spelled_as_ecmascript_spells_them(value: float, text: str) -> None:
    """A grade written here has the identity that any other implementation gives it."""
    assert number_text(value) == text


@given(FINITE)
def test_a_float_comes_back_from_its_text_bit_by_bit(value: float) -> None:
    """No score changes by being stored."""
    assert struct.pack("d", float(number_text(value))) == struct.pack("d", value)


@given(FINITE)
def test_a_spelling_never_has_more_than_it_needs(value: float) -> None:
    """`1.0`, `1e05` and `+1` are other identities than `1`."""
    text = number_text(value)
    mantissa, _, exponent = text.partition("e")
    assert not mantissa.endswith(".0")
    assert "." not in mantissa or not mantissa.endswith("0")
    assert not exponent or exponent[0] in "+-"
    assert not exponent[1:].startswith("0")


@given(st.integers())
def test_integers_are_spelled_in_full(value: int) -> None:
    """An integer beyond 2**53 is kept, not rounded to a float."""
    assert number_text(value) == str(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_has_no_spelling(value: float) -> None:
    """Absence is a type: NaN never becomes null."""
    with pytest.raises(NotJson, match="finite"):
        number_text(value)


def test_the_callers_decimal_context_does_not_change_a_spelling() -> None:
    """A target that lowers the precision of its own arithmetic does not round our scores."""
    with localcontext() as context:
        context.prec = 3
        context.capitals = 0
        assert number_text(0.123456789) == "0.123456789"
        assert decimal_text(Decimal("1E+400")) == "1e+400"


def test_integers_of_any_length_survive() -> None:
    """Python refuses to read and write more than 4,300 digits by itself."""
    value = 10**5000 + 1
    text = write(value)
    assert text == "1" + "0" * 4999 + "1"
    assert decode(text) == value
    assert write(decode(text)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("1.10"), "1.1"),
        (Decimal(5), "5"),
        (Decimal("-0"), "-0"),
        (Decimal("1E+2"), "100"),
        (Decimal("1E-400"), "0"),
        (Decimal("1E+400"), "1e+400"),
        (Decimal(123456789012345678901234567890), "123456789012345678901234567890"),
    ],
)
def test_a_decimal_is_spelled_as_it_will_be_read(value: Decimal, text: str) -> None:
    """The identity of a case does not change when the case is stored and loaded."""
    assert write(value) == text
    assert write(decode(text)) == text


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_reading_and_writing_a_decimal_again_changes_nothing(value: Decimal) -> None:
    """Its first spelling is its last."""
    text = write(value)
    assert write(decode(text)) == text


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")])
def test_a_decimal_that_is_no_number_is_refused(value: Decimal) -> None:
    """As for floats."""
    with pytest.raises(NotJson, match="finite"):
        write(value)


def test_a_number_beyond_floats_is_read_exactly() -> None:
    """Infinity would make different numbers equal, and could not be written again."""
    assert decode("1e400") == Decimal("1e400")
    assert write(decode("-1.5e400")) == "-1.5e+400"


def test_minus_zero_keeps_its_sign() -> None:
    """`-0` is another identity than `0`, so reading it must not lose it."""
    value = decode("-0")
    assert isinstance(value, float)
    assert write(value) == "-0"


def test_an_exponent_beyond_everything_is_refused() -> None:
    """It is refused as malformed, not by an error of the decimal library."""
    with pytest.raises(MalformedJson, match="exponent"):
        decode("1e" + "9" * 30)


def test_a_literal_is_written_as_it_came() -> None:
    """A parsed number is text until somebody asks for its value."""
    assert write([Number("1.0"), Number("1e1000")]) == "[1.0,1e1000]"
