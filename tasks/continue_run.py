"""Going on with a run that has begun, under the settings and with the code of now."""

from collections.abc import Sequence

from assay.tasks.own_grading import own_grading
from assay.tasks.plan_document import changeable_document, plan_document
from assay.tasks.planned_run import PlannedRun
from assay.tasks.prepared_run import PreparedRun, RunPurpose
from assay.tasks.renew_grading import renew_grading
from assay.tasks.store import RunStore, Store
from assay.tasks.stored_plan import SETTINGS_FACT, StoredPlan, parse_plan


def continue_run(  # noqa: PLR0913 - what a process goes on with, and what it says of it
    store: Store,
    run: RunStore,
    planned: PlannedRun,
    *,
    plan: StoredPlan,
    purpose: RunPurpose = "run",
    retry_failed: bool = False,
    warnings: Sequence[str] = (),
) -> PreparedRun:
    """The run, with what is left of it; its journal says what it does not do as planned.

    Args:
        store: Where the run is.
        run: The run.
        planned: What is to go on.
        plan: The run's plan in force.
        purpose: What for.
        retry_failed: Trials whose attempts are used up are repeated.
        warnings: For whoever goes on with it.

    Raises:
        StoreError: when a part of the run cannot be read, or something cannot be written.
    """
    changeable = changeable_document(planned)
    # What the store has is masked, so it is compared with what it would get.
    now = parse_plan(plan_document(planned), run.run_id)
    if any(getattr(now, name) != getattr(plan, name) for name in changeable):
        run.add_journal({"kind": SETTINGS_FACT, **changeable})
    prepared = PreparedRun(
        planned=planned,
        store=store,
        run=run,
        grading=own_grading(run, planned) or renew_grading(run, planned),
        purpose=purpose,
        retry_failed=retry_failed,
        warnings=tuple(warnings),
    )
    return prepared.up_to_date()
