"""What an execution may use: time, tokens, turns, tool calls, cost."""

import asyncio
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.case import Case
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.execution import Execution, ToolCall, Usage
from assay.evaluators.operation import (
    completed,
    max_cost,
    max_duration,
    max_tokens,
    max_tool_calls,
    max_turns,
)
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite

OK, FAILED = ToolCall(name="t"), ToolCall(name="t", is_error=True)
ASSISTANT: dict[str, object] = {"role": "assistant", "content": "a"}
USER: dict[str, object] = {"role": "user", "content": "q"}
LIMITED = [max_cost, max_duration, max_tokens, max_tool_calls, max_turns]


def result_of(
    evaluator: ReadyMade, execution: Execution, settings: Mapping[str, object] | None = None
) -> AssessmentResult:
    """What a suite says, its evidence gate included."""
    suite = Suite([Assessment("a", evaluator.configured(settings or {}))])
    sample = Sample(Case(id="c", input=1), execution)
    (result,) = asyncio.run(suite.run(sample)).result.results
    return result


@pytest.mark.parametrize(
    ("number", "seconds", "limit", "verdict"),
    [
        ("M1", 1.0, 1.0, "pass"),
        ("Q5", 3.0, 5, "pass"),
        ("Q5", 5.0, 5, "pass"),
        ("Q5", 6.0, 5, "fail"),
        ("Q5 the longer of (2, 7)", 7.0, 5, "fail"),
        ("Q6", 7.5, 5, "fail"),
    ],
)
def test_a_duration_may_be_as_long_as_the_limit(
    number: str, seconds: float, limit: float, verdict: str
) -> None:
    """Library 17.1 M1, evidence 14.4 Q5 and Q6; our receipts hold one duration, not several."""
    del number
    report = result_of(max_duration, Execution(duration_seconds=seconds), {"limit": limit}).report
    assert report is not None
    assert (report.verdict, report.measurement, report.score) == (verdict, seconds, None)
    assert (report.metric.unit, report.metric.direction) == ("second", "lower_is_better")
    assert bool(report.feedback) == (verdict == "fail")


@pytest.mark.parametrize("limit", [0, -1, "5", True, None])
def test_a_limit_that_is_none_is_refused_at_once(limit: object) -> None:
    """Evidence 14.4 Q7: a configuration error."""
    with pytest.raises(InvalidEvaluatorConfig, match="limit: expected"):
        max_duration.configured({"limit": limit})


@pytest.mark.parametrize("evaluator", LIMITED, ids=lambda one: one.descriptor.name)
def test_what_was_not_recorded_is_unverified(evaluator: ReadyMade) -> None:
    """Evidence 14.4 Q7 and library 4: never a pass with 0, never a failure."""
    result = result_of(evaluator, Execution(output="a"), {"limit": 1})
    assert result.status == "unverified"
    assert result.report is None


@pytest.mark.parametrize("evaluator", LIMITED, ids=lambda one: one.descriptor.name)
def test_the_limit_is_no_part_of_the_metric(evaluator: ReadyMade) -> None:
    """DESIGN 7: another limit keeps the measurements paired."""
    execution = Execution(
        duration_seconds=2.0, usage=Usage(input_tokens=2, model_calls=2), cost=2.0, tool_calls=[OK]
    )
    one, other = (result_of(evaluator, execution, {"limit": limit}).report for limit in (1, 3))
    assert one is not None
    assert other is not None
    assert one.metric == other.metric
    assert (one.measurement, one.decision) != (other.measurement, other.decision)
    assert "limit" not in one.metric.parameters


def test_a_limit_must_be_given() -> None:
    """None would let everything pass."""
    for evaluator in LIMITED:
        with pytest.raises(InvalidEvaluatorConfig, match="expected the setting 'limit'"):
            evaluator.require_settings()


