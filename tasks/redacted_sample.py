"""One trial in a redacted report: digests, numbers and closed words, and nothing that was said."""

from itertools import pairwise
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from assay.evaluators.assessment import Status
from assay.evaluators.case import LONGEST_ID
from assay.evaluators.decision import Verdict
from assay.evaluators.errors import AssayError, ErrorClass, InvalidReport
from assay.evaluators.evidence import Evidence
from assay.evaluators.execution import ExecutionStatus, Usage
from assay.evaluators.finding import GRAVE, LONGEST_NAME, EvidenceRef, Severity
from assay.evaluators.metric import Direction
from assay.evaluators.record import Items, Record, require_bytes, require_text

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]
Amount = Annotated[float, Field(ge=0)]


class Redacted(Record):
    """A part of a redacted report; its texts are names, and short."""

    category: ClassVar[type[AssayError]] = InvalidReport
    names: ClassVar[dict[str, int]] = {}

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        for field, limit in self.names.items():
            text = getattr(self, field)
            if text is not None:
                require_text(text, field, InvalidReport, empty=True, trimmed=False)
                require_bytes(text, field, InvalidReport, limit)
        return self


class RedactedMetric(Redacted):
    """A metric without its parameters, which its digest stands for."""

    names: ClassVar[dict[str, int]] = dict.fromkeys(("namespace", "name", "unit"), LONGEST_NAME)

    namespace: str
    name: str
    unit: str
    direction: Direction
    digest: Digest


class RedactedFinding(Redacted):
    """A finding without its message."""

    names: ClassVar[dict[str, int]] = {"code": LONGEST_NAME}

    code: str
    severity: Severity
    references: Items[EvidenceRef]


class RedactedAnswer(Redacted):
    """A report of an evaluator without feedback and metadata.

    Attributes:
        policy: Name of the rule that decided, or None.
        rule: Digest of the rule, that of the details included, or None.
        findings: In the order of their codes.
        evidence: In the order of their ids, without excerpts and messages.
        details: Answers that this one rests on.
    """

    names: ClassVar[dict[str, int]] = {"policy": LONGEST_NAME, "label": LONGEST_NAME}

    metric: RedactedMetric
    policy: str | None
    rule: Digest | None
    verdict: Verdict
    score: Annotated[float, Field(ge=0, le=1)] | None
    measurement: float | None
    label: str | None
    findings: Items[RedactedFinding]
    evidence: Items[Evidence]
    details: "Items[RedactedAnswer]"

    @model_validator(mode="after")
    def _check(self) -> Self:
        if bool(self.verdict) != (self.policy is not None):
            raise self.refuse("expected a policy beside each verdict, and beside nothing else")
        _require_rising([one.code for one in self.findings], "findings")
        _require_rising([one.id for one in self.evidence], "evidence")
        known = {one.id for one in self.evidence}
        for finding in self.findings:
            if self.verdict == "pass" and finding.severity in GRAVE:
                raise self.refuse("expected no high or critical finding beside a pass")
            cited = {one.evidence_id for one in finding.references} - {None}
            if not cited <= known:
                raise self.refuse("expected references to evidence that is there")
        if any(getattr(one, said, "") for one in self.evidence for said in ("redacted", "message")):
            raise self.refuse("expected evidence without excerpts and messages")
        return self


class RedactedGrade(Redacted):
    """What became of one assessment of a trial.

    Attributes:
        assessment: Id of the result.
        evaluator: Digest of the evaluator's identity.
        answer: What a completed one says; None for any other.
        attempt: From 1; 0 where there is no grade.
        reused_from: The grading that it was carried over from, or None.
    """

    names: ClassVar[dict[str, int]] = {"assessment": LONGEST_ID, "reused_from": LONGEST_ID}

    assessment: str
    evaluator: Digest
    status: Status
    error_class: ErrorClass | None
    answer: RedactedAnswer | None
    attempt: Count
    reused_from: str | None
    duration_seconds: Amount | None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.status == "completed") != (self.answer is not None):
            raise self.refuse("expected an answer of completed grades alone, and of each of them")
        if (self.status in {"failed", "canceled"}) != (self.error_class is not None):
            raise self.refuse("expected an error class of failed and canceled grades alone")
        return self


class RedactedExecution(Redacted):
    """What the target left: the receipt's numbers, or the class of its failure."""

    status: ExecutionStatus | None
    error_class: ErrorClass | None
    receipt: Digest | None
    output_present: bool
    attempts: Annotated[int, Field(ge=1)]
    usage: Usage | None
    cost: Amount | None
    duration_seconds: Amount | None

    @model_validator(mode="after")
    def _check(self) -> Self:
        is_receipt = self.receipt is not None
        if is_receipt != (self.status is not None) or is_receipt == (self.error_class is not None):
            raise self.refuse("expected a receipt with its status, or a failure with its class")
        return self


class RedactedSample(Redacted):
    """One planned trial.

    Attributes:
        index: Its place in the plan, from 0.
        repeat: From 0.
        case: Digest of the case's content, expected value and metadata included.
        input: Digest of its input.
        execution: None where it was not run.
        grades: In the order of their assessments' ids; a trial without a receipt has none.
    """

    names: ClassVar[dict[str, int]] = {"case_id": LONGEST_ID}

    index: Count
    case_id: str
    repeat: Count
    case: Digest
    input: Digest
    execution: RedactedExecution | None
    grades: Items[RedactedGrade]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.grades and not self.has_receipt:
            raise self.refuse("expected grades of receipts alone")
        _require_rising([grade.assessment for grade in self.grades], "grades")
        return self

    @property
    def has_receipt(self) -> bool:
        """True if there is something that can be graded."""
        return self.execution is not None and self.execution.receipt is not None


def _require_rising(keys: list[str], what: str) -> None:
    if any(one >= other for one, other in pairwise(keys)):
        message = f"{what}: expected each once, and in order"
        raise InvalidReport(message)
