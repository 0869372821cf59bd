"""Whether the target said that its answer follows its schema."""

import pytest

from assay.evaluators.case import Case
from assay.evaluators.errors import EvaluatorError, IncompleteRecording
from assay.evaluators.execution import Execution, Usage
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.structure import schema_result

USAGE = {"kind": "usage", "id": "u", "input_tokens": 3}
SUCCESS = {"kind": "structured_output", "id": "ok"}


def error(reason: str) -> dict[str, object]:
    """A failure of structured output."""
    return {"kind": "structured_output_error", "id": "bad", "reason": reason}


def report_of(*evidence: object) -> Report:
    """What schema_result says of a receipt with this evidence."""
    execution = Execution(output={"a": 1}, usage=Usage(), metadata={"evidence": list(evidence)})
    return schema_result.grade(Sample(Case(id="c", input=1), execution))


@pytest.mark.parametrize(
    ("number", "evidence", "reason"),
    [
        ("Z2", [USAGE, error("schema_mismatch")], "schema_mismatch"),
        ("Z5", [SUCCESS, error("missing_field")], "missing_field"),
        ("Z6", [error("invalid_json")], "invalid_json"),
    ],
)
def test_a_recorded_failure_fails(number: str, evidence: list[object], reason: str) -> None:
    """Evidence 14.3: also after a success, and the finding cites the entry."""
    del number
    report = report_of(*evidence)
    (finding,) = report.findings
    assert (report.verdict, report.score) == ("fail", 0.0)
    assert (finding.code, finding.severity) == ("schema_result_invalid", "high")
    assert reason in finding.message
    assert [one.evidence_id for one in finding.references] == ["bad"]
    assert [one.kind for one in report.evidence] == ["structured_output_error"]


def test_a_recorded_success_passes() -> None:
    """Evidence 14.3 Z3: with an info finding that cites it."""
    report = report_of(USAGE, SUCCESS)
    (finding,) = report.findings
    assert (report.verdict, report.score) == ("pass", 1.0)
    assert (finding.code, finding.severity) == ("schema_result_satisfied", "info")
    assert [one.evidence_id for one in finding.references] == ["ok"]


@pytest.mark.parametrize(("number", "evidence"), [("Z1", [USAGE]), ("Z4", [])])
def test_without_positive_evidence_it_is_unverified(number: str, evidence: list[object]) -> None:
    """Evidence 14.3: usage exists for every completion; the suite's finding is our own code."""
    del number
    with pytest.raises(IncompleteRecording, match=r"^schema_result_unverified: "):
        report_of(*evidence)


def test_a_receipt_without_any_evidence_is_unverified() -> None:
    """Even where the output happens to be structured."""
    with pytest.raises(IncompleteRecording):
        schema_result.grade(Sample(Case(id="c", input=1), Execution(output={"a": 1})))


@pytest.mark.parametrize("evidence", ["text", {"kind": "guess", "id": "a"}, error("gremlins")])
def test_evidence_that_is_none_is_invalid_input(evidence: object) -> None:
    """A malformed record proves nothing, neither way."""
    with pytest.raises(EvaluatorError, match=r"^metadata\.evidence: ") as caught:
        report_of(evidence)
    assert caught.value.error_class == "invalid_input"
