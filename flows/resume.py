"""Resuming a run: the trials that are missing, then the grades that are missing."""

from typing import TypeAlias, cast

from prefect import flow
from prefect.states import Completed

from assay.flows.delivery import Delivery
from assay.flows.handover import Handover
from assay.tasks.host_context import flow_run_id
from assay.tasks.prepare_prefect import prepare_prefect
from assay.tasks.prepare_resume import Use, prepare_resume
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.reach_prefect import reach_prefect
from assay.tasks.run_report import RunReport
from assay.tasks.run_trials import run_trials
from assay.tasks.store import open_store
from assay.tasks.trial_note import OnResult

_Taken: TypeAlias = tuple[PreparedRun, OnResult | None, Delivery[RunReport]]

_prepared = Handover[_Taken]("assay_resumed_run")


@flow(name="resume", flow_run_name="resume {run_id}", persist_result=False)
async def resume_flow(
    run_id: str,
    store: str,
    use: Use | None = None,
    retry_failed: bool = False,  # noqa: FBT001, FBT002 - Prefect gives parameters by name
) -> RunReport:
    """Do what is missing of a run, and report it.

    Args:
        run_id: The run, or the unique beginning of its id.
        store: Where it is.
        use: Which experiment to go on with where the run's has changed.
        retry_failed: Repeat trials whose attempts are used up.
    """
    prepared, on_result, delivery = _prepared.take() or (
        prepare_resume(open_store(store), run_id, use=use, retry_failed=retry_failed).begin(),
        None,
        Delivery[RunReport](),
    )
    report = await run_trials(prepared, flow_run_id(), on_result)
    delivery.hand_in(report)
    # Prefect shows the state and its message, and gives the caller what the state holds.
    return cast("RunReport", Completed(message=report.verdict_line(), data=report))


async def resume(
    run_id: str,
    store: str,
    *,
    use: Use | None = None,
    retry_failed: bool = False,
    on_result: OnResult | None = None,
) -> RunReport:
    """The report of a run that had begun, once nothing of it is missing any more.

    No trial that has returned is called again, and the dataset is not read.

    Args:
        run_id: The run, or the unique beginning of its id.
        store: Where it is.
        use: Which experiment to go on with where the run's has changed.
        retry_failed: Repeat trials whose attempts are used up.
        on_result: Called with each trial that has ended, one call at a time.

    Raises:
        InputError: when the run cannot go on, or another process writes it.
        StoreError: when the store cannot be read or written.
    """
    resumption = prepare_resume(open_store(store), run_id, use=use, retry_failed=retry_failed)
    reach_prefect()
    return await resume_prepared(resumption.begin(), on_result=on_result)


async def resume_prepared(prepared: PreparedRun, *, on_result: OnResult | None = None) -> RunReport:
    """The report of a run that is prepared to go on; as `resume`."""
    prepare_prefect()  # an embedded server takes its settings from the environment when it starts
    delivery = Delivery[RunReport]()
    with _prepared.of((prepared, on_result, delivery)):
        return await delivery.receive(
            resume_flow(prepared.run.run_id, prepared.store.url, retry_failed=prepared.retry_failed)
        )
