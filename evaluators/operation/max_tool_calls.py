"""Whether the execution called few enough tools."""

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.guide import Guide
from assay.evaluators.operation.limit import Count, within
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(
    revision="1",
    requires=("tool_operation",),
    acceptance=("limit",),
    guide=Guide(
        yields=("decision", "measurement"),
        settings={"limit": 3},
        receipt={"tool_calls": [{"name": "search"}, {"name": "book"}]},
    ),
)
def max_tool_calls(sample: Sample, *, limit: Count, count_failed: bool = True) -> Checked:
    """Pass when at most the limit of tool calls were executed; measures their number.

    Counted are the calls of the receipt, which are those that the target made: one that was
    refused or waited for approval has no place there. Unverified when no calls were recorded; an
    empty list says that there were none.

    Args:
        sample: Whose receipt is read.
        limit: Calls; exactly as many pass, and 0 forbids every call.
        count_failed: Count calls of which the tool reported an error.
    """
    calls = sample.execution.tool_calls
    if calls is None:
        msg = "the execution recorded no tool calls"
        raise IncompleteRecording(msg)
    counted = sum(count_failed or not call.is_error for call in calls)
    return within(counted, limit, "call")
