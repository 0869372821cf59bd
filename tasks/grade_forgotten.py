"""What grading says of a trial whose case was forgotten."""

from assay.evaluators.assessment import Assessment, AssessmentResult, settle
from assay.evaluators.errors import IncompleteRecording
from assay.tasks.store.erase import FORGOTTEN_SENTENCE


def grade_forgotten(assessment: Assessment) -> tuple[AssessmentResult, ...]:
    """Unverified results of an assessment, one for each of its ids; its evaluator is not called."""
    return settle(assessment, IncompleteRecording(FORGOTTEN_SENTENCE), 0.0)
