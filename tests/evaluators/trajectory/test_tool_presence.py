"""Single tools: required, forbidden, counted, failing."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import IncompleteRecording, InvalidEvaluatorConfig, Skip
from assay.evaluators.evidence import ToolOperation
from assay.evaluators.execution import ToolCall
from assay.evaluators.finding import EvidenceRef
from assay.evaluators.registry import find
from assay.evaluators.report import Report

Grade = Callable[..., Report]


def calls(*names: str) -> list[ToolCall]:
    """Recorded calls of tools by name."""
    return [ToolCall(name=name, result="done") for name in names]


def test_a_required_tool_may_be_called_at_any_place(grade: Grade) -> None:
    """Evidence Y1: in a later turn too; another tool does not do."""
    assert grade("required_tool", calls("other", "lookup"), tool="lookup").verdict == "pass"
    report = grade("required_tool", calls("other"), tool="lookup")
    assert (report.verdict, report.score) == ("fail", 0)
    assert report.feedback == "expected a call of 'lookup', got 1 calls of other tools"
    [finding] = report.findings
    assert (finding.code, finding.severity) == ("required_tool_absent", "high")
    assert finding.references == (EvidenceRef(evidence_id=report.evidence[0].id),)


def test_a_forbidden_tool_is_cited_without_its_arguments(grade: Grade) -> None:
    """Evidence Y4: name and size in bytes, the first call of it."""
    secret = ToolCall(name="t", arguments={"a": 1})
    report = grade("forbidden_tool", [*calls("x"), secret, secret], tool="t")
    assert report.verdict == "fail"
    assert report.evidence == (ToolOperation(id="forbidden_tool/hit", tool_name="t", args_bytes=7),)
    assert report.findings[0].code == "forbidden_tool_present"
    assert report.feedback == "expected no call of 't', got one as call 2 of 3"
    assert grade("forbidden_tool", calls("x"), tool="t").findings == ()


def test_broken_arguments_do_no_harm(grade: Grade) -> None:
    """Evidence Y3: only the name is read; the size is that of the text as it came."""
    broken = [ToolCall(name="t", arguments='{"id": ')]
    assert grade("required_tool", broken, tool="t").verdict == "pass"
    [hit] = grade("forbidden_tool", broken, tool="t").evidence
    assert isinstance(hit, ToolOperation)
    assert hit.args_bytes == 7


@pytest.mark.parametrize("use", ["required_tool", "forbidden_tool", "call_counts"])
@pytest.mark.parametrize("name", ["", "a\ud800", "x" * 257, 3])
def test_an_impossible_name_is_refused(use: str, name: object) -> None:
    """Evidence Y6: before anything runs; 256 bytes are fine."""
    evaluator = find(f"trajectory.{use}")
    with pytest.raises(InvalidEvaluatorConfig):
        evaluator.configured({"tool": name})
    evaluator.configured({"tool": "x" * 256})


def test_the_longest_name_fits_into_a_finding(grade: Grade) -> None:
    """Evidence Y6: the failing report is valid too."""
    longest = "x" * 256
    assert grade("forbidden_tool", calls(longest), tool=longest).verdict == "fail"
    assert grade("required_tool", [], tool=longest).verdict == "fail"


@pytest.mark.parametrize("use", ["required_tool", "forbidden_tool", "call_counts"])
def test_calls_that_nobody_recorded_are_unverified(grade: Grade, use: str) -> None:
    """No forbidden call was seen is not the same as there was none."""
    with pytest.raises(IncompleteRecording):
        grade(use, None, tool="t")


@pytest.mark.parametrize(
    ("count", "bounds", "verdict", "reason"),
    [
        (0, {"min": 1}, "fail", "expected at least 1 calls of t, got 0"),
        (1, {"min": 1}, "pass", ""),
        (3, {"max": 3}, "pass", ""),
        (4, {"max": 3}, "fail", "expected at most 3 calls of t, got 4"),
        (2, {"min": 2, "max": 2}, "pass", ""),
        (3, {"min": 2, "max": 2}, "fail", "expected exactly 2 calls of t, got 3"),
        (0, {"max": 0}, "pass", ""),
        (5, {"min": 1, "max": 3}, "fail", "expected 1 to 3 calls of t, got 5"),
    ],
)
def test_counts_are_held_against_inclusive_bounds(
    grade: Grade, count: int, bounds: dict[str, int], verdict: str, reason: str
) -> None:
    """The count is measured, and the bounds are no part of the metric."""
    report = grade("call_counts", calls(*["t"] * count, "other"), tool="t", calls=bounds)
    assert (report.measurement, report.score) == (count, None)
    assert (report.verdict, report.feedback) == (verdict, reason)
    assert report.metric == grade("call_counts", (), tool="t").metric
    assert str(report.metric) == "trajectory/call_counts"


def test_without_a_tool_all_calls_count_and_without_bounds_nothing_is_decided(
    grade: Grade,
) -> None:
    """A measurement alone can be compared between two systems."""
    report = grade("call_counts", calls("a", "b", "a"))
    assert (report.measurement, report.verdict) == (3, "")


@pytest.mark.parametrize("bounds", [{}, {"min": 3, "max": 1}, {"min": -1}, {"most": 1}])
def test_impossible_bounds_are_refused(bounds: dict[str, int]) -> None:
    """Bounds that nothing or everything satisfies say nothing."""
    with pytest.raises(InvalidEvaluatorConfig):
        find("trajectory.call_counts").configured({"calls": bounds})


def outcomes(errors: list[bool]) -> list[ToolCall]:
    """Calls that failed or did not."""
    return [ToolCall(name="t", result="done", is_error=one) for one in errors]


def test_the_error_rate_is_a_share_of_all_calls(grade: Grade) -> None:
    """Half of four, decided only where somebody says how many are too many."""
    made = outcomes([True, False, True, False])
    report = grade("tool_error_rate", made)
    assert (report.measurement, report.verdict, report.score) == (0.5, "", None)
    assert report.metric.direction == "lower_is_better"
    assert grade("tool_error_rate", made, maximum=0.5).verdict == "pass"
    strict = grade("tool_error_rate", made, maximum=0.25)
    assert strict.verdict == "fail"
    assert strict.feedback == "expected at most 0.25 of the calls to fail, got 2 of 4"


def test_a_share_of_nothing_is_no_number(grade: Grade) -> None:
    """Neither 0 errors nor 0 percent: there was no call."""
    with pytest.raises(Skip, match="no tool was called"):
        grade("tool_error_rate", ())


def test_a_call_without_an_outcome_leaves_the_rate_open(grade: Grade) -> None:
    """An unobserved outcome is missing evidence, not a success."""
    made = [*outcomes([True]), ToolCall(name="t")]
    with pytest.raises(IncompleteRecording, match="1 of 2 tool calls have neither"):
        grade("tool_error_rate", made)


@given(errors=st.lists(st.booleans(), min_size=1))
def test_the_rate_is_the_mean_of_errors_in_any_order(grade: Grade, errors: list[bool]) -> None:
    """Within 0 and 1, whatever the order."""
    rate = grade("tool_error_rate", outcomes(errors)).measurement
    assert rate == sum(errors) / len(errors)
    assert rate == grade("tool_error_rate", outcomes(errors[::-1])).measurement
