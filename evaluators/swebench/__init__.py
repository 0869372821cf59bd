"""Files that are exchanged with the official SWE-bench harness, which alone runs and grades.

A `Selection` says which tasks are worked on, a `Submission` what a model hands in for them; an
`OfficialReport` is what the harness says of one task, `RunResults` what it says of all of them.
A `Collection` holds them against each other, and every `TaskResult` of it gives a report or says
why there is none.
"""

from assay.evaluators.swebench.collection import Collection
from assay.evaluators.swebench.errors import (
    ArtifactMismatch,
    InvalidArtifacts,
    InvalidSelection,
    InvalidSubmission,
    NoGrade,
)
from assay.evaluators.swebench.failure import Failure
from assay.evaluators.swebench.harness_arguments import harness_arguments
from assay.evaluators.swebench.identity import HARNESS_REVISION
from assay.evaluators.swebench.official_report import OfficialReport
from assay.evaluators.swebench.outcome import Outcome
from assay.evaluators.swebench.prediction import Prediction
from assay.evaluators.swebench.predictions_file import predictions_text
from assay.evaluators.swebench.reconciliation import require_reconciled
from assay.evaluators.swebench.resolved import Resolved
from assay.evaluators.swebench.run_results import RunResults
from assay.evaluators.swebench.run_summary import RunSummary
from assay.evaluators.swebench.selection import Selection
from assay.evaluators.swebench.submission import Submission
from assay.evaluators.swebench.task import Task
from assay.evaluators.swebench.task_result import TaskResult
from assay.evaluators.swebench.transitions import Transition, Transitions

__all__ = [
    "HARNESS_REVISION",
    "ArtifactMismatch",
    "Collection",
    "Failure",
    "InvalidArtifacts",
    "InvalidSelection",
    "InvalidSubmission",
    "NoGrade",
    "OfficialReport",
    "Outcome",
    "Prediction",
    "Resolved",
    "RunResults",
    "RunSummary",
    "Selection",
    "Submission",
    "Task",
    "TaskResult",
    "Transition",
    "Transitions",
    "harness_arguments",
    "predictions_text",
    "require_reconciled",
]
