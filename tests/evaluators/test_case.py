"""One fixed input of an experiment."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import decode, write
from assay.evaluators.case import Case
from assay.evaluators.errors import InvalidCase, NotJson
from assay.evaluators.function import evaluator
from assay.evaluators.open_map import OpenMap

CHECK = Assessment("check", evaluator(name="check", revision="1")(lambda _: True))
CASE = Case(id="a", input={"q": 1}, expected=[1], metadata=OpenMap.of({"k": 1}))


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"id": ""}, id="empty"),
        pytest.param({"id": " a"}, id="untrimmed"),
        pytest.param({"id": "a\u3000"}, id="untrimmed beyond ASCII"),
        pytest.param({"id": "a\ud800"}, id="surrogate"),
        pytest.param({"id": 1}, id="number"),
        pytest.param({"id": None}, id="null"),
        pytest.param({"id": "é" * 513}, id="1026 bytes"),
        pytest.param({"metadata": {"": 1}}, id="empty key"),
        pytest.param({"metadata": {"k": float("nan")}}, id="NaN"),
        pytest.param({"metadata": [1]}, id="list of metadata"),
        pytest.param({"suite": [1]}, id="number as assessment"),
        pytest.param({"output": 1}, id="foreign member"),
    ],
)
def test_a_broken_rule_is_an_invalid_case(members: dict[str, object]) -> None:
    """Kernel 6.1: ids are text and stay text."""
    with pytest.raises(InvalidCase):
        Case.model_validate({"id": "a", "input": 1, **members})


@pytest.mark.parametrize("identity", ["评估\x00é", "\x1c", "1", "a b/c", "é" * 512])
def test_anything_else_is_an_id(identity: str) -> None:
    """Kernel 1.2: it comes back as it was given."""
    assert Case(id=identity, input=None).id == identity


@pytest.mark.parametrize("expected", [0, False, "", [], {}])
def test_an_empty_answer_is_an_answer(expected: object) -> None:
    """Only None says that there is none."""
    assert Case(id="a", input=1, expected=expected).has_expected
    assert not Case(id="a", input=1).has_expected


@pytest.mark.parametrize(
    "other",
    [
        Case(id="b", input={"q": 1}, expected=[1], metadata=CASE.metadata),
        Case(id="a", input={"q": 2}, expected=[1], metadata=CASE.metadata),
        Case(id="a", input={"q": 1}, expected=[2], metadata=CASE.metadata),
        Case(id="a", input={"q": 1}, expected=[1]),
        Case(id="a", input={"q": 1}, metadata=CASE.metadata),
    ],
)
def test_id_input_expected_and_metadata_are_the_content(other: Case) -> None:
    """A grade of another content is never reused; another input is another question."""
    assert other.digest != CASE.digest
    assert (other.input_digest == CASE.input_digest) == (other.input == CASE.input)


def test_the_suite_is_no_content() -> None:
    """Who grades a case does not change what the case is."""
    case = Case(id="a", input={"q": 1}, expected=[1], metadata=CASE.metadata, suite=[CHECK])
    assert case.digest == CASE.digest


@given(
    st.dictionaries(st.text(max_size=3), st.integers() | st.floats(0, 1) | st.none(), max_size=3)
)
def test_a_case_that_was_stored_and_loaded_has_the_digest_that_it_had(
    value: dict[str, object],
) -> None:
    """The digest is that of the JSON text, not of the Python object."""
    case = Case(id="a", input=value, expected=value or None)
    loaded = Case(
        id="a",
        input=decode(case.input_text),
        expected=None if case.expected_text is None else decode(case.expected_text),
    )
    assert loaded.digest == case.digest
    assert json.loads(case.input_text) == value


def test_member_order_of_the_input_is_presentation() -> None:
    """Two writers of one file give one identity."""
    one, other = Case(id="a", input={"x": 1, "y": 2}), Case(id="a", input={"y": 2, "x": 1})
    assert one.digest == other.digest


def test_an_input_without_json_form_has_no_digest() -> None:
    """It can be evaluated in memory, with an identity that the host gives."""
    case = Case(id="a", input=object())
    with pytest.raises(NotJson):
        _ = case.digest
    assert case.id == "a"


def test_the_case_keeps_a_snapshot_of_metadata_and_suite() -> None:
    """Ownership (kernel 1.3); the input is borrowed."""
    metadata, suite = {"k": [1]}, [CHECK]
    case = Case.model_validate({"id": "a", "input": 1, "metadata": metadata, "suite": suite})
    metadata["k"].append(2)
    suite.clear()
    assert case.metadata.decoded() == {"k": [1]}
    assert case.assessments == (CHECK,)


def test_entries_as_written_are_no_assessments_yet() -> None:
    """They become some when the suite is read; until then nobody runs them."""
    case = Case(id="a", input=1, suite=[{"id": "x", "use": "text.contains"}])
    with pytest.raises(InvalidCase, match=r"case\.suite"):
        _ = case.assessments


def test_numbers_in_metadata_keep_their_spelling() -> None:
    """Kernel 1.5: also beyond what a float can hold."""
    case = Case(id="a", input=1, metadata=OpenMap({"n": "1e1000", "m": "1.0"}))
    assert write(case.metadata) == '{"m":1.0,"n":1e1000}'
