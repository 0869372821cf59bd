"""Strict JSON, and its canonical form."""

import dataclasses
import enum
import json
import random
from collections.abc import Iterator, Mapping
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, RootModel

from assay.evaluators.canonical import (
    WHITE_SPACE,
    canonicalize,
    decode,
    decode_stored,
    digest,
    encode,
    is_blank,
    is_text,
    is_trimmed,
    parse,
    spell,
    write,
)
from assay.evaluators.errors import MalformedJson, NotJson
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap

NUMBERS = st.sampled_from(
    ["0", "-0", "1", "1.0", "1e0", "1E0", "9007199254740993", "1e1000", "0.1"]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def loosely(value: object, chance: random.Random) -> str:
    """Return a JSON text of the value with other white space, member order and escapes."""
    space = chance.choice(["", " ", "\n\t", "\r  "])
    if isinstance(value, dict):
        members = list(value.items())
        chance.shuffle(members)
        inside = f"{space},".join(
            f"{space}{loosely(name, chance)}{space}:{loosely(member, chance)}"
            for name, member in members
        )
        return f"{{{inside}{space}}}"
    if isinstance(value, list):
        return f"[{space}{f',{space}'.join(loosely(one, chance) for one in value)}{space}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=chance.random() < 0.5).replace(
            "/", chance.choice(["/", "\\/", "\\u002F"])
        )
    return write(value)


def whole(value: object) -> object:
    """Return the value with each float from 2**53 up as the integer that its text spells."""
    if isinstance(value, dict):
        return {name: whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [whole(one) for one in value]
    if isinstance(value, float) and 2**53 <= abs(value) < 1e21:
        return int(write(value))
    return value


# --- text ------------------------------------------------------------------------------------


@pytest.mark.parametrize("space", sorted(WHITE_SPACE))
def test_every_unicode_white_space_makes_a_text_untrimmed(space: str) -> None:
    """The set is that of the Unicode property, all 25 of it."""
    assert len(WHITE_SPACE) == 25
    assert space.isspace()
    assert not is_trimmed(space + "a")
    assert not is_trimmed("a" + space)
    assert is_trimmed(f"a{space}a")
    assert is_blank(space * 2)


@pytest.mark.parametrize("control", ["\x00", "\x1c", "\x1d", "\x1e", "\x1f", "\u200b", "\ufeff"])
def test_controls_that_are_no_white_space_may_stand_at_the_ends(control: str) -> None:
    """`str.strip` takes U+001C to U+001F away; an id that holds them has to come back as it is."""
    assert is_trimmed(control + "评估\x00é" + control)
    assert not is_blank(control)


def test_a_lone_surrogate_is_no_text() -> None:
    """It is the one thing that a Python string holds and UTF-8 does not."""
    assert is_text("\U0001f600 é\x00")
    assert not is_text("a\ud800")


# --- the canonical form ----------------------------------------------------------------------


def test_presentation_never_changes_an_identity() -> None:
    """Kernel 2.1 example 1: space, member order and escapes are presentation."""
    plain = '{"a":[{"x":"<","y":9007199254740993}],"b":1.00000000000000001}'
    loose = ' { "b": 1.00000000000000001, "a": [{"y":9007199254740993,"x":"\\u003c"}] } '
    assert canonicalize(plain) == canonicalize(loose)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("9007199254740993", "9007199254740992", id="kernel 2.1 example 2, integer"),
        pytest.param(
            "1.00000000000000001", "1.00000000000000002", id="kernel 2.1 example 2, last digit"
        ),
    ],
)
def test_a_digit_that_a_float_would_lose_makes_another_identity(one: str, other: str) -> None:
    """Kernel 2.1 example 2: there is no round trip through a float."""
    assert float(one) == float(other)
    assert canonicalize(f'{{"b":{one}}}') != canonicalize(f'{{"b":{other}}}')


