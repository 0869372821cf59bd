"""Whether the answer is JSON that fits a schema."""

import socket
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import write
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.report import Report
from assay.evaluators.structure import json_schema, unfenced

Ask = Callable[..., Report]

OBJECT = {"type": "object"}
F14 = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 0}, "s": {"type": "string"}},
    "required": ["n"],
    "additionalProperties": False,
}

FENCES = [
    ("F1", '{"a":1}', "pass", "pass"),
    ("F2", '```json\n{"a":1}\n```', "pass", "pass"),
    ("F4 prose then block", 'Here:\n```json\n{"a":1}\n```', "fail", "pass"),
    ("F5 block then prose", '```json\n{"a":1}\n```\nDone.', "fail", "pass"),
    ("F6 two blocks", '```\n{"a":1}\n```\n```\n{"b":2}\n```', "fail", "pass"),
    ("F7 tildes", '~~~\n{"a":1}\n~~~', "pass", "pass"),
    ("F8 outer spaces", '  \n```json\n{"a":1}\n```  \n', "pass", "pass"),
    ("F9 one line", '```JSON {"a":1} ```', "fail", "pass"),
    ("F10 ticks in a string", '```json\n{"a":"```"}\n```', "pass", "pass"),
    ("F11 CRLF", '```json\r\n{"a":1}\r\n```\r\n', "pass", "pass"),
    ("F12 four backticks", '````\n{"a":1}\n````', "pass", "pass"),
    ("F13 unterminated", '```json\n{"a":1}', "fail", "pass"),
    ("closed by fewer", '````\n{"a":1}\n```', "fail", "pass"),
    ("closed by others", '```\n{"a":1}\n~~~', "fail", "pass"),
    ("closed by more", '```\n{"a":1}\n`````', "pass", "pass"),
    ("an object in prose", 'It is {"a": 1}, I think.', "fail", "pass"),
    ("no object", "I do not know {", "fail", "fail"),
]


@pytest.mark.parametrize(("number", "output", "strict", "lenient"), FENCES)
def test_one_fence_may_stand_around_the_whole_answer(
    ask: Ask, number: str, output: str, strict: str, lenient: str
) -> None:
    """Library 17.7, F1 to F13, in both columns."""
    del number
    assert ask(json_schema, output, settings={"schema": OBJECT}).verdict == strict
    settings = {"schema": OBJECT, "lenient": True}
    assert ask(json_schema, output, settings=settings).verdict == lenient


def test_a_fenced_list_is_found(ask: Ask) -> None:
    """Library 17.7 F3."""
    report = ask(json_schema, "```\n[1,2]\n```", settings={"schema": {"type": "array"}})
    assert report.verdict == "pass"


def test_of_two_blocks_the_lenient_reading_takes_the_first(ask: Ask) -> None:
    """Library 17.7 F6."""
    schema = {"required": ["a"]}
    output = 'x\n```\n{"a":1}\n```\n```\n{"b":2}\n```'
    settings = {"schema": schema, "lenient": True}
    assert ask(json_schema, output, settings=settings).verdict == "pass"


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ('{"n":1}', "pass"),
        ('{"n":1.0}', "pass"),
        ('{"n":1e2}', "pass"),
        ('{"n":1.5}', "fail"),
        ('{"n":-1}', "fail"),
        ('{"n":"1"}', "fail"),
        ('{"n":true}', "fail"),
        ('{"n":1,"x":2}', "fail"),
        ("{}", "fail"),
        ("[]", "fail"),
        ("null", "fail"),
        ('{"n":1} {"n":2}', "fail"),
        ("", "fail"),
        ('{"n":NaN}', "fail"),
        ('{"n":1,"n":2}', "fail"),
        ({"n": 1}, "pass"),
        ({"n": float("nan")}, "fail"),
        pytest.param(b'{"n":1}', "pass", id="bytes"),
        (None, "fail"),
    ],
)
def test_values_are_judged_as_strict_json(ask: Ask, output: object, verdict: str) -> None:
    """Library 17.7 F14; values that are not text are converted first."""
    report = ask(json_schema, output, settings={"schema": F14})
    assert report.verdict == verdict
    assert bool(report.feedback) == (verdict == "fail")


