"""Tool-call checks on real data: the Berkeley function-calling cases, and agents of tau-bench."""

import importlib.util
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assay.evaluators.case import Case
from assay.evaluators.errors import Skip
from assay.evaluators.execution import Execution, ToolCall
from assay.evaluators.registry import find
from assay.evaluators.sample import RetainedSample, Sample
from assay.evaluators.statistics import Repeats, Undefined, pass_hat_k

QUICKSTART = Path(__file__).parents[3] / "examples" / "quickstart"
Json = dict[str, Any]


@cache
def berkeley() -> list[Json]:
    """The 400 cases of the leaderboard's category `simple_python`."""
    with (QUICKSTART / "cases.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@cache
def module(name: str) -> ModuleType:
    """A file of the quickstart; SOURCE.md there says how `graders` agrees with the leaderboard."""
    spec = importlib.util.spec_from_file_location(name, QUICKSTART / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def options(accepted: object) -> list[object]:
    """The plain values that an accepted value of the leaderboard stands for.

    An object there has a list of accepted values for each member, "" where it may be left out.
    """
    if not isinstance(accepted, dict):
        return [accepted]
    members = [[(key, one) for one in values] for key, values in accepted.items()]
    return [{key: value for key, value in chosen if value != ""} for chosen in product(*members)]


def expectation(case: Json) -> Json:
    """The accepted answers of a case as an expected call."""
    ((name, arguments),) = case["expected"].items()
    required = case["input"]["functions"][0]["parameters"]["required"]
    return {
        "name": name,
        "accepted": {
            key: [plain for one in values if one != "" for plain in options(one)]
            for key, values in arguments.items()
        },
        "optional": [
            key for key, values in arguments.items() if "" in values and key not in required
        ],
    }


def passes(case: Json, *calls: Mapping[str, Any]) -> list[bool]:
    """What tool_calls says of each of the calls beside the accepted answers."""
    evaluator = find("trajectory.tool_calls").configured({"expected": [expectation(case)]})
    case_of_all = Case(id="c", input=1)

    def one(call: Mapping[str, Any]) -> bool:
        made = ToolCall(name=call["name"], arguments=dict(call["arguments"]))
        sample = Sample(case_of_all, Execution(output=1, tool_calls=(made,)))
        return evaluator.grade(sample).verdict == "pass"

    return [one(call) for call in calls]


def accepted(case: Json, call: Mapping[str, Any]) -> bool:
    """What the leaderboard's rules say, text compared as it is."""
    sample = Sample(
        Case(id="c", input=case["input"], expected=case["expected"]),
        Execution(output=dict(call)),
    )
    verdict: bool = module("graders").accepted.function(sample, exact_text=True)
    return verdict


def gold(case: Json, place: int) -> Json:
    """The call that is made of the first or the last accepted value of each argument."""
    ((name, arguments),) = case["expected"].items()
    chosen = {key: [one for one in values if one != ""] for key, values in arguments.items()}
    return {
        "name": name,
        "arguments": {
            key: options(values[place])[place] for key, values in chosen.items() if values
        },
    }


def spoiled(call: Json) -> Iterator[Json]:
    """The call with one change: another function, an argument gone, added, of another kind."""
    yield {**call, "name": call["name"] + "_other"}
    arguments = call["arguments"]
    yield {**call, "arguments": {**arguments, "zzz_added": 1}}
    for key in arguments:
        yield {**call, "arguments": {k: v for k, v in arguments.items() if k != key}}
        yield {**call, "arguments": {**arguments, key: {"no": "value"}}}


@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_accepted_answers_of_the_leaderboard_pass(place: int) -> None:
    """400 real questions: a call made of accepted values is right."""
    failed = [case["id"] for case in berkeley() if passes(case, gold(case, place)) != [True]]
    assert failed == []


def test_spoiled_answers_get_the_leaderboards_verdict() -> None:
    """One change each: removed arguments pass exactly where they may be left out."""
    verdicts: Counter[tuple[bool, bool]] = Counter()
    for case in berkeley():
        calls = list(spoiled(gold(case, 0)))
        theirs = [accepted(case, call) for call in calls]
        verdicts.update(zip(theirs, passes(case, *calls), strict=True))
    assert verdicts == {(True, True): 171, (False, False): 2915}


def test_a_real_callers_answers_get_the_leaderboards_verdict() -> None:
    """400 answers of the quickstart's caller, right ones and wrong ones."""
    answers = [(case, module("bot").answer(case["input"])) for case in berkeley()]
    verdicts = Counter((accepted(case, call), *passes(case, call)) for case, call in answers)
    assert verdicts == {(True, True): 161, (False, False): 239}


def verdict(sample: RetainedSample, use: str, **settings: object) -> str:
    """The verdict on a retained trajectory, `skipped` where the check does not apply."""
    try:
        return find(f"trajectory.{use}").configured(settings).grade(sample.fresh()).verdict
    except Skip:
        return "skipped"


def test_gold_actions_tell_rewarded_agents_from_others(tau_bench: list[RetainedSample]) -> None:
    """200 real trajectories: who did the gold actions, and who got the reward of the benchmark.

    The reward compares the data base at the end, so that neither implies the other.
    """
    table = Counter(
        (sample.metadata["reward"] == 1, verdict(sample, "tool_calls", match="subset"))
        for sample in tau_bench
    )
    assert table == {
        (True, "pass"): 57,
        (True, "fail"): 27,
        (False, "pass"): 19,
        (False, "fail"): 97,
    }


def test_looser_checks_pass_more_real_agents(tau_bench: list[RetainedSample]) -> None:
    """In order within subset, arguments within names, on every one of the 200."""
    for sample in tau_bench:
        strict = verdict(sample, "tool_calls", match="in_order")
        subset = verdict(sample, "tool_calls", match="subset")
        names = verdict(sample, "tool_calls", match="subset", ignore_args=True)
        assert (strict == "pass") <= (subset == "pass") <= (names == "pass")


def test_real_calls_are_counted_as_they_were_made(tau_bench: list[RetainedSample]) -> None:
    """1,164 calls, of which 48 hand over to a human; some fail, some agents call nothing."""
    counts = find("trajectory.call_counts")
    total = sum(counts.grade(sample.fresh()).measurement or 0 for sample in tau_bench)
    transfers = sum(
        verdict(sample, "required_tool", tool="transfer_to_human_agents") == "pass"
        for sample in tau_bench
    )
    failing = Counter(verdict(sample, "tool_error_rate", maximum=0.0) for sample in tau_bench)
    assert (total, transfers, failing) == (1164, 48, {"pass": 147, "fail": 35, "skipped": 18})


def test_pass_hat_k_of_real_agents_agrees_with_their_rewards(
    tau_bench: list[RetainedSample],
) -> None:
    """Four trials of each of 50 tasks: by our statistic, by listing every choice, as published.

    The published numbers are those of the benchmark's repository for this agent: 0.420, 0.273,
    0.220 and 0.200.
    """
    rewards: defaultdict[str, list[bool]] = defaultdict(list)
    for sample in tau_bench:
        rewards[sample.case_id].append(sample.metadata["reward"] == 1)
    assert {len(trials) for trials in rewards.values()} == {4}
    for k, published in enumerate(["0.420", "0.273", "0.220", "0.200"], 1):
        ours = [pass_hat_k(Repeats(sum(one), 4 - sum(one)), k) for one in rewards.values()]
        chosen = [all(one) for trials in rewards.values() for one in combinations(trials, k)]
        mean = sum(one for one in ours if not isinstance(one, Undefined)) / len(rewards)
        assert mean == pytest.approx(sum(chosen) / len(chosen))
        assert f"{mean:.3f}" == published
