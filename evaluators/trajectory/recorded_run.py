"""Whether a recorded run meets every expectation of its case."""

from assay.evaluators.errors import IncompleteRecording, Skip
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import ready_made
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory.recording import (
    ExpectedRun,
    RunSample,
    Trajectory,
    report_of_run,
)

KEY = "trajectory"
"""Where the receipt's metadata has the record, and the case's metadata the expectations."""


_ENDED: dict[str, object] = {"process_status": "completed", "termination_cause": "completion"}
_USAGE = {"committed_steps": 1}
_ROOT: dict[str, object] = {
    "process_id": "p",
    "relation": {"process_id": "p", "root_process_id": "p"},
}
_RUN = {
    "root_process_id": "p",
    "termination": _ENDED,
    "output": "done",
    "root_usage": _USAGE,
    "events": [
        {**_ROOT, "process_sequence": 1, "name": "agent.process.started"},
        {
            **_ROOT,
            "process_sequence": 2,
            "name": "agent.process.finished",
            "payload": {**_ENDED, "usage": _USAGE},
        },
    ],
}
_EXAMPLE = Guide(
    yields=("decision",),
    case={"metadata": {KEY: {"status": "completed", "limits": {"committed_steps": 3}}}},
    receipt={"output": "done", "metadata": {KEY: _RUN}},
)


@ready_made(revision="1", guide=_EXAMPLE)
def recorded_run(sample: Sample, *, compare_output: bool = True) -> Report:
    """Pass when the recorded run meets every expectation; a detail for each of them.

    The record stands in the receipt's `metadata.trajectory`, the expectations in the case's, both
    in their JSON form. The report is `agent/trajectory`, with details such as
    `agent/expected_outcome`, `agent/tool_calls` and `agent/total_tokens`. Insufficient evidence is
    unverified, never a pass, a fail or a zero.

    Args:
        sample: Skipped where the case has no expectations, unverified where no run was recorded.
        compare_output: Beside a baseline, whether the whole output has to be repeated too.
    """
    if KEY not in sample.case.metadata:
        msg = f"the case's metadata.{KEY} has no expectations"
        raise Skip(msg)
    if KEY not in sample.execution.metadata:
        msg = f"the receipt's metadata.{KEY} has no recorded run"
        raise IncompleteRecording(msg)
    actual = Trajectory.decode(sample.execution.metadata[KEY])
    expected = ExpectedRun.decode(sample.case.metadata[KEY])
    return report_of_run(
        RunSample(actual=actual, expected=expected),
        (lambda output: output) if compare_output else (lambda _: None),
    )