def test_tokens_are_input_cache_and_output() -> None:
    """Reasoning tokens are a part of the output."""
    usage = Usage(
        input_tokens=1,
        output_tokens=20,
        cache_read_tokens=300,
        cache_creation_tokens=4000,
        reasoning_tokens=9,
    )
    result = result_of(max_tokens, Execution(usage=usage), {"limit": 4321})
    assert result.report is not None
    assert (result.verdict, result.report.measurement) == ("pass", 4321.0)
    failed = result_of(max_tokens, Execution(usage=usage), {"limit": 4320}).report
    assert failed is not None
    assert failed.feedback == "used 4321, limit 4320"


def test_calls_without_tokens_are_unverified() -> None:
    """Library 4: the provider reported none; that is no 0."""
    reported = Execution(usage=Usage(model_calls=2))
    assert result_of(max_tokens, reported, {"limit": 9}).status == "unverified"
    nothing = result_of(max_tokens, Execution(usage=Usage()), {"limit": 0})
    assert nothing.verdict == "pass"


@pytest.mark.parametrize(
    ("execution", "turns"),
    [
        (Execution(usage=Usage(model_calls=3)), 3.0),
        (Execution(usage=Usage(model_calls=3), messages=[ASSISTANT]), 3.0),
        (Execution(messages=[USER, ASSISTANT, USER, ASSISTANT]), 2.0),
        (Execution(usage=Usage(input_tokens=5), messages=[USER]), 0.0),
    ],
    ids=["calls", "calls before messages", "messages", "no answer"],
)
def test_turns_are_model_calls_or_assistant_messages(execution: Execution, turns: float) -> None:
    """The provider's count wins."""
    result = result_of(max_turns, execution, {"limit": 2})
    assert result.report is not None
    assert result.report.measurement == turns
    assert result.verdict == ("pass" if turns <= 2 else "fail")


def test_tokens_alone_count_no_turns() -> None:
    """A usage that counts no calls says nothing of turns."""
    execution = Execution(usage=Usage(input_tokens=5))
    assert result_of(max_turns, execution, {"limit": 2}).status == "unverified"


def test_failed_tool_calls_count_unless_told_otherwise() -> None:
    """Library 17.4 S27: two calls, one failed, limit 1."""
    execution = Execution(tool_calls=[OK, FAILED])
    assert result_of(max_tool_calls, execution, {"limit": 1}).verdict == "fail"
    settings = {"limit": 1, "count_failed": False}
    assert result_of(max_tool_calls, execution, settings).verdict == "pass"


def test_no_calls_and_unknown_calls_are_two_things() -> None:
    """An empty list says that there were none."""
    assert result_of(max_tool_calls, Execution(tool_calls=[]), {"limit": 0}).verdict == "pass"
    assert result_of(max_tool_calls, Execution(), {"limit": 0}).status == "unverified"


def test_a_cost_may_be_as_high_as_the_limit() -> None:
    """And 0 is a cost."""
    assert result_of(max_cost, Execution(cost=0.05), {"limit": 0.05}).verdict == "pass"
    assert result_of(max_cost, Execution(cost=0.06), {"limit": 0.05}).verdict == "fail"
    assert result_of(max_cost, Execution(cost=0.0), {"limit": 0}).verdict == "pass"


@pytest.mark.parametrize("status", ["budget_exhausted", "canceled", "failed"])
def test_only_a_completed_execution_is_completed(status: str) -> None:
    """Library 4, Completed: the reason is the status; an output changes nothing."""
    stopped = Execution.from_value({"status": status, "reason": "stopped", "output": "a"})
    result = result_of(completed, stopped)
    assert result.report is not None
    assert (result.verdict, result.report.score) == ("fail", 0.0)
    assert result.report.feedback == f"expected completed, got {status}"
    assert result_of(completed, Execution()).verdict == "pass"


@given(st.floats(0, 1e9), st.floats(1e-9, 1e9))
def test_a_duration_passes_exactly_up_to_its_limit(seconds: float, limit: float) -> None:
    """Without tolerance, and the measurement is what was recorded."""
    sample = Sample(Case(id="c", input=1), Execution(duration_seconds=seconds))
    report = max_duration.configured({"limit": limit}).grade(sample)
    assert (report.verdict == "pass") == (seconds <= limit)
    assert report.measurement == seconds
