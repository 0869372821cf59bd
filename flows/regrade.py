"""Grading the receipts of a run again: a chunk a task, and never a target call."""

from contextvars import ContextVar
from pathlib import Path

from prefect import flow
from prefect.states import Completed, State

from assay.tasks.prepare_prefect import prepare_prefect
from assay.tasks.prepare_regrade import PreparedRegrade, prepare_regrade
from assay.tasks.regrade_chunks import regrade_chunks
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.store import open_store

_prepared: ContextVar[PreparedRegrade | None] = ContextVar("assay_prepared_regrade", default=None)


@flow(name="regrade", flow_run_name="regrade {run_id}", persist_result=False)
async def regrade_flow(run_id: str, store: str, suite: str | None = None) -> State[RegradeReport]:
    """Grade a run's receipts with a suite, carrying over what has not changed.

    Args:
        run_id: The run.
        store: Where it is.
        suite: Path of a suite file; the run's own suite where it is None.
    """
    prepared = _prepared.get() or prepare_regrade(
        open_store(store), run_id, suite=None if suite is None else Path(suite)
    )
    report = await regrade_chunks(prepared)
    return Completed(message=report.verdict_line(), data=report)


async def regrade_prepared(prepared: PreparedRegrade) -> RegradeReport:
    """The report of a regrade that is prepared, run as a Prefect flow."""
    prepare_prefect()  # an embedded server takes its settings from the environment when it starts
    taken = _prepared.set(prepared)
    try:
        return await regrade_flow(prepared.run.run_id, prepared.store.url)
    finally:
        _prepared.reset(taken)
