"""Whether the target said that its answer follows its schema."""

from collections.abc import Iterator

from assay.evaluators.canonical import parse
from assay.evaluators.errors import EvaluatorError, IncompleteRecording, InvalidReport
from assay.evaluators.evidence import (
    Evidence,
    StructuredOutput,
    StructuredOutputError,
    evidence_from_wire,
)
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample

EVIDENCE = "evidence"
"""The member of a receipt's metadata that holds what the target's host recorded of the call."""


@ready_made(
    revision="1",
    guide=Guide(
        receipt={
            "output": {"city": "Paris"},
            "metadata": {"evidence": [{"kind": "structured_output", "id": "answer"}]},
        },
    ),
)
def schema_result(sample: Sample) -> Checked:
    """Pass when the receipt records that structured output succeeded, and never that it failed.

    The receipt's `metadata.evidence` is a list of evidence. A `structured_output_error` fails, also
    beside a success; a `structured_output` passes; without either the result is unverified, because
    an answer, tokens or a time prove nothing about a schema. The finding cites the evidence.

    Args:
        sample: Whose receipt is read.
    """
    found = list(_recorded(sample))
    failed = next((one for one in found if isinstance(one, StructuredOutputError)), None)
    if failed is not None:
        reason = f"structured output failed: {failed.reason}"
        return _cited(
            failed, Finding(code="schema_result_invalid", severity="high", message=reason)
        )
    succeeded = next((one for one in found if isinstance(one, StructuredOutput)), None)
    if succeeded is not None:
        return _cited(succeeded, Finding(code="schema_result_satisfied", severity="info"))
    msg = "schema_result_unverified: the receipt records neither structured output nor its failure"
    raise IncompleteRecording(msg)


def _cited(evidence: Evidence, finding: Finding) -> Checked:
    reference = EvidenceRef(evidence_id=evidence.id)
    return Checked(
        passed=finding.severity == "info",
        reason=finding.message,
        findings=(finding.model_copy(update={"references": (reference,)}),),
        evidence=(evidence,),
    )


def _recorded(sample: Sample) -> Iterator[Evidence]:
    metadata = sample.execution.metadata
    listed = parse(metadata[EVIDENCE]) if EVIDENCE in metadata else []
    if not isinstance(listed, list):
        msg = f"metadata.{EVIDENCE}: expected a list"
        raise EvaluatorError("invalid_input", msg)
    try:
        yield from map(evidence_from_wire, listed)
    except InvalidReport as error:
        msg = f"metadata.{EVIDENCE}: {error}"
        raise EvaluatorError("invalid_input", msg) from error
