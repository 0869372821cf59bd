"""One report for each thing that is asserted of a recorded run."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.evaluators.canonical import Json, parse, write
from assay.evaluators.decision import Decision
from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.score import Score
from assay.evaluators.trajectory.recording.behavior import OutputProjection, behavior_digest
from assay.evaluators.trajectory.recording.call import canonical_arguments
from assay.evaluators.trajectory.recording.expected_run import RunSample
from assay.evaluators.trajectory.recording.expected_tool import ExpectedTool
from assay.evaluators.trajectory.recording.semantic_order import in_semantic_order
from assay.evaluators.trajectory.recording.tool_run import ToolRun

NAMESPACE = "agent"

_USAGE = ("committed_steps", "prepared_effects", "accepted_signals", "dropped_deltas")
_SECOND = 10**9


@dataclass(frozen=True, slots=True)
class Limited:
    """A number that was held against its limit, in integers of one unit.

    Attributes:
        name: Of the metric.
        unit: Of the measurement.
        value: What was used.
        maximum: What may be used.
        per_unit: How many of the integers make one unit of the measurement.
    """

    name: str
    unit: str
    value: int
    maximum: int
    per_unit: int = 1

    def report(self) -> Report:
        """The measurement with the decision; they are compared before anything is rounded."""
        return Report(
            metric=Metric(
                namespace=NAMESPACE, name=self.name, unit=self.unit, direction="lower_is_better"
            ),
            measurement=self.value / self.per_unit,
            decision=Decision(
                policy="trajectory.maximum",
                verdict="pass" if self.value <= self.maximum else "fail",
                parameters=OpenMap.of({"maximum": self._shown(self.maximum)}),
            ),
        )

    def _shown(self, number: int) -> int | float:
        return number if self.per_unit == 1 else number / self.per_unit


def details_of(sample: RunSample, project: OutputProjection | None) -> Iterator[Report]:
    """The reports, in a fixed order, each only where it is asserted; the outcome always is.

    Raises:
        IncompleteRecording: when evidence for one of them is missing.
        InvalidSample: when behaviour is compared and nothing says what of the output counts.
    """
    yield _outcome(sample)
    if sample.expected.tools is not None:
        yield _tools(sample, sample.expected.tools.calls)
    if sample.expected.baseline is not None:
        yield _consistency(sample, project)
    for limited in _limits(sample):
        yield limited.report()


def _checked(name: str, reason: str, parameters: dict[str, Json]) -> Report:
    return Report(
        metric=Metric(namespace=NAMESPACE, name=name),
        score=Score(0.0 if reason else 1.0),
        feedback=reason,
        decision=Decision(
            policy=f"trajectory.{name}",
            verdict="fail" if reason else "pass",
            parameters=OpenMap.of(parameters),
        ),
    )


def _outcome(sample: RunSample) -> Report:
    end, expected = sample.actual.termination, sample.expected
    if end is None:
        msg = "the run has no committed result"
        raise IncompleteRecording(msg)
    parameters: dict[str, Json] = {"status": expected.status}
    reason = ""
    if expected.output is not None:
        parameters["output"] = parse(expected.output)
        if sample.actual.output != expected.output:
            reason = "expected another output"
    if end.process_status != expected.status:
        reason = f"expected the status {expected.status}, got {end.process_status}"
    return _checked("expected_outcome", reason, parameters)


def _tools(sample: RunSample, expected: tuple[ExpectedTool, ...]) -> Report:
    sample.actual.require_history()
    sample.actual.require_calls()
    parameters: dict[str, Json] = {"expected": parse(write({"calls": list(expected)}))}
    made = in_semantic_order(sample.actual, sample.actual.tool_calls)
    if len(made) != len(expected):
        reason = f"expected {len(expected)} tool calls, got {len(made)}"
        return _checked("tool_calls", reason, parameters)
    pairs = enumerate(zip(expected, made, strict=True), 1)
    reasons = (_difference(place, one, run) for place, (one, run) in pairs)
    reason = next((found for found in reasons if found), "")
    return _checked("tool_calls", reason, parameters)


def _difference(place: int, expected: ExpectedTool, run: ToolRun) -> str:
    if run.call.name != expected.name:
        return f"call {place}: expected the tool {expected.name!r}, got {run.call.name[:60]!r}"
    if canonical_arguments(run.call.arguments) != expected.canonical_arguments:
        return f"call {place}: expected other arguments of {expected.name!r}"
    if expected.outcome is None or run.outcome == expected.outcome:
        return ""
    if run.outcome == "unknown":
        msg = f"call {place}: the outcome is uncertain, so that none can be confirmed or refused"
        raise IncompleteRecording(msg)
    return f"call {place}: expected the outcome {expected.outcome}, got {run.outcome}"


def _consistency(sample: RunSample, project: OutputProjection | None) -> Report:
    baseline = sample.expected.baseline
    wanted = "" if baseline is None else behavior_digest(baseline, project)
    reason = (
        "" if behavior_digest(sample.actual, project) == wanted else "expected the same behaviour"
    )
    return _checked("consistency", reason, {"baseline_digest": wanted})


def _limits(sample: RunSample) -> Iterator[Limited]:
    limits, actual = sample.expected.limits, sample.actual
    for name in _USAGE:
        maximum: int | None = getattr(limits, name)
        if maximum is not None:
            yield Limited(name, "count", getattr(actual.tree_usage(), name), maximum)
    if limits.total_tokens is not None:
        yield Limited("total_tokens", "token", actual.total_tokens(), limits.total_tokens)
    if limits.elapsed_ns is not None:
        if actual.elapsed_ns is None:
            msg = "nobody measured how long the run took"
            raise IncompleteRecording(msg)
        yield Limited("recording_elapsed", "s", actual.elapsed_ns, limits.elapsed_ns, _SECOND)
