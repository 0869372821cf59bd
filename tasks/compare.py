"""Comparing two gradings of the store."""

from typing import TypeAlias

from assay.evaluators.comparison import Comparison, compare
from assay.evaluators.errors import InputError, InvalidComparison
from assay.evaluators.trial_outcome import TargetFailures
from assay.tasks.read_grading import read_grading
from assay.tasks.store import GradingStore, RunStore

StoredGrading: TypeAlias = tuple[RunStore, GradingStore]
"""A grading and the run that was graded."""


def compare_gradings(
    baseline: StoredGrading,
    candidate: StoredGrading,
    *,
    across_revisions: bool = False,
    target_failures: TargetFailures = "failed",
) -> Comparison:
    """The paired comparison of two gradings, of one run or of two.

    Args:
        baseline: One side.
        candidate: The other; differences are candidate minus baseline.
        across_revisions: Compare grades of evaluators whose revision or code differs.
        target_failures: What a target's own failures count as, on both sides.

    Raises:
        InputError: when the two do not belong together; the message names both and says why.
        StoreError: when a part cannot be read.
    """
    sides = [read_grading(run, grading) for run, grading in (baseline, candidate)]
    try:
        return compare(*sides, across_revisions=across_revisions, target_failures=target_failures)
    except InvalidComparison as error:
        names = " and ".join(grading.grading_id for _, grading in (baseline, candidate))
        reason = str(error).removeprefix("comparison: ")
        msg = f"{names} cannot be compared: {reason}"
        raise InputError(msg, kind="comparison") from error