def test_the_canonical_text_is_sorted_compact_and_shortly_escaped() -> None:
    """Kernel 2.1 example 3: numbers as spelled, letters instead of escapes."""
    text = '{ "z": 1e400, "n": 9007199254740993, "label": "\\u003cvalue\\u003e" }'
    assert canonicalize(text) == '{"label":"<value>","n":9007199254740993,"z":1e400}'


def test_number_spellings_are_different_identities() -> None:
    """1, 1.0, 1e0, -0 and 0 are five settings of a metric, not two."""
    assert len({canonicalize(text) for text in ("1", "1.0", "1e0", "-0", "0")}) == 5


def test_members_are_sorted_by_utf16_code_units() -> None:
    """As RFC 8785 sorts: U+1F600 stands before U+FB33, which code points would turn around."""
    text = '{"\\ufb33":1,"\\ud83d\\ude00":2,"\\u20ac":3,"1":4,"\\r":5,"\\u0080":6,"\\u00f6":7}'
    assert list(parse(canonicalize(text))) == ["\r", "1", "\x80", "ö", "€", "\U0001f600", "\ufb33"]


def test_only_quotes_backslashes_and_controls_are_escaped() -> None:
    """HTML signs, slashes and line separators stand as they are."""
    text = '"\\/<>&\u2028\u2029é\U0001f600\\u0000\\u001f\\b\\t\\n\\f\\r\\"\\\\\x7f"'
    assert canonicalize(text) == (
        '"/<>&\u2028\u2029é\U0001f600\\u0000\\u001f\\b\\t\\n\\f\\r\\"\\\\\x7f"'
    )


@given(JSON, st.randoms())
def test_the_canonical_form_is_a_fixed_point(value: object, chance: random.Random) -> None:
    """Canonical text is its own canonical text, however the value came to be written."""
    text = canonicalize(loosely(value, chance))
    assert canonicalize(text) == text == write(value)


@given(JSON, st.randoms())
def test_space_order_and_escapes_never_change_the_identity(
    value: object, chance: random.Random
) -> None:
    """Two files of the same content are one dataset."""
    assert canonicalize(loosely(value, chance)) == canonicalize(loosely(value, chance))


@given(NUMBERS, NUMBERS, st.sampled_from(["{}", "[{}]", '{{"a":{}}}', '{{"a":[1,{}]}}']))
def test_number_spelling_always_changes_the_identity(one: str, other: str, frame: str) -> None:
    """At the top and at every depth."""
    same = canonicalize(frame.format(one)) == canonicalize(frame.format(other))
    assert same == (one == other)


@given(st.lists(JSON, min_size=2, max_size=4))
def test_order_of_an_array_is_part_of_the_identity(items: list[object]) -> None:
    """Arrays are sequences, objects are sets of members."""
    turned = [write(one) for one in reversed(items)]
    same = turned == [write(one) for one in items]
    assert (write(items) == write(items[::-1])) == same


@given(JSON)
def test_a_value_comes_back_from_its_text(value: object) -> None:
    """What the store holds is what the target answered."""
    assert decode(encode(value)) == whole(value)


@given(st.floats(2**53, 1e21) | st.floats(-1e21, -(2**53)))
def test_a_large_float_comes_back_as_an_integer_that_is_the_same_float(value: float) -> None:
    """ECMAScript spells it without an exponent, so its text cannot be told from an integer's."""
    back = decode(encode(value))
    assert isinstance(back, int | float)
    assert float(back) == value


@given(JSON)
def test_reading_and_writing_again_changes_nothing(value: object) -> None:
    """A case that was stored and loaded has the digest that it had in memory."""
    assert write(decode(write(value))) == write(value)


def kinds(value: object) -> object:
    """Return the value with the type of every part, and members in their order."""
    if isinstance(value, dict):
        return [(name, kinds(member)) for name, member in value.items()]
    if isinstance(value, list):
        return [kinds(one) for one in value]
    return type(value), repr(value)


