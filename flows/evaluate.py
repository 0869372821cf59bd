"""Evaluating an experiment: a plan, its trials as task runs, and the report."""

from contextvars import ContextVar
from os import PathLike

from prefect import flow
from prefect.states import Completed, State

from assay.tasks.host_context import flow_run_id
from assay.tasks.plan import Plan
from assay.tasks.prepare_prefect import prepare_prefect
from assay.tasks.prepare_run import PreparedRun, prepare_run
from assay.tasks.run_report import RunReport
from assay.tasks.run_trials import OnResult, run_trials

_prepared: ContextVar[PreparedRun | None] = ContextVar("assay_prepared_run", default=None)
_on_result: ContextVar[OnResult | None] = ContextVar("assay_on_result", default=None)


@flow(name="evaluate", flow_run_name="{experiment}", persist_result=False)
async def evaluate_flow(
    experiment: str, store: str | None = None, run_id: str | None = None
) -> State[RunReport]:
    """Run what an experiment file plans, and report it.

    Args:
        experiment: Path of the experiment file.
        store: Where the run goes; the environment and the file say it otherwise.
        run_id: Go on with this run, or give a new one this id.
    """
    prepared = _prepared.get() or prepare_run(experiment, store=store, run_id=run_id)
    report = await run_trials(prepared, flow_run_id(), _on_result.get())
    return Completed(message=report.verdict_line(), data=report)


async def evaluate(
    experiment: str | PathLike[str] | Plan,
    *,
    store: str | None = None,
    run_id: str | None = None,
    on_result: OnResult | None = None,
) -> RunReport:
    """The report of an experiment, run as a Prefect flow with one task run a trial.

    Args:
        experiment: Path of an experiment file, or a plan made in Python.
        store: Where the run goes; the environment and the experiment say it otherwise.
        run_id: Go on with this run, or give a new one this id.
        on_result: Called with each trial that has ended, one call at a time; an error that it
            raises is raised once the report exists.

    Raises:
        InputError: when anything is wrong that can be known before the first target call.
        StoreError: when rows cannot be stored; what was acknowledged before stays.
    """
    prepared = prepare_run(experiment, store=store, run_id=run_id)
    return await evaluate_prepared(prepared, on_result=on_result)


async def evaluate_prepared(
    prepared: PreparedRun, *, on_result: OnResult | None = None
) -> RunReport:
    """The report of a run that is prepared; as `evaluate`."""
    prepare_prefect()  # an embedded server takes its settings from the environment when it starts
    taken, heard = _prepared.set(prepared), _on_result.set(on_result)
    try:
        return await evaluate_flow(
            prepared.planned.settings.name, prepared.store.url, prepared.run.run_id
        )
    finally:
        _prepared.reset(taken)
        _on_result.reset(heard)
