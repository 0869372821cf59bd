"""Files that are exchanged with the official SWE-bench harness, which alone runs and grades.

A `Selection` says which tasks are worked on.
"""

from assay.evaluators.swebench.errors import (
    ArtifactMismatch,
    InvalidArtifacts,
    InvalidSelection,
    InvalidSubmission,
    NoGrade,
)
from assay.evaluators.swebench.identity import HARNESS_REVISION
from assay.evaluators.swebench.selection import Selection
from assay.evaluators.swebench.task import Task

__all__ = [
    "HARNESS_REVISION",
    "ArtifactMismatch",
    "InvalidArtifacts",
    "InvalidSelection",
    "InvalidSubmission",
    "NoGrade",
    "Selection",
    "Task",
]
