"""Recorded runs of agents: events, calls, what is known to be missing, and what follows from it.

A host records events of processes and calls of models and tools, and says apart from that which
external operations there were (`Coverage`). `Trajectory` is the record, in canonical order and free
of contradictions. Insufficient evidence is `IncompleteRecording`, which makes an assessment
unverified; it is never a verdict.
"""

from assay.evaluators.trajectory.recording.behavior import OutputProjection, behavior_digest
from assay.evaluators.trajectory.recording.call import ToolRequest
from assay.evaluators.trajectory.recording.coverage import Coverage, EffectRef
from assay.evaluators.trajectory.recording.event import KINDS, Event
from assay.evaluators.trajectory.recording.expected_run import ExpectedRun, RunSample
from assay.evaluators.trajectory.recording.expected_tool import ExpectedTool, ExpectedTools
from assay.evaluators.trajectory.recording.gaps import EvidenceGaps
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory
from assay.evaluators.trajectory.recording.model_call import (
    ModelCall,
    ModelResponse,
    TokenUsage,
)
from assay.evaluators.trajectory.recording.recorder import Recorder
from assay.evaluators.trajectory.recording.relation import Relation
from assay.evaluators.trajectory.recording.run_evaluator import RunEvaluator, report_of_run
from assay.evaluators.trajectory.recording.run_limits import RunLimits
from assay.evaluators.trajectory.recording.session import (
    ModelSettlement,
    RootResult,
    ToolSettlement,
)
from assay.evaluators.trajectory.recording.termination import Ending, Termination
from assay.evaluators.trajectory.recording.tool_run import ToolResult, ToolRun
from assay.evaluators.trajectory.recording.trajectory import Trajectory
from assay.evaluators.trajectory.recording.usage_counters import UsageCounters

__all__ = [
    "KINDS",
    "Coverage",
    "EffectRef",
    "Ending",
    "Event",
    "EvidenceGaps",
    "ExpectedRun",
    "ExpectedTool",
    "ExpectedTools",
    "InvalidTrajectory",
    "ModelCall",
    "ModelResponse",
    "ModelSettlement",
    "OutputProjection",
    "Recorder",
    "Relation",
    "RootResult",
    "RunEvaluator",
    "RunLimits",
    "RunSample",
    "Termination",
    "TokenUsage",
    "ToolRequest",
    "ToolResult",
    "ToolRun",
    "ToolSettlement",
    "Trajectory",
    "UsageCounters",
    "behavior_digest",
    "report_of_run",
]
