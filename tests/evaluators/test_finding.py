"""What an evaluator noticed."""

import pytest

from assay.evaluators.canonical import parse, write
from assay.evaluators.errors import InvalidReport
from assay.evaluators.finding import EvidenceRef, Finding


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({}, id="evidence A9: neither id nor index"),
        pytest.param({"message_index": -1}, id="negative"),
        pytest.param({"message_index": 1.0}, id="float"),
        pytest.param({"message_index": True}, id="boolean"),
        pytest.param({"evidence_id": ""}, id="empty id"),
        pytest.param({"evidence_id": "a" * 257}, id="257 bytes"),
        pytest.param({"evidence_id": 3}, id="number as id"),
    ],
)
def test_a_reference_points_somewhere(members: dict[str, object]) -> None:
    """Evidence 3: an id, a message position, or both."""
    with pytest.raises(InvalidReport):
        EvidenceRef.model_validate(members)


@pytest.mark.parametrize("index", ["1.0", "1e0", "-1", "-0", "true", '"1"', "1" * 5000 + ".0"])
def test_a_position_on_the_wire_is_an_integer(index: str) -> None:
    """Also one that would be equal to an integer is spelled as one or refused."""
    with pytest.raises(InvalidReport):
        EvidenceRef.from_wire(parse(f'{{"message_index":{index}}}'))


@pytest.mark.parametrize("text", ['{"evidence_id":3}', "{}", "null", "[]", '{"evidence_id":null}'])
def test_a_reference_on_the_wire_is_strict(text: str) -> None:
    """A number is no id, and nothing is no reference."""
    with pytest.raises(InvalidReport):
        EvidenceRef.from_wire(parse(text))


@pytest.mark.parametrize(
    "reference",
    [
        EvidenceRef(evidence_id="a"),
        EvidenceRef(message_index=0),
        EvidenceRef(evidence_id="a b\n", message_index=2**70),
    ],
)
def test_a_reference_comes_back_from_its_text(reference: EvidenceRef) -> None:
    """A position of 0 is present."""
    assert EvidenceRef.from_wire(parse(write(reference))) == reference


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"code": ""}, id="no code"),
        pytest.param({"code": "é" * 129}, id="evidence S1: 258 bytes"),
        pytest.param({"severity": "fatal"}, id="evidence S4: unknown severity"),
        pytest.param({"severity": ""}, id="no severity"),
        pytest.param({"message": "a" * 2049}, id="2049 bytes"),
        pytest.param({"message": "\ud800"}, id="surrogate"),
        pytest.param({"references": [{}]}, id="empty reference"),
        pytest.param({"unknown": 1}, id="unknown member"),
    ],
)
def test_a_broken_rule_is_an_invalid_report(members: dict[str, object]) -> None:
    """The message never repeats what came in place of a closed word."""
    with pytest.raises(InvalidReport) as caught:
        Finding.model_validate({"code": "c", "severity": "low", **members})
    assert "fatal" not in str(caught.value)


@pytest.mark.parametrize("code", ["é" * 128, "  ", "a\n b\x00"])
def test_a_code_is_any_text_of_up_to_256_bytes(code: str) -> None:
    """Evidence S1 and S2: white space and controls are legal, bytes are counted."""
    finding = Finding(code=code, severity="info", message="é" * 1024)
    assert Finding.from_wire(parse(write(finding))) == finding


def test_the_wire_leaves_out_what_is_empty() -> None:
    """A finding is often a code and a severity alone."""
    assert write(Finding(code="c", severity="low")) == '{"code":"c","severity":"low"}'
