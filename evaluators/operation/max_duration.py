"""Whether the execution was fast enough."""

from typing import Annotated

from pydantic import Field

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.guide import Guide
from assay.evaluators.operation.limit import within
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample

Seconds = Annotated[float, Field(gt=0)]


@ready_made(
    revision="1",
    requires=("timing",),
    acceptance=("limit",),
    guide=Guide(
        yields=("decision", "measurement"),
        settings={"limit": 20},
        receipt={"duration_seconds": 3.5},
    ),
)
def max_duration(sample: Sample, *, limit: Seconds) -> Checked:
    """Pass when the execution took at most the limit; measures the wall seconds of the receipt.

    Waiting for a slot and between attempts does not count: it is the attempt that left the receipt.
    Unverified when no duration was recorded.

    Args:
        sample: Whose receipt is read.
        limit: Seconds, more than 0; exactly as many pass.
    """
    seconds = sample.execution.duration_seconds
    if seconds is None:
        msg = "the execution recorded no duration"
        raise IncompleteRecording(msg)
    return within(seconds, limit, "second")
