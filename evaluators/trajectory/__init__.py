"""What an agent did on its way: tool calls against expectations, and recorded runs.

The calls are those of the receipt's `tool_calls`. Where a target recorded none, not even that there
were none, every check of them is unverified; an empty list says that no tool was called. What a
host recorded in depth, with its gaps, is read by `recorded_run`; `recording` has its vocabulary.
"""

from assay.evaluators.trajectory.call_bounds import CallBounds
from assay.evaluators.trajectory.call_counts import call_counts
from assay.evaluators.trajectory.expected_call import ExpectedCall
from assay.evaluators.trajectory.forbidden_tool import forbidden_tool
from assay.evaluators.trajectory.invalid_sample import InvalidSample
from assay.evaluators.trajectory.maximum_pairing import maximum_pairing
from assay.evaluators.trajectory.recorded_run import recorded_run
from assay.evaluators.trajectory.required_tool import required_tool
from assay.evaluators.trajectory.tool_calls import tool_calls
from assay.evaluators.trajectory.tool_error_rate import tool_error_rate

__all__ = [
    "CallBounds",
    "ExpectedCall",
    "InvalidSample",
    "call_counts",
    "forbidden_tool",
    "maximum_pairing",
    "recorded_run",
    "required_tool",
    "tool_calls",
    "tool_error_rate",
]
