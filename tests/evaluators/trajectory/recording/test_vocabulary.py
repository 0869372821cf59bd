"""Events, endings, calls and their outcomes: what can be recorded at all."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.canonical import decode, write
from assay.evaluators.trajectory.recording import (
    KINDS,
    Coverage,
    EffectRef,
    Event,
    EvidenceGaps,
    InvalidTrajectory,
    ModelCall,
    ModelResponse,
    Relation,
    Termination,
    ToolRequest,
    ToolResult,
    ToolRun,
    UsageCounters,
)

INCARNATION = "incarnation:" + "0" * 32
ATTEMPT = "attempt:" + "0" * 32
WHERE = {
    "process_id": "p",
    "tree_incarnation_id": INCARNATION,
    "effect_id": "e",
    "attempt_id": ATTEMPT,
    "step_sequence": 1,
}
REQUEST = ToolRequest(id="c", name="t", arguments="{}")
RESULT = ToolResult(id="c", name="t", output="x")
Build = Callable[..., object]


def model(**changes: object) -> ModelCall:
    """A model call."""
    return ModelCall.model_validate({**WHERE, "call_sequence": 1, "request": {}, **changes})


def tool(**changes: object) -> ToolRun:
    """A tool call."""
    return ToolRun.model_validate({**WHERE, "model_call": 1, "call": REQUEST, **changes})


def event(**changes: object) -> Event:
    """An event of a root process."""
    known = {
        "process_sequence": 1,
        "process_id": "p",
        "relation": Relation(process_id="p", root_process_id="p"),
        "name": "agent.process.started",
    }
    return Event.model_validate({**known, **changes})


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"response": ModelResponse()}, "succeeded"),
        ({}, "unobserved"),
        ({"unknown": True}, "unknown"),
        ({"unknown": True, "failure": "reset"}, "unknown"),
    ],
)
def test_a_model_calls_outcome_follows_from_what_was_observed(
    changes: dict[str, object], outcome: str
) -> None:
    """Kernel 12.2: unknown is an observed uncertainty, unobserved is missing evidence."""
    assert model(**changes).outcome == outcome


@pytest.mark.parametrize(
    "changes",
    [
        {"response": ModelResponse(), "unknown": True},
        {"response": ModelResponse(), "failure": "reset"},
        {"failure": "reset"},
        {"unknown": True, "failure": " reset"},
        {"outcome": "succeeded"},
        {"call_sequence": 0},
        {"tree_incarnation_id": None},
        {"attempt_id": "attempt:1"},
        {"request": None},
    ],
)
def test_a_model_call_that_contradicts_itself_cannot_be_built(changes: dict[str, object]) -> None:
    """Kernel 12.2: a stored outcome is an unknown member."""
    with pytest.raises(InvalidTrajectory):
        model(**changes)


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"result": RESULT}, "succeeded"),
        ({"result": ToolResult(id="c", name="t", is_error=True)}, "error"),
        ({}, "unobserved"),
        ({"failure": "permission refused"}, "failed"),
        ({"failure": "permission refused", "unknown": True}, "unknown"),
        ({"input_required": True}, "input_required"),
        ({"unknown": True, "evidence": "half"}, "unknown"),
        ({"model_call": 0, "result": RESULT}, "succeeded"),
    ],
)
def test_a_tool_calls_outcome_follows_from_what_was_observed(
    changes: dict[str, object], outcome: str
) -> None:
    """Kernel 12.2, its examples."""
    assert tool(**changes).outcome == outcome


@pytest.mark.parametrize(
    "changes",
    [
        {"result": RESULT, "unknown": True},
        {"failure": "refused", "unknown": True, "input_required": True},
        {"result": RESULT, "failure": "refused"},
        {"result": RESULT, "evidence": "half"},
        {"evidence": "half"},
        {"model_call": 0, "index": 1},
        {"result": ToolResult(id="other", name="t")},
        {"result": ToolResult(id="c", name="other")},
        {"call": ToolRequest(name="t", arguments="{} {}")},
        {"call": ToolRequest(name="t", arguments='{"a":1,"\\u0061":1}')},
        {"call": ToolRequest(name="t", arguments='"\\ud800"')},
    ],
)
def test_a_tool_call_that_contradicts_itself_cannot_be_built(changes: dict[str, object]) -> None:
    """Kernel 12.2, and kernel 12.8 example 7: two outcomes, or arguments that are no JSON."""
    with pytest.raises(InvalidTrajectory):
        tool(**changes)


@pytest.mark.parametrize("name", KINDS)
def test_every_event_has_its_phase_and_comes_back(name: str) -> None:
    """Kernel 12.1: the table of names."""
    kind = KINDS[name]
    payloads: dict[str, dict[str, object]] = {
        "agent.process.finished": {
            "process_status": "killed",
            "termination_cause": "engine_kill",
            "usage": {"committed_steps": 1},
        },
        "agent.runtime.stopped": {"failure_kind": "panic", "failure_code": "host.lost"},
        "agent.signal.accepted": {"signal_id": "s", "wait_id": "w"},
        "agent.step.finished": {
            "step_status": "discarded",
            "work_duration_ns": 1,
            "adoption_delay_ns": 0,
        },
        "agent.step.committed": {"process_status": "waiting"},
        "agent.effect.started": {"attempt_id": ATTEMPT, "effect_target": "framework"},
        "agent.effect.finished": {
            "attempt_id": ATTEMPT,
            "effect_target": "dispatcher",
            "settlement_status": "unknown",
            "duration_ms": 3,
        },
        "agent.effect.resolved": {"effect_target": "dispatcher", "settlement_status": "failed"},
        "agent.delta.dropped": {"attempt_id": ATTEMPT, "dropped_delta_count": 2},
    }
    ids: dict[str, object] = {} if kind.scope == "process" else {"step_sequence": 1}
    if kind.scope == "effect":
        ids["effect_id"] = "e"
    made = event(name=name, payload=payloads.get(name, {}), **ids)
    assert made.phase == kind.phase
    assert Event.model_validate(decode(write(made))) == made


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "agent.process.exploded"},
        {"phase": "attempt"},
        {"process_sequence": 0},
        {"process_id": "q"},
        {"process_id": "p q"},
        {"step_sequence": 1},
        {"name": "agent.step.started"},
        {"name": "agent.step.started", "step_sequence": 1, "effect_id": "e"},
        {"payload": {"more": 1}},
        {"occurred_at": "2026-01-01"},
        {"tree_incarnation_id": "incarnation:1"},
        {"unknown": 1},
        {
            "name": "agent.effect.resolved",
            "step_sequence": 1,
            "effect_id": "e",
            "payload": {"effect_target": "dispatcher", "settlement_status": "unknown"},
        },
    ],
)
def test_an_event_outside_the_vocabulary_cannot_be_built(changes: dict[str, object]) -> None:
    """Kernel 12.1: strict, also about which ids belong to a fact."""
    with pytest.raises(InvalidTrajectory):
        event(**changes)


@pytest.mark.parametrize(
    "members",
    [
        {"process_status": "completed", "termination_cause": "panic"},
        {"process_status": "failed", "termination_cause": "panic"},
        {
            "process_status": "failed",
            "termination_cause": "panic",
            "failure_kind": "external",
            "failure_code": "a.b",
        },
        {"process_status": "failed", "termination_cause": "panic", "failure_kind": "panic"},
        {
            "process_status": "failed",
            "termination_cause": "panic",
            "failure_kind": "panic",
            "failure_code": "A.b",
        },
        {
            "process_status": "completed",
            "termination_cause": "completion",
            "failure_kind": "panic",
            "failure_code": "a.b",
        },
        {"process_status": "running", "termination_cause": "completion"},
    ],
)
def test_a_cause_fixes_status_and_failure(members: dict[str, object]) -> None:
    """Kernel 12.1: the termination cause fixes the status, the failure its kind."""
    with pytest.raises(InvalidTrajectory):
        Termination.model_validate(members)


@pytest.mark.parametrize(
    "members",
    [
        {"process_id": "p", "root_process_id": "p", "depth": 1},
        {"process_id": "p", "root_process_id": "p", "parent_process_id": "q"},
        {"process_id": "c", "root_process_id": "p", "depth": 1},
        {"process_id": "c", "root_process_id": "p", "parent_process_id": "p", "depth": 1},
        {"process_id": "c", "root_process_id": "p", "parent_process_id": "p", "child_key": "k"},
    ],
)
def test_a_root_has_neither_parent_nor_key(members: dict[str, object]) -> None:
    """Kernel 12.1: and everything else has both."""
    with pytest.raises(InvalidTrajectory):
        Relation.model_validate(members)


def test_an_effect_is_classified_once() -> None:
    """Kernel 12.4: invalid id or duplicate reference is refused when the coverage is made."""
    one = EffectRef(process_id="p", effect_id="e")
    for lists in ({"models": (one, one)}, {"models": (one,), "other": (one,)}):
        with pytest.raises(InvalidTrajectory, match="expected each effect once"):
            Coverage.model_validate(lists)
    with pytest.raises(InvalidTrajectory):
        Coverage.model_validate({"models": [{"process_id": "", "effect_id": "e"}]})


def test_sums_of_usage_do_not_overflow_silently() -> None:
    """Kernel 1.4c: unsigned 64-bit sums, an overflow is invalid."""
    most = UsageCounters(committed_steps=2**64 - 1)
    one, two = UsageCounters(committed_steps=1), UsageCounters(committed_steps=2)
    assert one.plus(two).committed_steps == 3
    with pytest.raises(InvalidTrajectory, match=r"usage\.committed_steps"):
        most.plus(one)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_gaps_saturate(one: int, other: int) -> None:
    """Kernel 12.3: counting losses must never fail; zeros are not written."""
    gaps = EvidenceGaps(dropped_events=one).plus(dropped_events=other)
    assert gaps.dropped_events == min(one + other, 2**64 - 1)
    assert write(EvidenceGaps()) == "{}"
    assert not EvidenceGaps()
