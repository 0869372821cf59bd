"""A run that can start, from what its store and its experiment file say; no dataset is read."""

from typing import Final

from assay.evaluators.errors import InputError
from assay.evaluators.suite import Suite
from assay.tasks.check_settings import (
    Place,
    named_secrets,
    refuse_idle_settings,
    require_gates,
    suite_under,
)
from assay.tasks.experiment_origin import Origin
from assay.tasks.experiment_parts import FROM_PYTHON, load_target
from assay.tasks.experiment_settings import ExperimentSettings, Overrides
from assay.tasks.mask_secrets import MASK
from assay.tasks.planned_run import PlannedRun
from assay.tasks.read_experiment import read_experiment
from assay.tasks.read_suite import read_suite, suite_folder
from assay.tasks.recall_plan import recall_cases, recall_plan
from assay.tasks.refuse_secrets import refuse_secrets
from assay.tasks.store import RunStore
from assay.tasks.stored_plan import StoredPlan

_THE_RUNS_OWN: Final = ("dataset", "fixture_id", "limit", "select", "repeats")
"""Settings by which a run's trials were chosen, once and for all."""


def recall_run(run: RunStore, plan: StoredPlan) -> PlannedRun:
    """The run as its plan says it, with the target and the evaluators as their code is now.

    Args:
        run: The run.
        plan: Its plan in force.

    Raises:
        InputError: when the target, an evaluator or a setting cannot be used.
        StoreError: when the snapshot of the cases cannot be read.
    """
    settings, place = plan.experiment, _place_of(run)
    _require_loadable(plan, run)
    recalled = recall_plan(run)
    refuse_idle_settings(settings, place)
    return PlannedRun(
        settings=settings,
        base=plan.base,
        suite_base=plan.suite_base,
        cases=recalled.cases,
        fixture_id=plan.fixture_id,
        target=load_target(settings, plan.base, place),
        suite=suite_under(settings, recalled.suite.assessments, place),
        secrets=named_secrets(settings, place),
        origin=Origin(plan.file, Overrides.model_validate(plan.overrides)),
    )


def current_run(run: RunStore, plan: StoredPlan) -> PlannedRun:
    """The run as its experiment file says it now; as `recall_run` where there is no file any more.

    Args:
        run: The run.
        plan: Its plan in force.

    Raises:
        InputError: as `recall_run`, and where the file names other trials or other assessments.
        StoreError: when the snapshot of the cases cannot be read.
    """
    if plan.file is None or not plan.file.exists():
        return recall_run(run, plan)
    read, overrides = read_experiment(plan.file), Overrides.model_validate(plan.overrides)
    settings, place = read.settings.with_overrides(overrides), read.place
    _require_same_trials(settings, plan, place)
    refuse_idle_settings(settings, place)
    secrets = named_secrets(settings, place)
    suite = suite_under(settings, read_suite(settings.suite, read.base, place=place), place)
    _require_same_ids(suite, plan, place)
    refuse_secrets(suite.assessments, secrets, place=place(("suite",)))
    cases = recall_cases(run, plan, suite)
    require_gates(settings, suite, cases, place)
    return PlannedRun(
        settings=settings,
        base=read.base,
        suite_base=suite_folder(settings.suite, read.base),
        cases=cases,
        fixture_id=plan.fixture_id,
        target=load_target(settings, read.base, place),
        suite=suite,
        secrets=secrets,
        origin=Origin(plan.file, overrides),
    )


def _place_of(run: RunStore) -> Place:
    return lambda _: f"run {run.run_id}"


def _require_loadable(plan: StoredPlan, run: RunStore) -> None:
    target = plan.experiment.target_value()
    if target == FROM_PYTHON:
        message = (
            "its target was made in Python and no plan can load it; go on in the program that "
            f"made it, with run_id={run.run_id!r}"
        )
        raise InputError(message, place=f"run {run.run_id}", kind="target")
    if MASK in str(target):
        message = (
            "the arguments or the address of its target hold a secret, which the store does not "
            f"keep; {with_the_file(plan, run)}"
        )
        raise InputError(message, place=f"run {run.run_id}", kind="target")


def with_the_file(plan: StoredPlan, run: RunStore) -> str:
    """How to go on with what the store does not keep, for messages."""
    return f"go on with: assay run {plan.file or 'FILE'} --run-id {run.run_id}"


def _require_same_trials(settings: ExperimentSettings, plan: StoredPlan, place: Place) -> None:
    for name in _THE_RUNS_OWN:
        if getattr(settings, name) != getattr(plan.experiment, name):
            message = (
                f"a run keeps its cases and repeats, and {name} is another one now; put it back, "
                "go on as planned, or begin another run"
            )
            raise InputError(message, place=place((name,)), kind="run")


def _require_same_ids(suite: Suite, plan: StoredPlan, place: Place) -> None:
    ids = [each for one in plan.assessments for each in one.ids]
    if list(suite.ids) != ids:
        message = (
            f"a run is graded by the assessments that it was planned with ({', '.join(ids)[:200]}),"
            " and the suite has others now; go on as planned, then regrade the run with them"
        )
        raise InputError(message, place=place(("suite",)), kind="run")
