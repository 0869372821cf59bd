"""When two answers are the same as JSON values."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.equality import equal, folding

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (False, 0.0, False),
        (True, True, True),
        (float("nan"), float("nan"), False),
        (0.1 + 0.2, 0.3, False),
        (Decimal("1e400"), Decimal("1e400"), True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1], (1.0,), True),
        ([1, 2], [1], False),
        ("1", 1, False),
        ("", None, False),
        (None, None, True),
        ([], {}, False),
        ({"a": [True]}, {"a": [1]}, False),
    ],
)
def test_values_compare_as_json(left: object, right: object, expected: object) -> None:
    """Library 17.1, E1 to E5, and DESIGN 3.1: bool and number differ, 1 and 1.0 do not."""
    assert equal(left, right) is expected


@pytest.mark.parametrize(
    ("left", "right", "options"),
    [
        ("STRASSE", "straße", {"ignore_case": True}),
        (["Hello"], ["hello"], {"ignore_case": True}),
        ({"k": "V"}, {"k": "v"}, {"ignore_case": True}),
        ("  Paris \n is   nice\t", "Paris is nice", {"trim_space": True}),
        ("a\u00a0b\u3000", "a b", {"trim_space": True}),
        (" A", "a", {"ignore_case": True, "trim_space": True}),
    ],
)
def test_options_apply_to_strings_at_any_depth(
    left: object, right: object, options: dict[str, bool]
) -> None:
    """Library 4: match options, and casefold rather than lower."""
    assert equal(left, right, folding(**options))
    assert not equal(left, right)


def test_options_do_not_apply_to_keys() -> None:
    """A key is a name of the interface, not an answer."""
    assert not equal({"K": 1}, {"k": 1}, folding(ignore_case=True))


def test_control_characters_are_no_white_space() -> None:
    """Kernel 1.2: str.strip would take U+001C to U+001F away."""
    assert folding(trim_space=True)("\x1fa\x1f") == "\x1fa\x1f"


@given(json_values)
def test_every_json_value_equals_itself(value: object) -> None:
    """NaN is no JSON value."""
    assert equal(value, value)


@given(json_values, json_values)
def test_equality_is_symmetric(left: object, right: object) -> None:
    """Which of the two was expected does not matter."""
    assert equal(left, right) == equal(right, left)
