"""Evaluating an experiment: a plan, its trials as task runs, and the report."""

from os import PathLike
from typing import TypeAlias, cast

from prefect import flow
from prefect.states import Completed

from assay.flows.delivery import Delivery
from assay.flows.handover import Handover
from assay.tasks.host_context import flow_run_id
from assay.tasks.plan import Plan
from assay.tasks.prepare_prefect import prepare_prefect
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.reach_prefect import reach_prefect
from assay.tasks.run_report import RunReport
from assay.tasks.run_trials import run_trials
from assay.tasks.trial_note import OnResult

_Taken: TypeAlias = tuple[PreparedRun, OnResult | None, Delivery[RunReport]]

_prepared = Handover[_Taken]("assay_prepared_run")


@flow(name="evaluate", flow_run_name="{experiment}", persist_result=False)
async def evaluate_flow(
    experiment: str, store: str | None = None, run_id: str | None = None
) -> RunReport:
    """Run what an experiment file plans, and report it.

    Args:
        experiment: Path of the experiment file.
        store: Where the run goes; the environment and the file say it otherwise.
        run_id: Go on with this run, or give a new one this id.
    """
    prepared, on_result, delivery = _prepared.take() or (
        prepare_run(experiment, store=store, run_id=run_id),
        None,
        Delivery[RunReport](),
    )
    report = await run_trials(prepared, flow_run_id(), on_result)
    delivery.hand_in(report)
    # Prefect shows the state and its message, and gives the caller what the state holds.
    return cast("RunReport", Completed(message=report.verdict_line(), data=report))


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
    prepared = prepare_run(experiment, store=store, run_id=run_id, before_writing=reach_prefect)
    return await evaluate_prepared(prepared, on_result=on_result)


async def evaluate_prepared(
    prepared: PreparedRun, *, on_result: OnResult | None = None
) -> RunReport:
    """The report of a run that is prepared; as `evaluate`.

    A Prefect server that dies before it knows that the flow has ended takes nothing from it.
    """
    prepare_prefect()  # an embedded server takes its settings from the environment when it starts
    delivery = Delivery[RunReport]()
    with _prepared.of((prepared, on_result, delivery)):
        return await delivery.receive(
            evaluate_flow(prepared.planned.settings.name, prepared.store.url, prepared.run.run_id)
        )
