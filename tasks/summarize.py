"""Summarising a grading of the store; the summary is derived, and may be deleted and rebuilt."""

from assay.evaluators.summary import Summary, summarize
from assay.evaluators.summary_frame import summary_frame
from assay.evaluators.trial_outcome import TargetFailures
from assay.tasks.read_grading import read_grading
from assay.tasks.store import GradingStore, RunStore


def summarize_grading(
    run: RunStore,
    grading: GradingStore,
    *,
    target_failures: TargetFailures = "failed",
    abandoned: int = 0,
) -> Summary:
    """The summary of a grading, which it also writes beside the grades.

    Args:
        run: The run that was graded.
        grading: One of its gradings.
        target_failures: What a target's own failures count as.
        abandoned: Calls of this run that ignored their cancellation.

    Raises:
        StoreError: when a part cannot be read, or the summary cannot be written.
    """
    columns = read_grading(run, grading, abandoned=abandoned)
    summary = summarize(columns, target_failures=target_failures)
    grading.write_summary(summary_frame(summary))
    return summary
