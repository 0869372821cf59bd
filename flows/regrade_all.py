"""Grading many runs with one suite: a flow of regrades."""

from pathlib import Path
from typing import TypeAlias, cast

from prefect import flow
from prefect.states import Completed

from assay.flows.delivery import Delivery
from assay.flows.handover import Handover
from assay.flows.regrade import regrade_prepared
from assay.tasks.prepare_prefect import prepare_prefect
from assay.tasks.regrade_demand import RegradeDemand
from assay.tasks.regrade_series import (
    PreparedSeries,
    RegradeSeries,
    prepare_series,
    regrade_series,
)
from assay.tasks.store import open_store

_Taken: TypeAlias = tuple[PreparedSeries, Delivery[RegradeSeries]]

_prepared = Handover[_Taken]("assay_prepared_series")


@flow(name="regrade all", flow_run_name="regrade all with {suite}", persist_result=False)
async def regrade_all_flow(
    store: str, suite: str, since: str | None = None, *, fresh: bool = False
) -> RegradeSeries:
    """Grade every run of a store with one suite, and show them as a series over time.

    Args:
        store: Where the runs are.
        suite: Path of the suite file.
        since: A date; earlier runs are left out.
        fresh: Compute everything.
    """
    prepared, delivery = _prepared.take() or (
        prepare_series(
            open_store(store), Path(suite), since=since, demand=RegradeDemand(fresh=fresh)
        ),
        Delivery[RegradeSeries](),
    )
    series = await regrade_series(prepared, regrade_prepared)
    delivery.hand_in(series)
    # Prefect shows the state and its message, and gives the caller what the state holds.
    return cast("RegradeSeries", Completed(message=series.verdict_line(), data=series))


async def regrade_all_prepared(prepared: PreparedSeries) -> RegradeSeries:
    """The series of runs that are prepared, each a Prefect flow of its own."""
    prepare_prefect()  # an embedded server takes its settings from the environment when it starts
    delivery = Delivery[RegradeSeries]()
    with _prepared.of((prepared, delivery)):
        return await delivery.receive(regrade_all_flow(prepared.store.url, str(prepared.suite)))
