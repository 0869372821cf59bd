"""A declared check, and the one thing that came of it: a report, or why there is none."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from typing_extensions import override

from assay.evaluators.canonical import is_text, is_trimmed
from assay.evaluators.decision import Verdict
from assay.evaluators.errors import (
    Canceled,
    ErrorClass,
    IncompleteRecording,
    InvalidAssessment,
    InvalidEvaluatorConfig,
    InvalidReport,
    NotEvaluated,
    Skip,
    classify,
    describe,
    is_a,
    is_wholly,
)
from assay.evaluators.evaluator import Evaluator, outputs_of, require_evaluator
from assay.evaluators.finding import Finding
from assay.evaluators.report import Report

Status = Literal["completed", "skipped", "unverified", "canceled", "failed", "not_evaluated"]
"""What became of an assessment; derived, never stored beside what it derives from."""

COMPLETE: frozenset[Status] = frozenset(("completed", "skipped"))
"""Statuses that leave nothing to do."""

MISSING_EVIDENCE = "missing_required_evidence"
"""The code of the finding that stands for absent evidence."""

_LONGEST_MESSAGE = 2048


class MissingEvidence(IncompleteRecording):
    """The receipt lacks kinds of evidence that the evaluator requires; it was not called.

    Attributes:
        kinds: The missing kinds, in the order in which they are required.
    """

    def __init__(self, kinds: tuple[str, ...]) -> None:
        super().__init__(f"the receipt lacks {', '.join(kinds)}")
        self.kinds = kinds

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Keep the kinds when the error crosses a process."""
        return type(self), (self.kinds,)


def require_id(identity: object) -> None:
    """Raise InvalidAssessment unless the id is UTF-8 text, not empty, and trimmed."""
    if not isinstance(identity, str):
        msg = f"assessment.id: expected text, got {type(identity).__name__}"
        raise InvalidAssessment(msg)
    _require_legible(identity)


@lru_cache(maxsize=4096)  # every result of every receipt names one of a few ids
def _require_legible(identity: str) -> None:
    if not is_text(identity):
        msg = "assessment.id: expected text that UTF-8 can hold"
        raise InvalidAssessment(msg)
    if not identity or not is_trimmed(identity):
        msg = "assessment.id: expected text without white space at the ends"
        raise InvalidAssessment(msg)


@dataclass(frozen=True, slots=True)
class Assessment:
    """An id and the evaluator that it stands for.

    Attributes:
        id: Unique in its suite; non-empty and trimmed.
        evaluator: Who looks.
        entry: The JSON text of the suite entry as it was written, or empty where it was made in
            Python; a plan keeps it so that the run can be graded again.

    Raises:
        InvalidAssessment: when the id breaks a rule or the evaluator is missing.
    """

    id: str
    evaluator: Evaluator[object]
    entry: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        require_id(self.id)
        try:
            require_evaluator(self.evaluator, f"assessment {self.id[:60]!r}")
        except InvalidEvaluatorConfig as error:
            raise InvalidAssessment(str(error)) from error

    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the evaluator's outputs, when it declares several."""
        return outputs_of(self.evaluator)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its results: its own, or `<id>.<output>` for each declared output."""
        return tuple(f"{self.id}.{output}" for output in self.outputs) or (self.id,)


@dataclass(frozen=True, slots=True)
class AssessmentResult:
    """Exactly one of a report and an error.

    Attributes:
        id: The assessment's id.
        report: What the evaluator said.
        error: Why there is no report.
        duration_seconds: Wall seconds of the evaluator's call, 0 where it was not called.

    Raises:
        InvalidAssessment: when there is both or neither, or the id breaks a rule.
    """

    id: str
    report: Report | None = None
    error: BaseException | None = None
    duration_seconds: float = 0.0

    def __post_init__(self) -> None:
        require_id(self.id)
        if (self.report is None) == (self.error is None):
            msg = f"assessment {self.id[:60]!r}: expected either a report or an error"
            raise InvalidAssessment(msg)
        report: object = self.report
        if report is not None and not isinstance(report, Report):
            msg = f"assessment {self.id[:60]!r}: expected a Report"
            raise InvalidAssessment(msg)

    @property
    def status(self) -> Status:
        """What became of it; work that never started wins over the reason why."""
        error = self.error
        if error is None:
            return "completed"
        if is_a(error, NotEvaluated):
            return "not_evaluated"
        if is_a(error, IncompleteRecording):
            return "unverified"
        if is_wholly(error, Skip):
            return "skipped"
        return "canceled" if isinstance(error, Canceled) else "failed"

    @property
    def complete(self) -> bool:
        """True if it is completed or skipped."""
        return self.status in COMPLETE

    @property
    def verdict(self) -> Verdict:
        """The report's verdict, or empty."""
        return self.report.verdict if self.report is not None else ""

    @property
    def error_class(self) -> ErrorClass | None:
        """Why it failed or was canceled; None for every other status."""
        if self.error is None or self.status not in ("failed", "canceled"):
            return None
        return classify(self.error)

    @property
    def finding(self) -> Finding | None:
        """The finding that stands for missing evidence, on an unverified result."""
        if self.error is None or self.status != "unverified":
            return None
        if isinstance(self.error, MissingEvidence):
            text = ", ".join(self.error.kinds)
        else:
            text = describe(self.error)
        message = text.encode()[:_LONGEST_MESSAGE].decode(errors="ignore")
        return Finding(code=MISSING_EVIDENCE, severity="medium", message=message)


def not_evaluated(identity: str, cause: BaseException | None = None) -> AssessmentResult:
    """The result of an assessment that never started, with the cause if there is one."""
    error = NotEvaluated("the assessment was not started")
    error.__cause__ = cause
    return AssessmentResult(identity, error=error)


def missing_evidence(assessment: Assessment, subject: object) -> MissingEvidence | None:
    """Why the evidence gate refuses, or None when all that is required is there."""
    requires = assessment.evaluator.descriptor.requires
    if not requires:
        return None
    provides = getattr(subject, "provides", None)
    held = provides() if callable(provides) else frozenset()
    missing = tuple(kind for kind in requires if kind not in held)
    return MissingEvidence(missing) if missing else None


def settle(
    assessment: Assessment, answer: object, duration_seconds: float
) -> tuple[AssessmentResult, ...]:
    """The results of an answer: a report, a mapping of answers by output, or an error."""
    if isinstance(answer, BaseException):
        return _everywhere(assessment, answer, duration_seconds)
    if not assessment.outputs:
        return (_one(assessment.id, answer, duration_seconds),)
    if not isinstance(answer, dict) or set(answer) != set(assessment.outputs):
        error = InvalidReport(f"expected an answer for each of {', '.join(assessment.outputs)}")
        return _everywhere(assessment, error, duration_seconds)
    return tuple(
        _one(f"{assessment.id}.{output}", answer[output], duration_seconds)
        for output in assessment.outputs
    )


def _one(identity: str, answer: object, duration_seconds: float) -> AssessmentResult:
    if isinstance(answer, Report):
        return AssessmentResult(identity, report=answer, duration_seconds=duration_seconds)
    if not isinstance(answer, BaseException):
        answer = InvalidReport(f"expected a Report, got {type(answer).__name__}")
    return AssessmentResult(identity, error=answer, duration_seconds=duration_seconds)


def _everywhere(
    assessment: Assessment, error: BaseException, duration_seconds: float
) -> tuple[AssessmentResult, ...]:
    return tuple(
        AssessmentResult(identity, error=error, duration_seconds=duration_seconds)
        for identity in assessment.ids
    )
