"""Grading the receipts of a run again: a chunk a task, and never a target call."""

from pathlib import Path
from typing import TypeAlias, cast

from prefect import flow
from prefect.states import Completed

from assay.flows.delivery import Delivery
from assay.flows.handover import Handover
from assay.tasks.prepare_prefect import prepare_prefect
from assay.tasks.prepare_regrade import PreparedRegrade, prepare_regrade
from assay.tasks.regrade_chunks import regrade_chunks
from assay.tasks.regrade_demand import RegradeDemand
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.store import open_store

_Taken: TypeAlias = tuple[PreparedRegrade, Delivery[RegradeReport]]

_prepared = Handover[_Taken]("assay_prepared_regrade")


@flow(name="regrade", flow_run_name="regrade {run_id}", persist_result=False)
async def regrade_flow(
    run_id: str,
    store: str,
    suite: str | None = None,
    *,
    dataset: str | None = None,
    only: tuple[str, ...] = (),
    fresh: bool = False,
) -> RegradeReport:
    """Grade a run's receipts with a suite, carrying over what has not changed.

    Args:
        run_id: The run.
        store: Where it is.
        suite: Path of a suite file; the run's own suite where it is None.
        dataset: Dataset with corrected expected values or metadata; the run's cases where it is
            None.
        only: What is computed: `changed`, `failed`, `fail` or ids of assessments.
        fresh: Compute everything.
    """
    prepared, delivery = _prepared.take() or (
        prepare_regrade(
            open_store(store),
            run_id,
            suite=None if suite is None else Path(suite),
            dataset=dataset,
            demand=RegradeDemand(only=tuple(only), fresh=fresh),
        ),
        Delivery[RegradeReport](),
    )
    report = await regrade_chunks(prepared)
    delivery.hand_in(report)
    # Prefect shows the state and its message, and gives the caller what the state holds.
    return cast("RegradeReport", Completed(message=report.verdict_line(), data=report))


async def regrade_prepared(prepared: PreparedRegrade) -> RegradeReport:
    """The report of a regrade that is prepared, run as a Prefect flow.

    A Prefect server that dies before it knows that the flow has ended takes nothing from it.
    """
    prepare_prefect()  # an embedded server takes its settings from the environment when it starts
    delivery = Delivery[RegradeReport]()
    with _prepared.of((prepared, delivery)):
        return await delivery.receive(regrade_flow(prepared.run.run_id, prepared.store.url))
