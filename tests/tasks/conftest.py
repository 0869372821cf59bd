"""Runs to test with: plans made of objects, stores in memory, and no host."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from uuid import uuid4

import fsspec
import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.registry import find
from assay.tasks.await_recording import BackPressure
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.result_listener import ResultListener
from assay.tasks.run_trials import execute_trials
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import OnResult
from assay.tasks.trial_session import TrialSession


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a store in memory that does not exist yet."""
    name = f"/{uuid4()}"
    yield f"memory:/{name}"
    memory = fsspec.filesystem("memory")
    if memory.exists(name):
        memory.rm(name, recursive=True)


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


async def no_host(_key: TrialKey, _session: TrialSession) -> None:
    """A host that does nothing, so that the session makes every attempt itself."""


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
