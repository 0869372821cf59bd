"""The closed union of facts that a verdict can cite."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.canonical import parse, write
from assay.evaluators.errors import InvalidReport
from assay.evaluators.evidence import (
    ConversationExcerpt,
    EvaluatorDiagnostic,
    Evidence,
    MessageIndex,
    StructuredOutput,
    StructuredOutputError,
    Timing,
    ToolOperation,
    UsageCounts,
    evidence_from_wire,
)
from assay.evaluators.report import Report

MINIMAL = {
    "conversation_excerpt": ConversationExcerpt(id="e", message_index=0),
    "message_index": MessageIndex(id="e", index=0),
    "timing": Timing(id="e", duration_seconds=0.0),
    "usage": UsageCounts(id="e", reasoning_tokens=9, output_tokens=0),
    "tool_operation": ToolOperation(id="e", tool_name="t"),
    "structured_output_error": StructuredOutputError(id="e", reason="invalid_json"),
    "structured_output": StructuredOutput(id="e"),
    "evaluator_diagnostic": EvaluatorDiagnostic(id="e", code="c", severity="info"),
}


@pytest.mark.parametrize("kind", MINIMAL)
def test_every_kind_comes_back_from_its_text(kind: str) -> None:
    """Evidence V4 and V6 among them: empty identities and odd counts are recorded as reported."""
    evidence: Evidence = MINIMAL[kind]
    assert evidence.kind == kind
    assert evidence_from_wire(parse(write(evidence))) == evidence


@settings(max_examples=25)
@given(st.from_type(Report))
def test_evidence_of_any_report_comes_back(report: Report) -> None:
    """Field by field, within the report that carries it."""
    for one in report.evidence:
        assert evidence_from_wire(parse(write(one))) == one


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"id":"e"}', id="no kind"),
        pytest.param('{"id":"e","kind":"wombat"}', id="evidence G4: unknown kind"),
        pytest.param('{"id":"e","kind":"timing"}', id="evidence V1: no payload"),
        pytest.param(
            '{"id":"e","kind":"timing","duration_seconds":1,"redacted":"x"}',
            id="evidence V2: two payloads",
        ),
        pytest.param(
            '{"id":"e","kind":"timing","message_index":1}', id="evidence V3: another kind's payload"
        ),
        pytest.param(
            '{"id":"e","kind":"conversation_excerpt","message_index":-1}', id="evidence V5: index"
        ),
        pytest.param(
            '{"id":"e","kind":"conversation_excerpt","message_index":1,'
            f'"redacted":"{"x" * 513}"}}',
            id="evidence V5: excerpt of 513 bytes",
        ),
        pytest.param(
            '{"id":"e","kind":"structured_output_error","reason":"gremlins"}', id="evidence V7"
        ),
        pytest.param(
            '{"id":"e","kind":"tool_operation","tool_name":"t","args_bytes":-1}', id="evidence V8"
        ),
        pytest.param('{"id":"e","kind":"tool_operation","tool_name":""}', id="no tool name"),
        pytest.param(
            f'{{"id":"e","kind":"tool_operation","tool_name":"{"é" * 129}"}}', id="258 bytes"
        ),
        pytest.param('{"id":"","kind":"message_index","index":0}', id="no id"),
        pytest.param('{"id":"e","kind":"message_index","index":true}', id="boolean"),
        pytest.param('{"id":"e","kind":"message_index","index":1.5}', id="fraction"),
        pytest.param(
            f'{{"id":"e","kind":"message_index","index":1{"0" * 5000}}}', id="5001 digits"
        ),
        pytest.param('{"id":"e","kind":"timing","duration_seconds":1e400}', id="infinite"),
        pytest.param('{"id":"e","kind":"timing","duration_seconds":"1"}', id="text"),
        pytest.param('["timing"]', id="array"),
        pytest.param("null", id="null"),
    ],
)
def test_evidence_has_exactly_the_payload_of_its_kind(text: str) -> None:
    """Evidence 3: and a closed word that is not one is never repeated in the message."""
    with pytest.raises(InvalidReport) as caught:
        evidence_from_wire(parse(text))
    assert "wombat" not in str(caught.value)
    assert "gremlins" not in str(caught.value)


def test_an_excerpt_is_bounded_in_bytes() -> None:
    """Evidence V5: 512 of them; only the caller can redact, the bound limits what slips through."""
    fits = ConversationExcerpt(id="e", message_index=0, redacted="é" * 256)
    assert fits.redacted
    with pytest.raises(InvalidReport, match="512 bytes"):
        ConversationExcerpt(id="e", message_index=0, redacted="é" * 256 + "x")


def test_null_optional_members_are_absent() -> None:
    """As everywhere on the wire."""
    text = '{"id":"e","kind":"timing","duration_seconds":1,"label":null}'
    assert evidence_from_wire(parse(text)) == Timing(id="e", duration_seconds=1.0)
