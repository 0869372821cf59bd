"""A small recorded run: two model calls, one tool call, two steps of one process."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import pytest

from assay.evaluators.trajectory.recording import (
    Coverage,
    EffectRef,
    Event,
    ModelCall,
    ModelResponse,
    Relation,
    Termination,
    TokenUsage,
    ToolRequest,
    ToolResult,
    ToolRun,
    Trajectory,
    UsageCounters,
)

INCARNATION = "incarnation:" + "0" * 32
USAGE = UsageCounters(committed_steps=2, prepared_effects=3, accepted_signals=1)
ROOT = Relation(process_id="p", root_process_id="p")
COMPLETED = {"process_status": "completed", "termination_cause": "completion"}


def attempt(number: int) -> str:
    """An attempt id."""
    return f"attempt:{number:032x}"


@dataclass
class Run:
    """What a trajectory is made of, to be changed before it is built.

    Attributes:
        facts: Name, step, effect and payload of the events, numbered when they are built.
        members: The other members of the trajectory.
    """

    facts: list[tuple[str, int | None, str | None, dict[str, object]]]
    members: dict[str, object] = field(default_factory=dict)

    def events(self, relation: Relation = ROOT, incarnation: str = INCARNATION) -> list[Event]:
        """The events of one process."""
        return [
            Event.model_validate(
                {
                    "process_sequence": place,
                    "process_id": relation.process_id,
                    "relation": relation,
                    "name": name,
                    "payload": payload,
                    "tree_incarnation_id": incarnation,
                    "step_sequence": step,
                    "effect_id": effect,
                    "occurred_at": "2026-01-01T00:00:00+00:00",
                }
            )
            for place, (name, step, effect, payload) in enumerate(self.facts, 1)
        ]

    def build(self, **changes: object) -> Trajectory:
        """The trajectory, with other members where they are given."""
        given = {"root_process_id": "p", "events": self.events(), **self.members, **changes}
        return Trajectory.model_validate(given)


def effect(
    step: int, name: str, number: int, settlement: str = "succeeded"
) -> list[tuple[str, int | None, str | None, dict[str, object]]]:
    """The two events of an attempt of the dispatcher."""
    known = {"attempt_id": attempt(number), "effect_target": "dispatcher"}
    ended = {**known, "settlement_status": settlement, "duration_ms": 5}
    return [
        ("agent.effect.started", step, name, known),
        ("agent.effect.finished", step, name, ended),
    ]


def model(number: int, sequence: int, step: int, calls: Iterable[ToolRequest] = ()) -> ModelCall:
    """A model call with 3 + 2 tokens."""
    return ModelCall(
        process_id="p",
        tree_incarnation_id=INCARNATION,
        effect_id=f"model-{sequence}",
        attempt_id=attempt(number),
        step_sequence=step,
        call_sequence=sequence,
        request={"messages": []},
        response=ModelResponse(
            id="r", tool_calls=tuple(calls), usage=TokenUsage(input_tokens=3, output_tokens=2)
        ),
    )


def tool(number: int, request: ToolRequest, **changes: object) -> ToolRun:
    """A tool call that answered."""
    result = ToolResult(id=request.id, name=request.name, output="sunny")
    return ToolRun.model_validate(
        {
            "process_id": "p",
            "tree_incarnation_id": INCARNATION,
            "effect_id": "tool-1",
            "attempt_id": attempt(number),
            "step_sequence": 1,
            "model_call": 1,
            "index": 0,
            "call": request,
            "result": result,
            **changes,
        }
    )


def ref(name: str) -> EffectRef:
    """A reference to an effect of the root."""
    return EffectRef(process_id="p", effect_id=name, tree_incarnation_id=INCARNATION)


@pytest.fixture(scope="session")
def weather() -> Callable[..., Run]:
    """A run that asks for the weather of a city; ids and output can be others."""

    def make(city: str = "Berlin", call_id: str = "call-1", output: str = '{"a":1}') -> Run:
        request = ToolRequest(id=call_id, name="weather", arguments=f'{{"city": "{city}"}}')
        facts = [
            ("agent.process.started", None, None, {}),
            ("agent.signal.accepted", None, None, {"signal_id": "s"}),
            ("agent.step.started", 1, None, {}),
            *effect(1, "model-1", 1),
            *effect(1, "tool-1", 2),
            ("agent.step.committed", 1, None, {"process_status": "running"}),
            ("agent.step.started", 2, None, {}),
            *effect(2, "model-2", 3),
            ("agent.step.committed", 2, None, {"process_status": "completed"}),
            ("agent.process.finished", None, None, {**COMPLETED, "usage": USAGE.model_dump()}),
        ]
        members: dict[str, object] = {
            "termination": Termination.model_validate(COMPLETED),
            "output": output,
            "root_usage": USAGE,
            "coverage": Coverage(models=(ref("model-1"), ref("model-2")), tools=(ref("tool-1"),)),
            "elapsed_ns": 2 * 10**9,
            "model_calls": (model(1, 1, 1, [request]), model(3, 2, 2)),
            "tool_calls": (tool(2, request),),
        }
        return Run(facts, members)

    return make


@pytest.fixture
def bare() -> Run:
    """A run without any external operation."""
    facts: list[tuple[str, int | None, str | None, dict[str, object]]] = [
        ("agent.process.started", None, None, {}),
        ("agent.step.started", 1, None, {}),
        ("agent.step.committed", 1, None, {"process_status": "completed"}),
        ("agent.process.finished", None, None, {**COMPLETED, "usage": USAGE.model_dump()}),
    ]
    members: dict[str, object] = {
        "termination": Termination.model_validate(COMPLETED),
        "output": "null",
        "root_usage": USAGE,
    }
    return Run(facts, members)