@given(JSON)
def test_a_spelled_value_comes_back_with_its_types_and_its_order(value: object) -> None:
    """What a target answered is graded as it was answered: 3.0 is no 3, and order may matter."""
    assert kinds(decode(spell(value))) == kinds(value)
    assert write(decode(spell(value))) == write(decode(write(value)))


@given(JSON)
def test_a_stored_text_decodes_as_any_other(value: object) -> None:
    """Leaving out the checks changes no value."""
    for text in (spell(value), write(value)):
        assert decode_stored(text) == decode(text)


@pytest.mark.parametrize("text", ["", "{", "NaN", "1 2", "[" * 100_000])
def test_a_stored_text_that_was_damaged_is_refused(text: str) -> None:
    """A torn file is no answer."""
    with pytest.raises(MalformedJson):
        decode_stored(text)


@given(JSON)
def test_canonical_text_is_json_for_everybody(value: object) -> None:
    """Python's own reader, as a stand-in for every other, agrees."""
    assert json.loads(write(value)) == whole(value)
    assert "\n" not in write(value)


def test_a_digest_names_its_function() -> None:
    """Known: the SHA-256 of the two bytes `{}`, as `sha256sum` prints it."""
    assert digest("{}") == (
        "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    )


# --- strict reading --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value"),
        (" ", "Expecting value"),
        ("{", "Expecting property name"),
        ("1 2", "Extra data"),
        ("{} {}", "Extra data"),
        ("01", "Extra data"),
        ("1.", "Extra data"),
        ("+1", "Expecting value"),
        (".5", "Expecting value"),
        ("'a'", "Expecting value"),
        ("[1,]", "Expecting value|trailing comma"),
        ('{"a":1,}', "Expecting property name|trailing comma"),
        ("NaN", "expected a JSON number, got NaN"),
        ("[Infinity]", "got Infinity"),
        ('{"a":-Infinity}', "got -Infinity"),
        ("/* */1", "Expecting value"),
        ('"a\nb"', "Invalid control character"),
        ('"\\x41"', "Invalid"),
        ("\ufeff1", "BOM"),
        ("True", "Expecting value"),
        ('{"a":1,"a":1}', "got 'a' more than once"),
        ('{"value":{"key":1,"key":2}}', "got 'key' more than once"),
        ('[[{"a":1,"\\u0061":2}]]', "got 'a' more than once"),
        ('"\\ud800"', "lone surrogate"),
        ('{"\\udc00":1}', "lone surrogate"),
        ('[{"a":["\\ud83d"]}]', "lone surrogate"),
        ('"a\ud800"', "lone surrogate"),
        ("[" * 100_000 + "]" * 100_000, "fewer nested levels"),
    ],
)
@pytest.mark.parametrize("read", [parse, decode])
def test_what_is_not_one_strict_value_is_refused(read: object, text: str, reason: str) -> None:
    """Two readers of one text never see two different values."""
    with pytest.raises(MalformedJson, match=reason):
        read(text)  # type: ignore[operator]


@pytest.mark.parametrize("data", [b"\xff", b'"\xed\xa0\x80"', b'"\xc0\x80"'])
def test_bytes_that_are_no_utf8_are_refused(data: bytes) -> None:
    """Encoded surrogates and overlong forms are no UTF-8."""
    with pytest.raises(MalformedJson, match="expected UTF-8"):
        parse(data)


def test_a_fault_is_placed_by_line_and_column() -> None:
    """Whoever wrote the file has to find the place."""
    with pytest.raises(MalformedJson, match="at line 2, column 7") as caught:
        parse('{"a": 1,\n "b": }')
    assert (caught.value.line, caught.value.column) == (2, 7)


def test_a_surrogate_pair_is_one_character() -> None:
    """Only halves are refused."""
    assert parse('"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1), ("1.0", 1.0), ("1e2", 100.0), ("true", True), ("null", None), ('"1"', "1")],
)
def test_decoding_never_changes_the_kind(text: str, value: object) -> None:
    """A true is no 1, a "1" no 1, and an integer stays an integer."""
    assert decode(text) == value
    assert type(decode(text)) is type(value)


