"""Receipts with tool calls, and real trajectories as retained executions."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.evaluators.canonical import write
from assay.evaluators.case import Case
from assay.evaluators.execution import Execution, ToolCall
from assay.evaluators.open_map import OpenMap
from assay.evaluators.registry import find
from assay.evaluators.report import Report
from assay.evaluators.retained import CaseTexts, ExecutionTexts
from assay.evaluators.sample import RetainedSample, Sample

TAU_BENCH = Path(__file__).parents[4] / "shared" / "data" / "tau-bench"
MISSING = "NOT GRADED: the real trajectories of ../shared/data/tau-bench are not there"

Grade = Callable[..., Report]


@pytest.fixture(scope="session")
def grade() -> Grade:
    """What an evaluator of the family says of tool calls beside the metadata of a case."""

    def ask(
        use: str,
        calls: Iterable[ToolCall] | None,
        metadata: Mapping[str, object] | None = None,
        /,
        **settings: object,
    ) -> Report:
        recorded = None if calls is None else tuple(calls)
        case = Case(id="c", input=1, metadata=OpenMap.of(metadata or {}))
        sample = Sample(case, Execution(output=1, tool_calls=recorded))
        return find(f"trajectory.{use}").configured(settings).grade(sample)

    return ask


@pytest.fixture(scope="session")
def tau_bench() -> list[RetainedSample]:
    """The 200 airline trajectories of tau-bench (Sierra, MIT), as a store would hand them out.

    The case has the gold actions as `metadata.tool_calls` and the reward of the trial as
    `metadata.reward`; the repeat is the trial.
    """
    file = TAU_BENCH / "gpt-4o-airline.json"
    if not file.is_file():
        pytest.skip(MISSING)
    return [_retained(row) for row in json.loads(file.read_text(encoding="utf-8"))]


def _retained(row: Mapping[str, Any]) -> RetainedSample:
    gold = [
        {"name": action["name"], "arguments": action["kwargs"]}
        for action in row["info"]["task"]["actions"]
    ]
    case = CaseTexts(
        id=f"airline-{row['task_id']}",
        input=write(row["info"]["task"]["instruction"]),
        expected=None,
        metadata=write({"tool_calls": gold, "reward": row["reward"]}),
    )
    receipt = ExecutionTexts(
        status="completed",
        output=write(row["traj"][-1]["content"]),
        messages=write(row["traj"]),
        tool_calls=write(list(_calls(row["traj"]))),
    )
    return RetainedSample(case, receipt, row["trial"])


def _calls(messages: Iterable[Mapping[str, Any]]) -> Iterable[ToolCall]:
    """The calls that the assistant asked for, with what the tools answered."""
    results = {one["tool_call_id"]: one["content"] for one in messages if one["role"] == "tool"}
    for message in messages:
        for call in message.get("tool_calls") or ():
            result = results.get(call["id"])
            yield ToolCall(
                name=call["function"]["name"],
                arguments=call["function"]["arguments"],
                id=call["id"],
                result=result,
                is_error=result is not None and result.startswith("Error"),
            )