def test_the_reason_names_the_place(ask: Ask) -> None:
    """A schema of fifty members would be no help."""
    report = ask(json_schema, {"n": 1, "s": 2}, settings={"schema": F14})
    assert report.feedback == "$.s: 2 is not of type 'string'"
    long = ask(json_schema, {"n": 1, "s": ["x" * 5000]}, settings={"schema": F14}).feedback
    assert len(long) <= 300


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "text"}, r"schema: expected a JSON Schema, got one with \$.type: 'text' is not"),
        ({"minimum": "1"}, "expected a JSON Schema"),
        ("object", 'expected a JSON Schema, got "object"'),
        ({"$schema": "http://example.org/mine"}, r"\$schema: expected a draft from 4 to 2020-12"),
        ({"$ref": "#/$defs/no"}, r"expected \$ref to lead somewhere .*, got \"#/\$defs/no\""),
        ({"items": {"$ref": "https://example.org/s.json"}}, r"expected \$ref to lead somewhere"),
    ],
)
def test_a_schema_that_is_wrong_is_refused_at_once(schema: object, reason: str) -> None:
    """Library 4: a constructor error, before any target is called."""
    with pytest.raises(InvalidEvaluatorConfig, match=reason):
        json_schema.configured({"schema": schema})


def test_references_never_reach_the_network(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema is data; grading it must not call anybody."""

    def refuse(*_: object) -> None:
        pytest.fail("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(InvalidEvaluatorConfig):
        json_schema.configured({"schema": {"$ref": "http://json.schemastore.org/package"}})
    schema = {"$ref": "https://json-schema.org/draft/2020-12/schema"}
    assert ask(json_schema, {"type": "object"}, settings={"schema": schema}).verdict == "pass"
    assert ask(json_schema, {"type": 1}, settings={"schema": schema}).verdict == "fail"


def test_references_within_the_schema_are_followed(ask: Ask) -> None:
    """Names, anchors and recursion."""
    schema = {
        "$defs": {"tree": {"$anchor": "t", "items": {"$ref": "#t"}, "type": "array"}},
        "$ref": "#/$defs/tree",
    }
    assert ask(json_schema, [[], [[]]], settings={"schema": schema}).verdict == "pass"
    assert ask(json_schema, [[], [1]], settings={"schema": schema}).verdict == "fail"


def test_the_declared_draft_holds(ask: Ask) -> None:
    """A list under `items` is a tuple until 2019-09, and nothing in 2020-12."""
    items = [{"type": "string"}]
    seven = {"$schema": "http://json-schema.org/draft-07/schema#", "items": items}
    assert ask(json_schema, [1], settings={"schema": seven}).verdict == "fail"
    with pytest.raises(InvalidEvaluatorConfig):
        json_schema.configured({"schema": {"items": items}})


def test_patterns_run_where_they_can_be_killed() -> None:
    """Fault B32: a pattern within a schema can hold the interpreter as well."""
    plain = json_schema.configured({"schema": {"maxLength": 3}})
    nested = json_schema.configured({"schema": {"items": {"pattern": "(a+)+$"}}})
    assert (plain.isolation, nested.isolation) == ("thread", "process")


def test_a_member_named_pattern_is_no_pattern() -> None:
    """Only keywords are, not the names of members."""
    schema = {"properties": {"pattern": {"type": "string"}}}
    assert json_schema.configured({"schema": schema}).isolation == "thread"


def test_booleans_are_schemas(ask: Ask) -> None:
    """True accepts all JSON, false none."""
    assert ask(json_schema, "1", settings={"schema": True}).verdict == "pass"
    assert ask(json_schema, "1", settings={"schema": False}).verdict == "fail"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


@given(JSON)
def test_a_value_fits_itself_alone(ask: Ask, value: object) -> None:
    """`const` of the value, in a fence or not."""
    schema = {"schema": {"const": value}}
    assert ask(json_schema, write(value), settings=schema).verdict == "pass"
    assert ask(json_schema, f"```\n{write(value)}\n```", settings=schema).verdict == "pass"
    assert ask(json_schema, [value, 0], settings=schema).verdict == "fail"


@given(st.text("`~ \n\rja{}", max_size=16))
def test_unfencing_only_removes(text: str) -> None:
    """Nothing is made up, and what has no fence stays as it is."""
    assert unfenced(text) in text
    if "```" not in text and "~~~" not in text:
        assert unfenced(text) == text
