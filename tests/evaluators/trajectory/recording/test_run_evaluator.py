"""A recorded run against everything that was expected of it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from assay.evaluators.cancellation import Cancellation, governed_by
from assay.evaluators.canonical import Json, write
from assay.evaluators.case import Case
from assay.evaluators.errors import Canceled, IncompleteRecording, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.open_map import OpenMap
from assay.evaluators.registry import find
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory import InvalidSample
from assay.evaluators.trajectory.recording import (
    Coverage,
    EvidenceGaps,
    ExpectedRun,
    ExpectedTool,
    ExpectedTools,
    RunEvaluator,
    RunLimits,
    RunSample,
    ToolRun,
    Trajectory,
    UsageCounters,
    report_of_run,
)

Run = Any  # that of this folder's conftest
Weather = Callable[..., Run]
BERLIN = ExpectedTool(name="weather", arguments='{ "city": "Berlin" }')
HOUR = 3600 * 10**9


def whole(output: Json) -> object:
    """The whole output counts."""
    return output


def report_of(actual: Trajectory, **expected: object) -> Report:
    """The report on a run that is expected to complete."""
    wanted = ExpectedRun.model_validate({"status": "completed", **expected})
    return report_of_run(RunSample(actual=actual, expected=wanted), whole)


def tools(*calls: ExpectedTool) -> ExpectedTools:
    """Expected tool calls."""
    return ExpectedTools(calls=calls)


def test_a_run_that_meets_everything_passes_with_a_detail_for_each(weather: Weather) -> None:
    """Kernel 12.8 example 1: status and output, tools, baseline, steps, tokens, time."""
    actual = weather().build()
    limits = RunLimits(committed_steps=2, total_tokens=10, elapsed_ns=HOUR)
    report = report_of(
        actual, output='{"a":1}', tools=tools(BERLIN), baseline=actual, limits=limits
    )
    assert (report.verdict, report.score, report.measurement) == ("pass", None, None)
    assert str(report.metric) == "agent/trajectory"
    assert report.decision is not None
    assert report.decision.policy == "trajectory.all_expectations"
    assert [str(detail.metric) for detail in report.details] == [
        "agent/expected_outcome",
        "agent/tool_calls",
        "agent/consistency",
        "agent/committed_steps",
        "agent/total_tokens",
        "agent/recording_elapsed",
    ]
    assert [detail.score for detail in report.details] == [1, 1, 1, None, None, None]
    assert [detail.measurement for detail in report.details[3:]] == [2, 10, 2.0]
    elapsed = report.details[-1]
    assert (elapsed.metric.unit, elapsed.metric.direction) == ("s", "lower_is_better")
    assert elapsed.decision is not None
    assert elapsed.decision.parameters.decoded() == {"maximum": 3600}


@pytest.mark.parametrize(
    "expected",
    [
        {"tools": tools(ExpectedTool(name="weather", arguments='{"city":"Paris"}'))},
        {"tools": tools(ExpectedTool(name="other", arguments='{"city":"Berlin"}'))},
        {"tools": tools()},
        {"tools": tools(BERLIN, BERLIN)},
        {"tools": tools(ExpectedTool(name="weather"))},
        {"limits": RunLimits(committed_steps=0)},
        {"limits": RunLimits(total_tokens=9)},
        {"limits": RunLimits(elapsed_ns=2 * 10**9 - 1)},
        {"status": "failed"},
        {"output": '{"a":2}'},
    ],
)
def test_one_expectation_that_is_not_met_fails_the_run(
    weather: Weather, expected: dict[str, object]
) -> None:
    """Kernel 12.8 example 2: Berlin instead of Paris, no step instead of two."""
    report = report_of(weather().build(), **expected)
    assert report.verdict == "fail"
    assert any(detail.verdict == "fail" for detail in report.details)


def test_missing_evidence_is_never_a_verdict(weather: Weather, bare: Run) -> None:
    """Kernel 12.8 example 3: a stopped runtime, and a restored tail."""
    run = weather()
    stop = {"failure_kind": "panic", "failure_code": "host.lost"}
    run.facts[-1] = ("agent.runtime.stopped", None, None, stop)
    stopped = run.build(termination=None, output=None, root_usage=UsageCounters())
    with pytest.raises(IncompleteRecording, match="no committed result"):
        report_of(stopped)
    bare.facts[0] = ("agent.process.restored", None, None, {})
    with pytest.raises(IncompleteRecording, match="history"):
        report_of(bare.build(coverage=Coverage()), tools=tools())


def with_tool(weather: Weather, **changes: object) -> Trajectory:
    """The run with another outcome of its tool call."""
    run = weather()
    [made] = run.members["tool_calls"]
    fields = {name: getattr(made, name) for name in ToolRun.model_fields}
    other = ToolRun.model_validate({**fields, "result": None, **changes})
    trajectory: Trajectory = run.build(tool_calls=(other,))
    return trajectory


@pytest.mark.parametrize("outcome", ["succeeded", "error", "failed"])
def test_an_uncertain_call_neither_confirms_nor_refuses_an_outcome(
    weather: Weather, outcome: str
) -> None:
    """Kernel 12.8 example 4: unknown against a definite outcome is missing evidence."""
    actual = with_tool(weather, unknown=True)
    wanted = {"name": "weather", "arguments": '{"city":"Berlin"}'}
    with pytest.raises(IncompleteRecording, match="uncertain"):
        report_of(actual, tools={"calls": [{**wanted, "outcome": outcome}]})
    assert report_of(actual, tools={"calls": [{**wanted, "outcome": "unknown"}]}).verdict == "pass"
    assert report_of(actual, tools={"calls": [wanted]}).verdict == "pass"
    wrong = {"name": "weather", "arguments": "{}", "outcome": outcome}
    assert report_of(actual, tools={"calls": [wrong]}).verdict == "fail"
    assert report_of(actual, tools=tools()).verdict == "fail"


def test_another_definite_outcome_fails(weather: Weather) -> None:
    """Kernel 12.8: failed is not succeeded, and both are known."""
    actual = with_tool(weather, failure="permission refused")
    wanted = {"name": "weather", "arguments": '{"city":"Berlin"}', "outcome": "succeeded"}
    assert report_of(actual, tools={"calls": [wanted]}).verdict == "fail"


@pytest.mark.parametrize(
    ("output", "expected", "verdict"),
    [
        ("null", {"output": "null"}, "pass"),
        ("1", {"output": "null"}, "fail"),
        ("null", {}, "pass"),
        ("1", {}, "pass"),
    ],
)
def test_a_null_output_is_an_output(
    weather: Weather, output: str, expected: dict[str, object], verdict: str
) -> None:
    """Kernel 12.8 example 6: null asserts null, nothing asserts nothing."""
    assert report_of(weather(output=output).build(), **expected).verdict == verdict


@pytest.mark.parametrize("text", ["{} {}", '{"a":1,"a":2}', '"\\ud800"', "\ud800", "{"])
def test_an_expectation_that_is_no_json_is_no_sample(text: str) -> None:
    """Kernel 12.8 example 7: as arguments and as output."""
    with pytest.raises(InvalidSample):
        ExpectedTool(name="t", arguments=text)
    with pytest.raises(InvalidSample):
        ExpectedRun(status="completed", output=text)


@pytest.mark.parametrize(
    "members",
    [
        {"status": "running"},
        {"status": "failed", "output": "1"},
        {"status": "completed", "tools": {"calls": [{"name": " t"}]}},
        {"status": "completed", "tools": {"calls": [{"name": ""}]}},
        {"status": "completed", "tools": {"calls": [{"name": "t", "outcome": "fine"}]}},
        {"status": "completed", "limits": {"total_tokens": -1}},
        {"status": "completed", "limits": {"elapsed_ns": -1}},
        {"status": "completed", "limits": {"tokens": 1}},
        {"status": "completed", "more": 1},
        {},
    ],
)
def test_impossible_expectations_are_no_sample(members: dict[str, object]) -> None:
    """Kernel 12.8: one category for all of them."""
    with pytest.raises(InvalidSample):
        ExpectedRun.model_validate(members)


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_attempts_match_in_the_order_of_their_dispatch(
    weather: Weather, first: int, second: int
) -> None:
    """Kernel 12.8 example 8: unknown, then succeeded, whatever the ids sort like."""
    run = weather()
    [made] = run.members["tool_calls"]
    ids = {name: f"attempt:{number + 90:032x}" for name, number in (("a", first), ("b", second))}
    place = next(at for at, fact in enumerate(run.facts) if fact[2] == "tool-1")
    run.facts[place : place + 2] = [
        ("agent.effect.started", 1, "tool-1", {"attempt_id": one, "effect_target": "dispatcher"})
        for one in ids.values()
    ]
    fields = {name: getattr(made, name) for name in ToolRun.model_fields}
    calls = (
        ToolRun.model_validate({**fields, "attempt_id": ids["b"]}),
        ToolRun.model_validate({**fields, "attempt_id": ids["a"], "result": None, "unknown": True}),
    )
    wanted = [
        {"name": "weather", "arguments": '{"city":"Berlin"}', "outcome": outcome}
        for outcome in ("unknown", "succeeded")
    ]
    assert report_of(run.build(tool_calls=calls), tools={"calls": wanted}).verdict == "pass"


def test_limits_are_exact_and_a_zero_is_written() -> None:
    """Kernel 12.8 example 9: beyond what a float holds, and zero."""
    limits = RunLimits(elapsed_ns=9007199254740993)
    assert write(limits) == '{"elapsed_ns":9007199254740993}'
    assert write(RunLimits(elapsed_ns=0)) == '{"elapsed_ns":0}'
    expected = ExpectedRun(status="completed", limits=limits)
    assert ExpectedRun.decode(expected.encode()) == expected


def test_time_is_compared_before_it_is_rounded(bare: Run) -> None:
    """Kernel 1.4c: a nanosecond beyond the limit fails, though both are one float."""
    actual = bare.build(elapsed_ns=9007199254740993)
    limits = RunLimits(elapsed_ns=9007199254740992)
    assert report_of(actual, limits=limits).verdict == "fail"


def test_limits_on_two_things_are_two_rules(weather: Weather) -> None:
    """Kernel 12.8 example 10: the details are part of the rule and of the observation."""
    actual = weather().build()
    steps, effects = (
        report_of(actual, limits=RunLimits.model_validate({name: 5}))
        for name in ("committed_steps", "prepared_effects")
    )
    again = report_of(actual, limits=RunLimits(committed_steps=5))
    stricter = report_of(actual, limits=RunLimits(committed_steps=4))
    assert (steps.observation, steps.rule) == (again.observation, again.rule)
    assert steps.observation != effects.observation
    assert steps.observation == stricter.observation
    assert steps.rule != stricter.rule


def test_usage_limits_need_no_coverage(weather: Weather) -> None:
    """Kernel 12.8: they rest on what the processes counted; tokens and tools do not."""
    actual = weather().build(coverage=None)
    assert report_of(actual, limits=RunLimits(accepted_signals=1)).verdict == "pass"
    for expected in ({"limits": RunLimits(total_tokens=10)}, {"tools": tools(BERLIN)}):
        with pytest.raises(IncompleteRecording, match="nobody declared"):
            report_of(actual, **expected)


def test_a_time_that_nobody_measured_is_missing(weather: Weather) -> None:
    """Kernel 12.8: unknown is no zero, and only asked for where it is limited."""
    actual = weather().build(elapsed_ns=None)
    assert report_of(actual).verdict == "pass"
    with pytest.raises(IncompleteRecording, match="how long"):
        report_of(actual, limits=RunLimits(elapsed_ns=HOUR))


def test_another_behaviour_than_the_baselines_fails(weather: Weather) -> None:
    """Kernel 12.8: consistency; a baseline with a gap has no behaviour to compare."""
    actual = weather().build()
    assert report_of(actual, baseline=weather(city="Paris").build()).verdict == "fail"
    gap = weather().build(gaps=EvidenceGaps(dropped_call_observations=1))
    with pytest.raises(IncompleteRecording):
        report_of(actual, baseline=gap)
    sample = RunSample(actual=actual, expected=ExpectedRun(status="completed", baseline=actual))
    with pytest.raises(InvalidSample, match="projection"):
        RunEvaluator().grade(sample)


def test_a_cancelled_caller_gets_no_verdict(weather: Weather) -> None:
    """Kernel 12.8: the cancellation is asked for first."""
    token = Cancellation()
    token.cancel()
    with governed_by(token), pytest.raises(Canceled):
        report_of(weather().build())


def test_one_object_serves_concurrent_trials(weather: Weather) -> None:
    """Fault B53: each run gets the verdict on itself."""
    expected = ExpectedRun(status="completed", tools=tools(BERLIN))
    samples = [
        RunSample(actual=weather(city=city).build(), expected=expected)
        for city in ("Berlin", "Paris") * 5
    ]
    shared = RunEvaluator(whole, projection="whole")

    async def together() -> list[Report]:
        return list(await asyncio.gather(*map(shared.evaluate, samples)))

    assert [one.verdict for one in asyncio.run(together())] == ["pass", "fail"] * 5


def stored(weather: Weather, *, run: bool = True, expected: bool = True) -> Sample:
    """A sample whose metadata have the record and the expectations."""
    actual = weather().build()
    wanted = ExpectedRun(status="completed", tools=tools(BERLIN), baseline=actual)
    case = OpenMap({"trajectory": wanted.encode()} if expected else {})
    receipt = OpenMap({"trajectory": actual.encode()} if run else {})
    return Sample(Case(id="c", input=1, metadata=case), Execution(output=1, metadata=receipt))


def test_a_suite_reads_the_run_from_the_receipt(weather: Weather) -> None:
    """What a store keeps is enough; skipped without expectations, unverified without a run."""
    evaluator = find("trajectory.recorded_run")
    report = evaluator.grade(stored(weather))
    assert (report.verdict, len(report.details)) == ("pass", 3)
    assert evaluator.configured({"compare_output": False}).grade(stored(weather)).verdict == "pass"
    with pytest.raises(Skip):
        evaluator.grade(stored(weather, expected=False))
    with pytest.raises(IncompleteRecording):
        evaluator.grade(stored(weather, run=False))
