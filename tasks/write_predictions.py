"""Writing the predictions of a SWE-bench submission where the harness reads them."""

from assay.evaluators.record import require_text
from assay.evaluators.swebench import InvalidSubmission, Submission, predictions_text
from assay.tasks.documents.write_text import write_text


def write_predictions(submission: Submission, url: str) -> None:
    """Put the predictions into a file of JSON Lines, whole or not at all.

    Args:
        submission: What is handed in.
        url: A path or fsspec URL; name it `.jsonl`, by which the harness knows the format.

    Raises:
        InvalidSubmission: the path is blank or has white space at its ends.
        InputError: the place cannot be written; the cause is kept, and what was there before is
            still there.
    """
    require_text(url, "predictions file", InvalidSubmission)
    write_text(url, predictions_text(submission), kind="predictions")
