"""Whether the target came to its end."""

from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(revision="1", guide=Guide(receipt={"output": "done"}))
def completed(sample: Sample) -> Checked:
    """Pass when the execution's status is completed; not out of budget, canceled or failed.

    Every receipt has a status, whatever else was recorded.

    Args:
        sample: Whose receipt is read.
    """
    status = sample.execution.status
    if status == "completed":
        return Checked(passed=True)
    return Checked(passed=False, reason=f"expected completed, got {status}")
