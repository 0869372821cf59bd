"""Whether the execution was cheap enough."""

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.guide import Guide
from assay.evaluators.operation.limit import Amount, within
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(
    revision="1",
    requires=("cost",),
    acceptance=("limit",),
    guide=Guide(
        yields=("decision", "measurement"), settings={"limit": 0.05}, receipt={"cost": 0.012}
    ),
)
def max_cost(sample: Sample, *, limit: Amount) -> Checked:
    """Pass when the execution cost at most the limit; measures the cost of the receipt.

    The currency is the one in which the target reports. Unverified when no cost was recorded.

    Args:
        sample: Whose receipt is read.
        limit: In the same currency; exactly as much passes.
    """
    cost = sample.execution.cost
    if cost is None:
        msg = "the execution recorded no cost"
        raise IncompleteRecording(msg)
    return within(cost, limit, "")
