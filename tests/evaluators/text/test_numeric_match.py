"""Whether the answer states the expected number."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import EvaluatorError, InvalidEvaluatorConfig, Skip
from assay.evaluators.report import Report
from assay.evaluators.text import numeric_match, stated_numbers

Ask = Callable[..., Report]


@pytest.mark.parametrize(
    ("expected", "output", "verdict"),
    [
        (11, "711", "fail"),
        (-5, "5", "fail"),
        (16, "16.00", "pass"),
        (72, "72, in total,", "pass"),
        (42, "(42).", "pass"),
        (1000, "1,000", "pass"),
        (3.14, "33.14", "fail"),
        (60, "60%", "fail"),
    ],
)
def test_the_table_of_b40(ask: Ask, expected: float, output: str, verdict: str) -> None:
    """Fault B40: numbers compared as numbers; percent is a unit."""
    assert ask(numeric_match, output, expected).verdict == verdict
    assert ask(numeric_match, output, str(expected)).verdict == verdict


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("**42**", ["42"]),
        ("$1,234,567.89!", ["1234567.89"]),
        ("-$5 and \u22127", ["-5", "-7"]),
        ("x=-2.5e3;", ["-2.5E+3"]),
        (".5 or +0.5", ["0.5", "0.5"]),
        ("\\boxed{12}", ["12"]),
        ("10 - 3 = 7", ["10", "3", "7"]),
        ("6*7=42", ["42"]),
        ("ends with 3.", ["3"]),
        ("٤٢", ["42"]),
        ("", []),
        ("v2 x86 60km 3rd 0x1F GPT-4", []),
        ("12:30, 3/4, 1.2.3, 2024-01-05", []),
        ("1,00 and 1,0000 and 10,00,000", []),
        ("10^3 or 10\u00b2", []),
        ("1e9999999999999999999", []),
    ],
)
def test_what_counts_as_a_number(text: str, numbers: list[str]) -> None:
    """The rule of `stated_numbers`, mark by mark."""
    assert [str(one.value) for one in stated_numbers(text)] == numbers


@pytest.mark.parametrize("text", ["60%", "60 %", "60 percent", "60 per cent"])
def test_percent_is_a_unit_however_it_is_spelled(ask: Ask, text: str) -> None:
    """60% is 0.6, so that it is not 60, but it is 60%."""
    assert ask(numeric_match, text, 60).verdict == "fail"
    assert ask(numeric_match, text, "60%").verdict == "pass"
    assert ask(numeric_match, "60\u2030", "60%").verdict == "fail"


@pytest.mark.parametrize(
    ("take", "verdicts"),
    [
        ("last", ["pass", "fail", "pass"]),
        ("first", ["fail", "pass", "pass"]),
        ("only", ["fail", "fail", "pass"]),
        ("any", ["pass", "pass", "pass"]),
    ],
)
def test_which_of_several_numbers_counts(ask: Ask, take: str, verdicts: list[str]) -> None:
    """The last by default, as answers to sums have it."""
    outputs = ["3 + 4 = 7", "7 = 3 + 4", "7, yes, 7"]
    found = [ask(numeric_match, output, 7, {"take": take}).verdict for output in outputs]
    assert found == verdicts


def test_tolerances_are_exact_decimals(ask: Ask) -> None:
    """0.4 - 0.1 is no more than 0.3, whatever binary floats say."""
    assert ask(numeric_match, "0.4", 0.1, {"absolute_tolerance": 0.3}).verdict == "pass"
    assert ask(numeric_match, "0.41", 0.1, {"absolute_tolerance": 0.3}).verdict == "fail"
    assert ask(numeric_match, "101", 100, {"relative_tolerance": 0.01}).verdict == "pass"
    assert ask(numeric_match, "-101", -100, {"relative_tolerance": 0.01}).verdict == "pass"
    assert ask(numeric_match, "1e999999", 1, {"relative_tolerance": 0.01}).verdict == "fail"


@pytest.mark.parametrize(
    ("output", "verdict"),
    [(7, "pass"), (7.0, "pass"), (True, "fail"), (None, "fail"), ([7], "fail"), ("", "fail")],
)
def test_outputs_that_are_no_text(ask: Ask, output: object, verdict: str) -> None:
    """A JSON number is compared as it is; true is no number."""
    expected = 1 if output is True else 7
    assert ask(numeric_match, output, expected).verdict == verdict


@pytest.mark.parametrize("expected", ["seven", "3 of 4", [7], True])
def test_an_expected_value_that_is_no_number_is_the_authors_error(
    ask: Ask, expected: object
) -> None:
    """It must not count as a wrong answer."""
    with pytest.raises(EvaluatorError, match="states one number") as caught:
        ask(numeric_match, "7", expected)
    assert caught.value.error_class == "invalid_input"


def test_wrong_settings_are_refused_with_the_valid_ones() -> None:
    """Before anything runs."""
    with pytest.raises(
        InvalidEvaluatorConfig, match="take: expected a value 'last', 'first', 'only' or 'any'"
    ):
        numeric_match.configured({"take": "best"})
    with pytest.raises(InvalidEvaluatorConfig, match="expected settings out of take, absolute_tol"):
        numeric_match.configured({"tolerance": 1})


def test_without_an_expected_value_it_does_not_apply(ask: Ask) -> None:
    """Skipped, also when the output states a number."""
    with pytest.raises(Skip):
        ask(numeric_match, "7")


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.integers())
def test_a_number_is_found_in_any_sentence(ask: Ask, number: Decimal, other: int) -> None:
    """And is equal to itself alone."""
    sentence = f"That makes ({number:,f})."
    assert ask(numeric_match, sentence, str(number)).verdict == "pass"
    assert (ask(numeric_match, sentence, other).verdict == "pass") == (number == other)
