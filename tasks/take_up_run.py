"""What is left of a run that has begun: trials without an execution, and missing grades."""

from collections.abc import Callable, Mapping

from assay.evaluators.errors import InputError
from assay.tasks.plan_document import grading_document, plan_document, settings_document
from assay.tasks.planned_run import PlannedRun
from assay.tasks.prepared_run import GradedBefore, PreparedRun
from assay.tasks.reusable_grades import REUSABLE
from assay.tasks.store import GradingStore, RunStore, Store, new_grading_id
from assay.tasks.stored_plan import (
    SETTINGS_FACT,
    StoredPlan,
    parse_plan,
    read_plan,
    settings_in_force,
)
from assay.tasks.targets import TargetIdentity, same_target, source_changed
from assay.tasks.trial_key import TrialKey


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
    plan = read_plan(run)
    _require_same(run, plan, planned)
    before_writing()
    _note_settings(run, planned)
    grading = _grading_of(run, planned)
    executions = run.executions(["case_id", "repeat", "kind"])
    kinds = {TrialKey(case_id, repeat): kind for case_id, repeat, kind in executions.iter_rows()}
    graded = _graded_before(grading)
    done = frozenset(
        key for key, kind in kinds.items() if kind != "receipt" or _is_graded(planned, key, graded)
    )
    return PreparedRun(
        planned=planned,
        store=store,
        run=run,
        grading=grading,
        done=done,
        received=frozenset(kinds) - done,
        graded=graded,
        warnings=_warnings(plan, planned),
    )


def new_grading(run: RunStore, planned: PlannedRun) -> GradingStore:
    """The grading that the trials of a run fill while they run."""
    document = grading_document(planned.suite, planned.cases, planned.fixture_id, origin="run")
    return run.create_grading(new_grading_id(), grading=document)


def _grading_of(run: RunStore, planned: PlannedRun) -> GradingStore:
    """The grading that the run began; a process may have died before it, or regraded since."""
    own = (one for one in run.gradings() if one.info.get("origin") == "run")
    return next(own, None) or new_grading(run, planned)


def _require_same(run: RunStore, plan: StoredPlan, planned: PlannedRun) -> None:
    now = parse_plan(plan_document(planned), run.run_id)
    same = {
        "dataset": plan.fixture_id == now.fixture_id and _has_same_cases(run, planned),
        "target": same_target(_target(plan), _target(now)),
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


def _target(plan: StoredPlan) -> TargetIdentity:
    return TargetIdentity.from_wire(plan.target)


def _meaning(plan: StoredPlan) -> object:
    own = {name: [one.meaning for one in ones] for name, ones in plan.case_assessments.items()}
    return [one.meaning for one in plan.assessments], own


def _note_settings(run: RunStore, planned: PlannedRun) -> None:
    # What the store has is masked, so it is compared with what it would get.
    now = parse_plan(plan_document(planned), run.run_id).experiment
    if settings_in_force(run) != now:
        run.add_journal({"kind": SETTINGS_FACT, "experiment": settings_document(planned)})


def _warnings(plan: StoredPlan, planned: PlannedRun) -> tuple[str, ...]:
    if not source_changed(_target(plan), planned.target.identity):
        return ()
    changed = "the files of the target have changed since the run was planned, and its revision not"
    return (f"{changed}: this run holds answers of both",)


def _graded_before(grading: GradingStore) -> dict[TrialKey, GradedBefore]:
    columns = ["case_id", "repeat", "assessment_id", "status", "attempt"]
    ids: dict[TrialKey, set[str]] = {}
    attempts: dict[TrialKey, int] = {}
    for case_id, repeat, assessment_id, status, attempt in grading.grades(columns).iter_rows():
        key = TrialKey(case_id, repeat)
        attempts[key] = max(attempt, attempts.get(key, 0))
        settled = ids.setdefault(key, set())
        if status in REUSABLE:
            settled.add(assessment_id)
    return {key: GradedBefore(frozenset(ids[key]), attempts[key]) for key in ids}


def _is_graded(planned: PlannedRun, key: TrialKey, graded: Mapping[TrialKey, GradedBefore]) -> bool:
    return key in graded and graded[key].ids.issuperset(planned.suite_of(key.case_id).ids)
