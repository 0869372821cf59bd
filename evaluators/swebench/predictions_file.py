"""The predictions as the harness reads them."""

from assay.evaluators.canonical import spell
from assay.evaluators.swebench.submission import Submission


def predictions_text(submission: Submission) -> str:
    """JSON Lines, one prediction a line in the order of the tasks; empty without predictions.

    A line ends with LF. The patch stands in it untouched: its own line ends are escaped, whether
    they are LF or CRLF.
    """
    return "".join(
        spell(
            {
                "instance_id": one.instance_id,
                "model_name_or_path": submission.model,
                "model_patch": one.patch,
            }
        )
        + "\n"
        for one in submission.predictions
    )
