"""Where the harness puts its files, below the folder that it works in."""

from assay.evaluators.swebench.submission import Submission


def results_path(submission: Submission) -> str:
    """The path of the totals of the run."""
    return f"logs/evaluation/{submission.run_id}/results.json"


def report_path(submission: Submission, instance_id: str) -> str:
    """The path of the official report on one task."""
    return f"{_folder(submission, instance_id)}/report.json"


def patch_path(submission: Submission, instance_id: str) -> str:
    """The path of the patch that the harness applied for one task."""
    return f"{_folder(submission, instance_id)}/patch.diff"


def _folder(submission: Submission, instance_id: str) -> str:
    return f"logs/evaluation/{submission.run_id}/{submission.folder}/{instance_id}"
