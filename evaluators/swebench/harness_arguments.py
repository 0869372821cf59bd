"""How the official harness is to be called."""

from assay.evaluators.record import require_text
from assay.evaluators.swebench.errors import InvalidSubmission
from assay.evaluators.swebench.submission import Submission


def harness_arguments(
    submission: Submission, *, dataset_path: str, predictions_path: str
) -> tuple[str, ...]:
    """The arguments of the Python that has the harness; a list, never a line for a shell.

    Every selected task is named, those without a prediction too: the harness then counts them.

    Args:
        submission: What is to be graded.
        dataset_path: The selected revision of the data, as a file or a name that the harness reads.
        predictions_path: The file that holds `predictions_text`.

    Raises:
        InvalidSubmission: when a path is blank or has white space at its ends.
    """
    require_text(dataset_path, "dataset_path", InvalidSubmission)
    require_text(predictions_path, "predictions_path", InvalidSubmission)
    options = {
        "--dataset_name": dataset_path,
        "--split": submission.selection.split,
        "--predictions_path": predictions_path,
        "--run_id": submission.run_id,
    }
    named = [part for option in options.items() for part in option]
    module = ("-m", "swebench.harness.run_evaluation")
    return (*module, *named, "--instance_ids", *submission.selection.ids)
