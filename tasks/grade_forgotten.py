"""What grading says of a trial whose case was forgotten."""

from assay.evaluators.assessment import Assessment, AssessmentResult, settle
from assay.evaluators.errors import IncompleteRecording

_SENTENCE = "the case was forgotten: its input and answers are erased, so it cannot be graded again"


def grade_forgotten(assessment: Assessment) -> tuple[AssessmentResult, ...]:
    """Unverified results of an assessment, one for each of its ids; its evaluator is not called."""
    return settle(assessment, IncompleteRecording(_SENTENCE), 0.0)
