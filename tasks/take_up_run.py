"""Taking up a run that has begun with the experiment that it was planned with."""

from collections.abc import Callable

from assay.evaluators.errors import InputError
from assay.tasks.continue_run import continue_run
from assay.tasks.list_changes import changed_source, identity_in
from assay.tasks.plan_document import plan_document
from assay.tasks.planned_run import PlannedRun
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.store import RunStore, Store
from assay.tasks.stored_plan import StoredPlan, parse_plan, plan_in_force
from assay.tasks.targets import same_target


def take_up_run(
    store: Store,
    run: RunStore,
    planned: PlannedRun,
    *,
    before_writing: Callable[[], object] = lambda: None,
) -> PreparedRun:
    """The run, with what is left of it.

    Settings that decide how it goes on, such as its gates, may be others than it was planned with;
    the run's journal then says so.

    Args:
        store: Where the run is.
        run: The run.
        planned: What is to go on.
        before_writing: Called once the two are known to fit.

    Raises:
        InputError: when the experiment is not the one that the run was planned with.
        StoreError: when a part of the run cannot be read.
    """
    plan = plan_in_force(run)
    _require_same(run, plan, planned)
    before_writing()
    warnings = changed_source(plan, planned)
    return continue_run(store, run, planned, plan=plan, warnings=warnings)


def _require_same(run: RunStore, plan: StoredPlan, planned: PlannedRun) -> None:
    now = parse_plan(plan_document(planned), run.run_id)
    same = {
        "dataset": plan.fixture_id == now.fixture_id and _has_same_cases(run, planned),
        "target": same_target(identity_in(plan), identity_in(now)),
        "suite": _meaning(plan) == _meaning(now),
        "repeats": plan.counts.get("repeats") == now.counts["repeats"],
    }
    differing = [name for name, is_same in same.items() if not is_same]
    if differing:
        message = (
            "expected the experiment that the run was planned with, got another "
            f"{', another '.join(differing)}; give the changed experiment a new run id"
        )
        raise InputError(message, place=f"run {run.run_id}", kind="run")


def _has_same_cases(run: RunStore, planned: PlannedRun) -> bool:
    stored = run.cases(["case_id", "case_digest"]).iter_rows()
    return list(stored) == [(name, case.digest) for name, case in planned.cases.items()]


def _meaning(plan: StoredPlan) -> object:
    own = {name: [one.meaning for one in ones] for name, ones in plan.case_assessments.items()}
    return [one.meaning for one in plan.assessments], own
