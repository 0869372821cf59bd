"""How often tools were called."""

from assay.evaluators.guide import Guide
from assay.evaluators.measured import Measured
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory.call_bounds import CallBounds
from assay.evaluators.trajectory.recorded_calls import recorded_calls
from assay.evaluators.trajectory.tool_name import ToolName


@ready_made(
    revision="1",
    requires=("tool_operation",),
    acceptance=("calls",),
    guide=Guide(
        yields=("decision", "measurement"),
        settings={"calls": {"max": 3}, "tool": "search"},
        receipt={"tool_calls": [{"name": "search"}, {"name": "book"}]},
    ),
)
def call_counts(
    sample: Sample, *, calls: CallBounds | None = None, tool: ToolName | None = None
) -> Checked | Measured:
    """The number of tool calls, and pass when it is within the bounds.

    Failed calls count, and so do calls with unreadable arguments.

    Args:
        sample: Whose recorded calls are counted; unverified where none were recorded.
        calls: `{"min": 1, "max": 3}`, inclusive, either bound alone is enough; without any nothing
            is decided.
        tool: The exact name of the tool whose calls count; None counts all.
    """
    recorded = recorded_calls(sample)
    count = sum(tool is None or call.name == tool for call in recorded)
    number = Measured(count, unit="call")
    if calls is None:
        return number
    passed = count in calls
    reason = "" if passed else f"expected {calls.text()} calls of {tool or 'tools'}, got {count}"
    return Checked(passed, reason, measured=number)
