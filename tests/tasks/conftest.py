"""Runs to test with: plans made of objects, stores in memory, and no host."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.registry import find
from assay.tasks.await_recording import BackPressure
from assay.tasks.plan import Plan
from assay.tasks.prepare_regrade import prepare_regrade
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.regrade_chunks import grade_all
from assay.tasks.regrade_report import RegradeReport, report_regrade
from assay.tasks.result_listener import ResultListener
from assay.tasks.run_trials import execute_trials
from assay.tasks.store import open_store
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import OnResult
from assay.tasks.trial_session import TrialSession


@pytest.fixture
def make_plan() -> Callable[..., Plan]:
    """Makes a plan: cases `c0`, `c1`, … that ask `q0`, … and expect `Q0`, …."""

    def make(
        target: Callable[[object], object] = str.upper,
        *,
        cases: int | Sequence[Case] = 3,
        suite: Sequence[Assessment] = (),
        **settings: object,
    ) -> Plan:
        if isinstance(cases, int):
            cases = [Case(id=f"c{n}", input=f"q{n}", expected=f"Q{n}") for n in range(cases)]
        return Plan(
            name="plan",
            dataset=Dataset(cases=cases),
            target=target,
            suite=suite or [Assessment("exact", find("text.equals_expected"))],
            settings={"retries": {"backoff_seconds": 0}, **settings},
        )

    return make


@pytest.fixture
def prepare(address: str, make_plan: Callable[..., Plan]) -> Callable[..., PreparedRun]:
    """Prepares the run of such a plan, or takes it up again under its id."""

    def prepared(
        target: Callable[[object], object] = str.upper,
        *,
        run_id: str | None = None,
        **parts: object,
    ) -> PreparedRun:
        return prepare_run(make_plan(target, **parts), store=address, run_id=run_id)

    return prepared


async def no_host(*_work: object) -> None:
    """A host that does nothing, so that the work makes every attempt itself."""


@pytest.fixture
def execute() -> Callable[..., Tally]:
    """Executes what is left of a run, without Prefect."""

    def executed(
        prepared: PreparedRun,
        *,
        on_result: OnResult | None = None,
        host: Callable[[TrialKey, TrialSession], Awaitable[object]] = no_host,
    ) -> Tally:
        listener = ResultListener(on_result)
        return asyncio.run(execute_trials(prepared, host, listener, BackPressure(None)))

    return executed


GRADERS = """
from pathlib import Path

from assay import Skip, evaluator
from assay.evaluators.errors import EvaluatorError

CALLS = Path(__file__).with_name("calls.log")


def called(name):
    with CALLS.open("a") as log:
        log.write(name + "\\n")


@evaluator(revision="1")
def same(sample):
    called("same")
    return sample.output == sample.expected


@evaluator(revision="1")
def long(sample, *, minimum: int = 2):
    called("long")
    return len(sample.output) >= minimum


@evaluator(revision="1", outputs=("length", "first"))
def facts(sample):
    called("facts")
    return {"length": len(sample.output), "first": sample.output[:1]}


@evaluator(revision="1")
def broken(sample):
    called("broken")
    raise EvaluatorError("unavailable", "judge is down")


@evaluator(revision="1")
async def awaited(sample):
    called("awaited")
    return 0.5


@evaluator(revision="1")
def picky(sample):
    called("picky")
    return Skip("not for me")


def _make():
    namespace = {}
    source = "def hidden(sample):\\n    called('hidden')\\n    return True"
    exec(source, {"called": called}, namespace)
    return evaluator()(namespace["hidden"])


sourceless = _make()
"""

SUITE = """
- {id: same, use: "graders:same"}
- {id: long, use: "graders:long"}
- {id: facts, use: "graders:facts"}
- {id: awaited, use: "graders:awaited"}
- {id: picky, use: "graders:picky"}
"""


@pytest.fixture
def graded_folder(tmp_path: Path) -> Path:
    """An experiment in files, whose graders log their calls; nothing has run yet."""
    cases = [{"id": f"c{n}", "input": f"q{n}", "expected": f"Q{n % 2}"} for n in range(4)]
    files = {
        "graders.py": GRADERS,
        "suite.yaml": SUITE,
        "cases.jsonl": "\n".join(map(json.dumps, cases)),
        "bot.py": "def answer(given):\n    return given.upper()\n",
        "experiment.yaml": "name: graded\ndataset: cases.jsonl\ntarget: bot:answer\n"
        "suite: suite.yaml\nretries: {attempts: 1}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def regrade(address: str) -> Callable[..., RegradeReport]:
    """Grades the receipts of a run of the test's store again, without Prefect."""

    def regraded(run_id: str, **asked: object) -> RegradeReport:
        prepared = prepare_regrade(open_store(address), run_id, **asked)
        return report_regrade(prepared, asyncio.run(grade_all(prepared, no_host)))

    return regraded