# --- writing Python values -------------------------------------------------------------------


class Colour(str, enum.Enum):  # noqa: UP042 - the older idiom, whose format() gives another text
    """A text that is an enum's member."""

    RED = "red"


class Level(enum.IntEnum):
    """A number that is an enum's member."""

    HIGH = 3


@dataclasses.dataclass
class Point:
    """Something that a target might return."""

    x: int
    tags: tuple[str, ...] = ()


class Answer(BaseModel):
    """A model that a target might return."""

    model_config = ConfigDict(extra="allow")

    text: str
    point: Point | None = None


class Items(RootModel[list[int] | None]):
    """A model that is nothing but its value."""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, "a", None), '[1,"a",null]'),
        (Point(1, ("a",)), '{"tags":["a"],"x":1}'),
        (Answer(text="hi", point=Point(2)), '{"point":{"tags":[],"x":2},"text":"hi"}'),
        (Answer.model_validate({"text": "hi", "more": 1}), '{"more":1,"point":null,"text":"hi"}'),
        (Items([1, 2]), "[1,2]"),
        (Items(None), "null"),
        ({Colour.RED: Colour.RED}, '{"red":"red"}'),
        ([Level.HIGH, True, 1.0], "[3,true,1]"),
        (OpenMap({"n": "1.0"}), '{"n":1.0}'),
        ([Metric(name="m")], '[{"name":"m"}]'),
    ],
)
def test_python_values_have_one_json_form(value: object, text: str) -> None:
    """Models and dataclasses are mappings, tuples are lists, enums their values."""
    assert write(value) == text


class Unreadable(Mapping[str, int]):
    """A mapping that fails when it is read."""

    def __getitem__(self, key: str) -> int:
        raise ValueError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


CYCLE: list[object] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"a", "the value: expected a JSON value, got bytes"),
        ({"a": [1, {2}]}, r"a\[1\]: expected a JSON value, got set"),
        ({"a": {"b": float("nan")}}, "a.b: expected a finite number, got float"),
        ([float("inf")], r"\[0\]: expected a finite number, got float"),
        ({1: 2}, "expected text keys, got dict"),
        ({"a": {None: 1}}, "a: expected text keys, got dict"),
        (["\ud800"], r"\[0\]: expected text without lone surrogates, got str"),
        ({"\ud800": 1}, "expected text without lone surrogates"),
        (object(), "expected a JSON value, got object"),
        (int, "expected a JSON value, got type"),
        (Point, "expected a JSON value, got type"),
        (MagicMock(), "expected a JSON value, got MagicMock"),
        ([Unreadable()], r"\[0\]: expected a mapping that can be read, got Unreadable"),
        (Answer.model_construct(), "expected an object whose fields can be read, got Answer"),
        (CYCLE, "at most 200 nested levels"),
    ],
)
def test_what_json_cannot_hold_is_named_by_its_path(value: object, message: str) -> None:
    """The author of a target learns where in the answer it stands, and no content of it."""
    with pytest.raises(NotJson, match=message):
        write(value)


def test_nesting_ends_the_same_way_wherever_the_caller_stands() -> None:
    """The limit is ours, not what the interpreter's stack happens to have left."""
    deep: object = 0
    for _ in range(200):
        deep = [deep]
    assert write(deep) == "[" * 200 + "0" + "]" * 200
    with pytest.raises(NotJson, match="at most 200 nested levels"):
        write([deep])


def test_a_stack_without_room_is_a_refusal_too() -> None:
    """A recursion error deep in a host's stack does not escape as one."""

    def below(levels: int) -> str:
        return below(levels - 1) if levels else write(value)

    value: object = 0
    for _ in range(190):
        value = [value]
    with pytest.raises(NotJson, match="fewer nested levels"):
        below(700)
