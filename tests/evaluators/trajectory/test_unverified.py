"""What a suite makes of missing evidence in this family: unverified, never a verdict."""

import asyncio

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.open_map import OpenMap
from assay.evaluators.registry import find
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite

METADATA = OpenMap.of({"tool_calls": [], "trajectory": {"status": "completed"}})
SETTINGS: dict[str, dict[str, object]] = {
    "call_counts": {},
    "forbidden_tool": {"tool": "t"},
    "recorded_run": {},
    "required_tool": {"tool": "t"},
    "tool_calls": {},
    "tool_error_rate": {},
}


@pytest.mark.parametrize("use", SETTINGS)
def test_missing_evidence_is_unverified(use: str) -> None:
    """DESIGN 3.1: incomplete, with neither a pass nor a zero."""
    evaluator = find(f"trajectory.{use}").configured(SETTINGS[use])
    suite: Suite[Sample] = Suite([Assessment("a", evaluator)])
    sample = Sample(Case(id="c", input=1, metadata=METADATA), Execution(output=1))
    run = asyncio.run(suite.run(sample))
    [result] = run.result.results
    assert (result.status, result.report) == ("unverified", None)
    assert run.result.verdict == ""


def test_an_empty_recording_is_evidence() -> None:
    """No tool was called: that decides what expects none, and has no error rate."""
    statuses = {}
    for use in ("tool_calls", "forbidden_tool", "tool_error_rate"):
        evaluator = find(f"trajectory.{use}").configured(SETTINGS[use])
        suite: Suite[Sample] = Suite([Assessment("a", evaluator)])
        case = Case(id="c", input=1, metadata=METADATA)
        run = asyncio.run(suite.run(Sample(case, Execution(output=1, tool_calls=()))))
        [result] = run.result.results
        statuses[use] = (result.status, run.result.verdict)
    assert statuses == {
        "tool_calls": ("completed", "pass"),
        "forbidden_tool": ("completed", "pass"),
        "tool_error_rate": ("skipped", ""),
    }
