"""Maps that Assay carries but does not read."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import write
from assay.evaluators.errors import AssayError
from assay.evaluators.open_map import EmptyKey, InvalidValue, OpenMap


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"value":{"key":1,"key":2}}', id="kernel 1.5 example 1"),
        pytest.param('{"value":1,"value":2}', id="at the top"),
        pytest.param('{"value":[{"k":1,"\\u006b":2}]}', id="after unescaping"),
    ],
)
def test_a_member_that_stands_twice_is_refused(text: str) -> None:
    """Kernel 1.5 example 1: at any level; a map is immutable, so there is no receiver to change."""
    with pytest.raises(InvalidValue, match="more than once"):
        OpenMap.from_text(text)


def test_numbers_keep_their_spelling() -> None:
    """Kernel 1.5 example 2: magnitude and precision beyond floats included."""
    text = '{"d":0.25,"e":1e1000,"n":9007199254740993}'
    values = OpenMap.from_text(text)
    assert (values["n"], values["d"], values["e"]) == ("9007199254740993", "0.25", "1e1000")
    assert write(values) == text


@pytest.mark.parametrize(
    ("texts", "category"),
    [
        pytest.param({"k": '{"bad":'}, InvalidValue, id="kernel 1.5 example 3, truncated"),
        pytest.param({"k": ""}, InvalidValue, id="kernel 1.5 example 3, empty"),
        pytest.param({"k": None}, InvalidValue, id="kernel 1.5 example 3, null"),
        pytest.param({"": "1"}, EmptyKey, id="kernel 1.5 example 3, empty key"),
        pytest.param({"k": "1 2"}, InvalidValue, id="trailing data"),
        pytest.param({"k": '"\\ud800"'}, InvalidValue, id="lone surrogate"),
        pytest.param({"\ud800": "1"}, InvalidValue, id="key that UTF-8 cannot hold"),
        pytest.param({1: "1"}, InvalidValue, id="key that is no text"),
    ],
)
def test_keys_and_values_are_checked_when_the_map_is_made(
    texts: dict[str, str], category: type[AssayError]
) -> None:
    """Kernel 1.5 example 3: nothing is found out later, when the value is needed."""
    with pytest.raises(category):
        OpenMap(texts)


@pytest.mark.parametrize(
    ("values", "category"),
    [({"": 1}, EmptyKey), ({"\ud800": 1}, InvalidValue), ({"k": float("nan")}, InvalidValue)],
)
def test_python_values_are_checked_as_well(
    values: dict[str, object], category: type[AssayError]
) -> None:
    """The message names the key."""
    with pytest.raises(category):
        OpenMap.of(values)


@pytest.mark.parametrize("text", ["[]", "1", '"a"', "true", "{"])
def test_only_an_object_is_a_map(text: str) -> None:
    """Null stands for the empty map; nothing else does."""
    with pytest.raises(InvalidValue):
        OpenMap.from_text(text)


def test_null_and_the_empty_object_are_the_empty_map() -> None:
    """An absent map and an empty one have one identity."""
    assert OpenMap.from_text("null") == OpenMap.from_text("{}") == OpenMap()
    assert write(OpenMap()) == "{}"


def test_equality_is_that_of_the_encodings() -> None:
    """1 and 1.0 are two maps, and so are a text and what it decodes to."""
    assert OpenMap({"a": "1", "b": "2"}) == OpenMap({"b": "2", "a": "1"})
    assert OpenMap({"a": "1"}) != OpenMap({"a": "1.0"})
    assert OpenMap({"a": "1"}) != {"a": "1"}
    assert hash(OpenMap({"a": "1", "b": "2"})) == hash(OpenMap({"b": "2", "a": "1"}))


def test_what_was_passed_in_stays_the_callers() -> None:
    """Ownership (kernel 1.3): neither the texts nor the values are shared."""
    texts, values = {"a": "1"}, {"a": [1]}
    from_texts, from_values = OpenMap(texts), OpenMap.of(values)
    texts["b"] = "2"
    values["a"].append(2)
    from_values.decoded()["a"] = 3
    assert (dict(from_texts), dict(from_values)) == ({"a": "1"}, {"a": "[1]"})


def test_a_changed_map_is_another_map() -> None:
    """Setting and merging give copies, and a refused value leaves nothing behind."""
    values = OpenMap.of({"a": 1})
    assert dict(values.with_value("b", {"z": 1, "y": 2})) == {"a": "1", "b": '{"y":2,"z":1}'}
    assert dict(values.merged(OpenMap.of({"a": 2}))) == {"a": "2"}
    with pytest.raises(InvalidValue):
        values.with_value("b", object())
    assert dict(values) == {"a": "1"}


def test_a_missing_key_is_a_missing_key() -> None:
    """As in any mapping of Python: `get` gives None, indexing and decoding raise."""
    assert OpenMap().get("k") is None
    with pytest.raises(KeyError):
        OpenMap().decode("k")


def test_canonical_values_forget_how_they_were_presented() -> None:
    """Members sorted, space gone, numbers as spelled."""
    loose = OpenMap({"k": ' {"b":1.0, "a":"\\u003c"} '})
    assert dict(loose.canonical()) == {"k": '{"a":"<","b":1.0}'}


@given(st.from_type(OpenMap))
def test_a_map_comes_back_from_its_text(values: OpenMap) -> None:
    """And from another process."""
    assert OpenMap.from_text(write(values)) == values
    assert pickle.loads(pickle.dumps(values)) == copy.deepcopy(values) == values  # noqa: S301


@given(st.from_type(OpenMap))
def test_canonical_is_a_fixed_point(values: OpenMap) -> None:
    """Canonicalising twice is canonicalising once."""
    assert values.canonical().canonical() == values.canonical()
