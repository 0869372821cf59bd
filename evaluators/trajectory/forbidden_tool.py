"""Whether a tool was left alone."""

from assay.evaluators.canonical import write
from assay.evaluators.evidence import ToolOperation
from assay.evaluators.execution import ToolCall
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory.recorded_calls import recorded_calls
from assay.evaluators.trajectory.tool_name import ToolName

_EVIDENCE = "forbidden_tool/hit"


@ready_made(
    revision="1",
    requires=("tool_operation",),
    guide=Guide(settings={"tool": "delete"}, receipt={"tool_calls": [{"name": "search"}]}),
)
def forbidden_tool(sample: Sample, *, tool: ToolName) -> Checked:
    """Pass when the tool was never called, with whatever arguments.

    A failure carries the finding `forbidden_tool_present` with the first call as evidence: its name
    and the size of its arguments, never the arguments themselves.

    Args:
        sample: Whose recorded calls are searched; unverified where none were recorded.
        tool: The exact name.
    """
    calls = recorded_calls(sample)
    place = next((place for place, call in enumerate(calls) if call.name == tool), None)
    if place is None:
        return Checked(passed=True)
    hit = ToolOperation(id=_EVIDENCE, tool_name=tool, args_bytes=_size(calls[place]))
    finding = Finding(
        code="forbidden_tool_present",
        severity="high",
        references=(EvidenceRef(evidence_id=_EVIDENCE),),
    )
    reason = f"expected no call of {tool!r}, got one as call {place + 1} of {len(calls)}"
    return Checked(passed=False, reason=reason, findings=(finding,), evidence=(hit,))


def _size(call: ToolCall) -> int:
    """The bytes of the arguments as they were recorded, or of their JSON text."""
    if call.arguments is None:
        return 0
    text = call.arguments if isinstance(call.arguments, str) else write(call.arguments)
    return len(text.encode("utf-8", "replace"))
