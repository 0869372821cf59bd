"""YAML 1.2 core schema, strict: what a scalar is, what is refused, and where things stand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import parse
from assay.tasks.documents.parse_yaml import MalformedYaml, parse_yaml
from assay.tasks.documents.plain_value import plain_value


def value(text: str) -> object:
    """The Python value of a document."""
    return plain_value(parse_yaml(text)[0])


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "on",
        "off",
        "yes",
        "y",
        "n",
        "No",
        "ON",
        "12:30",
        "1_000",
        "2001-12-14",
        "2001-12-14T21:59:43Z",
        "0b101",
        "0x",
        "1e",
        "1.2.3",
        "nan",
        "inf",
        "TrUe",
        "nULL",
        "=",
        "1,5",
        "+",
    ],
)
def test_what_only_yaml_1_1_converts_is_text(text: str) -> None:
    """An answer `no` is not False, 12:30 is not 750, and a date is what was typed."""
    assert value(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("true", True),
        ("False", False),
        ("7", 7),
        ("010", 10),
        ("-0", 0),
        ("+12", 12),
        ("0o14", 12),
        ("0x1F", 31),
        ("1.50", 1.5),
        (".5", 0.5),
        ("-.5e1", -5.0),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("9007199254740993", 9007199254740993),
        ("'7'", "7"),
        ('"true"', "true"),
        ("!!str 7", "7"),
        ("! 7", "7"),
        ("!!int '7'", 7),
        ("!!float 7", 7),
        ("[1, {b: c}]", [1, {"b": "c"}]),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ("|\n  one\n  two\n", "one\ntwo\n"),
    ],
)
def test_plain_scalars_follow_the_core_schema(text: str, expected: object) -> None:
    """YAML 1.2, chapter 10.3: 010 is ten, and quotes make text."""
    found = value(f"a: {text}")
    assert found == {"a": expected}
    assert type(found["a"]) is type(expected)  # type: ignore[index]


def test_numbers_keep_the_spelling_that_json_allows() -> None:
    """Kernel 2.1: 1.50 and 1.5 are two identities."""
    assert parse_yaml("[1.50, +1.5, 1e3, 007]")[0] == ["1.50", "1.5", "1e3", "7"]


def test_an_alias_is_a_copy_of_its_anchor() -> None:
    """Suites repeat settings this way; the copy is a value of its own."""
    found = value("a: &x {k: 1}\nb: *x\n")
    assert found == {"a": {"k": 1}, "b": {"k": 1}}
    assert found["a"] is not found["b"]  # type: ignore[index]


@pytest.mark.parametrize("char", ["\u0085", "\u2028", "\u2029"])
def test_separators_that_yaml_1_1_broke_lines_at_are_characters(char: str) -> None:
    """Fault B34: a prompt keeps them, in plain, quoted and block text alike."""
    text = f"a: x{char}y\nb: 'x{char}y'\nc: |\n  x{char}y\nd: 1 # {char} in a comment\n"
    assert value(text) == {"a": f"x{char}y", "b": f"x{char}y", "c": f"x{char}y\n", "d": 1}


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("", 1, 1, "got an empty file"),
        ("# only a comment\n", 2, 1, "got an empty file"),
        ("a: 1\nb: 2\na: 3\n", 3, 1, "expected each key once, got 'a' twice"),
        ("a: {b: 1, 'b': 2}", 1, 11, "expected each key once, got 'b' twice"),
        ("a: 1\n---\nb: 2\n", 2, 1, "expected one document, got a second one"),
        ("a: 1\n1: 2\n", 2, 1, "expected a text key, got 1; put it in quotes"),
        ("a: 1\nnull: 2\n", 2, 1, "expected a text key, got null"),
        ("? [a]\n: 2\n", 1, 3, "expected a text key, got a list or mapping"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", 3, 3, "has no merge key <<"),
        ("a: .nan", 1, 4, "expected a finite number, got .nan"),
        ("a: [1, -.Inf]", 1, 8, "expected a finite number, got -.Inf"),
        ("a: !!binary aGk=", 1, 4, "expected a value of a JSON kind, got tag"),
        ("a: !!timestamp 2001-12-14", 1, 4, "expected a value of a JSON kind"),
        ("a: !!set {x}", 1, 4, "expected a value of a JSON kind"),
        ("a: !thing {}", 1, 4, "got tag '!thing'"),
        ("a: !!int x", 1, 4, "expected a value of a JSON kind"),
        ("a: *x", 1, 4, "expected an anchor &x before its alias"),
        ("a: &x [*x]", 1, 8, "alias *x inside its own anchor"),
        ('a: "\\ud800"', 1, 4, "lone surrogate"),
        ("a: b: c", 1, 5, "mapping values are not allowed here"),
        ("a: [1", 1, 6, "expected ',' or ']'"),
        ("a: 1\nb: x\x00y", 2, 5, "expected printable text, got U+0000"),
        ("a:\n\tb: 1", 2, 1, "cannot start any token"),
        ("%YAML 1.1\n---\na: no\n", 2, 1, "expected YAML 1.2, got another version"),
    ],
)
def test_what_is_no_strict_document_is_refused_with_its_place(
    text: str, line: int, column: int, expected: str
) -> None:
    """A value that JSON cannot hold is refused where it stands, not where it is used."""
    with pytest.raises(MalformedYaml) as caught:
        parse_yaml(text)
    assert expected in caught.value.reason
    assert (caught.value.line, caught.value.column) == (line, column)


def test_aliases_of_aliases_are_bounded() -> None:
    """Ten lines must not become a billion values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for n in range(1, 9):
        again = ", ".join([f"*a{n - 1}"] * 10)
        lines.append(f"a{n}: &a{n} [{again}]")
    with pytest.raises(MalformedYaml, match="aliases to repeat at most 100000 values"):
        parse_yaml("\n".join(lines))


def test_deep_nesting_is_refused_rather_than_a_crash() -> None:
    """A RecursionError is no sentence."""
    with pytest.raises(MalformedYaml, match="nested"):
        parse_yaml("[" * 3000 + "]" * 3000)


def test_every_value_knows_its_place() -> None:
    """A member stands where its key does."""
    marks = parse_yaml("a: 1\nb:\n  - x\n  - c: 2\n")[1]
    assert marks[("a",)] == (1, 1)
    assert marks[("b", 0)] == (3, 5)
    assert marks[("b", 1, "c")] == (4, 5)


printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | printable,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(printable, inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_json_is_yaml(tree: object) -> None:
    """YAML 1.2 was made so that this holds; it lets one reader stand for two."""
    text = json.dumps(tree)
    assert parse_yaml(text)[0] == parse(text)
