"""An evaluation on Prefect: every trial is a task run, and the store has every number."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.settings import get_current_settings

from assay import Assessment, Case, Dataset, Plan, TargetError, evaluate, evaluator
from assay.evaluators.errors import InputError
from assay.evaluators.registry import find
from assay.flows.evaluate import evaluate_flow
from assay.tasks.store import open_store
from assay.tasks.trial_note import TrialNote

pytestmark = pytest.mark.prefect

Row = dict[str, object]


def _plan(target: Callable[[object], object], **settings: object) -> Plan:
    return Plan(
        name="on prefect",
        dataset=Dataset(
            cases=[Case(id=f"c{n}", input=f"q{n}", expected=f"Q{n}") for n in range(5)]
        ),
        target=target,
        suite=[Assessment("exact", find("text.equals_expected"))],
        settings={"retries": {"backoff_seconds": 0.01}, **settings},
    )


def _ask(path: str, body: object) -> list[Row]:
    with get_client(sync_client=True) as client:
        rows: list[Row] = client.request("POST", path, json=body).json()
        return rows


def _task_runs(run_id: str) -> dict[str, Row]:
    """What the API has of a run, by name; all of it is tagged with the run's id."""
    rows = _ask("/task_runs/filter", {"task_runs": {"tags": {"all_": [run_id]}}, "limit": 200})
    return {str(row["name"]): row for row in rows}


def _state_names(task_run: Row) -> list[str]:
    with get_client(sync_client=True) as client:
        response = client.request(
            "GET", "/task_run_states/", params={"task_run_id": task_run["id"]}
        )
        states = sorted(response.json(), key=lambda state: state["timestamp"])
    return [state["name"] for state in states]


class Flaky:
    """Fails twice for `q0`, always for `q1`, and never for the others."""

    def __init__(self) -> None:
        self.calls: Counter[object] = Counter()

    def __call__(self, given: str) -> str:
        """The answer, or a failure."""
        self.calls[given] += 1
        if given == "q0" and self.calls[given] < 3:
            raise TargetError("rate_limited", "slow down")
        if given == "q1":
            raise ValueError("broken")
        return given.upper()


def test_every_trial_stands_in_the_api_once_evaluate_returns(address: str) -> None:
    """With its name, how often it was tried, and how it ended; nothing is still on its way."""
    target = Flaky()
    report = asyncio.run(evaluate(_plan(target), store=address))
    runs = _task_runs(report.run_id)
    assert {name: row["run_count"] for name, row in runs.items()} == {
        "c0#0": 3,
        "c1#0": 1,
        "c2#0": 1,
        "c3#0": 1,
        "c4#0": 1,
    }
    assert {name for name, row in runs.items() if row["state_type"] == "FAILED"} == {"c1#0"}
    assert {name for name, row in runs.items() if row["state_type"] == "COMPLETED"} == {
        "c0#0",
        "c2#0",
        "c3#0",
        "c4#0",
    }
    assert Counter(_state_names(runs["c0#0"])) == {
        "Pending": 1,
        "Running": 1,
        "AwaitingRetry": 2,
        "Retrying": 2,
        "Completed": 1,
    }
    assert report.recorded == 5
    assert (report.target_calls, target.calls["q0"]) == (7, 3)
    trials = report.summary.trials
    assert (trials.graded, trials.target_failed, trials.not_run) == (4, 1, 0)


def test_the_flow_run_says_what_came_of_it(address: str) -> None:
    """A person who looks at Prefect alone learns the headline."""
    report = asyncio.run(evaluate(_plan(Flaky(), gates=["pass_rate >= 0.5"]), store=address))
    (task_run, *_) = _task_runs(report.run_id).values()
    (flow_run,) = _ask(
        "/flow_runs/filter", {"flow_runs": {"id": {"any_": [task_run["flow_run_id"]]}}}
    )
    assert flow_run["name"] == "on prefect"
    state = flow_run["state"]
    assert isinstance(state, dict)
    assert (state["type"], state["message"]) == (
        "COMPLETED",
        "4 of 5 trials to be judged passed (5 planned); gates: pass",
    )
    assert flow_run["parameters"] == {
        "experiment": "on prefect",
        "store": open_store(address).url,
        "run_id": report.run_id,
    }


def test_nothing_is_pickled_anywhere(address: str) -> None:
    """Results are in the store; Prefect keeps none of them."""
    storage = get_current_settings().results.local_storage_path
    before = set(storage.iterdir()) if storage.exists() else set()
    asyncio.run(evaluate(_plan(Flaky()), store=address))
    after = set(storage.iterdir()) if storage.exists() else set()
    assert after == before


def test_assessments_are_retried_by_prefect_too(address: str) -> None:
    """The target that has answered is left in peace."""
    target, judged = Flaky(), Counter[object]()

    @evaluator(revision="1")
    def judge(sample: object) -> bool:
        given = sample.input  # type: ignore[attr-defined]
        judged[given] += 1
        if given == "q2" and judged[given] < 3:
            raise TargetError("unavailable", "judge is down")
        return True

    plan = _plan(target)
    plan = Plan(plan.name, plan.dataset, target, [Assessment("judge", judge)], plan.settings)
    report = asyncio.run(evaluate(plan, store=address))
    assert _task_runs(report.run_id)["c2#0"]["run_count"] == 3
    assert (target.calls["q2"], judged["q2"], judged["q3"]) == (1, 3, 1)
    assert report.summary.headline.passes == 4


def test_a_run_goes_on_under_its_id(address: str) -> None:
    """With nothing left, nothing is called, and the report is the same."""
    target = Flaky()
    first = asyncio.run(evaluate(_plan(target), store=address))
    calls = dict(target.calls)
    again = asyncio.run(evaluate(_plan(target), store=address, run_id=first.run_id))
    assert target.calls == calls
    assert (again.target_calls, again.computed, again.reused) == (0, 0, 4)
    assert again.summary.payload() == first.summary.payload()


def test_an_error_of_the_callback_is_raised_once_the_report_exists(address: str) -> None:
    """It costs neither a trial nor the summary."""
    heard: list[TrialNote] = []

    def broken(note: TrialNote) -> None:
        heard.append(note)
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        asyncio.run(evaluate(_plan(Flaky()), store=address, on_result=broken))
    assert len(heard) == 5
    (entry,) = open_store(address).runs()
    run = open_store(address).run(entry.run_id)
    (grading,) = run.gradings()
    assert run.executions(["kind"]).height == 5
    assert grading.summary() is not None


def test_a_wrong_experiment_starts_no_flow(address: str) -> None:
    """All that can be known is known before."""
    with pytest.raises(InputError, match="repeats"):
        asyncio.run(evaluate(_plan(Flaky(), repeats=0), store=address))


def test_the_flow_reads_its_experiment_itself_where_nobody_did(folder: Path, address: str) -> None:
    """As a deployment calls it, with parameters that are JSON."""
    report = asyncio.run(evaluate_flow(str(folder / "experiment.yaml"), address, "named"))
    assert report.run_id == "named"
    assert report.summary.headline.passes == 1
