"""Whether a tool was called at all."""

from assay.evaluators.evidence import EvaluatorDiagnostic
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory.recorded_calls import recorded_calls
from assay.evaluators.trajectory.tool_name import ToolName

_CODE = "required_tool_absent"
_EVIDENCE = "required_tool/absent"


@ready_made(
    revision="1",
    requires=("tool_operation",),
    guide=Guide(settings={"tool": "search"}, receipt={"tool_calls": [{"name": "search"}]}),
)
def required_tool(sample: Sample, *, tool: ToolName) -> Checked:
    """Pass when the tool was called at least once, with whatever arguments.

    A failure carries the finding `required_tool_absent`. Arguments are never read, so that broken
    ones do no harm.

    Args:
        sample: Whose recorded calls are searched; unverified where none were recorded.
        tool: The exact name.
    """
    calls = recorded_calls(sample)
    if any(call.name == tool for call in calls):
        return Checked(passed=True)
    diagnostic = EvaluatorDiagnostic(id=_EVIDENCE, code=_CODE, severity="high")
    finding = Finding(code=_CODE, severity="high", references=(EvidenceRef(evidence_id=_EVIDENCE),))
    reason = f"expected a call of {tool!r}, got {len(calls)} calls of other tools"
    return Checked(passed=False, reason=reason, findings=(finding,), evidence=(diagnostic,))
