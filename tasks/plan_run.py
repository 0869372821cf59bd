"""An experiment read and checked, before anything is written or paid."""

from collections.abc import Mapping
from os import PathLike
from typing import TypeAlias

from assay.evaluators.case import Case
from assay.evaluators.suite import Suite
from assay.tasks.check_settings import (
    named_secrets,
    refuse_idle_settings,
    require_gates,
    suite_under,
)
from assay.tasks.experiment_parts import ExperimentParts, load_file, load_plan
from assay.tasks.experiment_settings import Overrides
from assay.tasks.mask_errors import masked_errors
from assay.tasks.mask_secrets import Secrets
from assay.tasks.plan import Plan
from assay.tasks.plan_case import fixture_of, plan_case
from assay.tasks.planned_case import PlannedCase
from assay.tasks.planned_run import PlannedRun
from assay.tasks.read_suite import read_case_suite
from assay.tasks.refuse_secrets import refuse_secrets

ExperimentSource: TypeAlias = str | PathLike[str] | Plan
"""The path of an experiment file, or a plan made in Python."""


def plan_run(
    experiment: ExperimentSource, overrides: Mapping[str, object] | None = None
) -> PlannedRun:
    """The run that an experiment describes, every part of it loaded and checked.

    Args:
        experiment: A file, or a plan made in Python.
        overrides: Settings that take the place of the experiment's.

    Raises:
        InputError: naming the file and place, what was expected and what came.
    """
    given = Overrides.model_validate(dict(overrides or {}))
    if isinstance(experiment, Plan):
        parts = load_plan(experiment, given)
    else:
        parts = load_file(experiment, given)
    settings, place = parts.settings, parts.place
    refuse_idle_settings(settings, place)
    secrets = named_secrets(settings, place)
    suite = suite_under(settings, parts.assessments, place)
    refuse_secrets(suite.assessments, secrets, place=place(("suite",)))
    with masked_errors(settings.secrets):
        cases = {case.id: _planned(case, parts, suite, secrets) for case in parts.dataset}
    require_gates(settings, suite, cases, place if given.gates is None else lambda _: "--gate")
    return PlannedRun(
        settings=settings,
        base=parts.base,
        suite_base=parts.suite_base,
        cases=cases,
        fixture_id=parts.dataset.fixture or fixture_of(cases.values()),
        target=parts.target,
        suite=suite,
        secrets=secrets,
        origin=parts.origin,
    )


def _planned(case: Case, parts: ExperimentParts, suite: Suite, secrets: Secrets) -> PlannedCase:
    own = read_case_suite(case, parts.base, taken=suite.ids, place=parts.dataset_place)
    refuse_secrets(own, secrets, place=parts.dataset_place)
    return plan_case(case, own, secrets, place=parts.dataset_place)
