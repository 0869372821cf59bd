"""An experiment read and checked, before anything is written or paid."""

import os
from collections.abc import Mapping
from os import PathLike
from typing import TypeAlias

from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.gate import Gate
from assay.evaluators.suite import Suite
from assay.tasks.experiment_parts import ExperimentParts, load_file, load_plan
from assay.tasks.experiment_settings import Overrides
from assay.tasks.mask_secrets import Secrets
from assay.tasks.plan import Plan
from assay.tasks.plan_case import fixture_of, plan_case
from assay.tasks.planned_case import PlannedCase
from assay.tasks.planned_run import PlannedRun
from assay.tasks.read_suite import read_case_suite
from assay.tasks.refuse_secrets import refuse_secrets

ExperimentSource: TypeAlias = str | PathLike[str] | Plan
"""The path of an experiment file, or a plan made in Python."""

_NOT_YET = {
    "adaptive_concurrency": False,
    "trial_shape": "task",
    "runner": "local",
    "baseline": None,
}


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
    _refuse_what_is_missing(parts)
    secrets = _secrets(parts)
    suite = _suite(parts)
    refuse_secrets(suite.assessments, secrets, place=parts.place(("suite",)))
    cases = {case.id: _planned(case, parts, suite, secrets) for case in parts.dataset}
    own = {each for case in cases.values() for one in case.assessments for each in one.ids}
    for index, rule in enumerate(parts.settings.gates):
        place = "--gate" if given.gates is not None else parts.place(("gates", index))
        _require_gate(rule, {*suite.ids, *own}, place)
    return PlannedRun(
        settings=parts.settings,
        base=parts.base,
        suite_base=parts.suite_base,
        cases=cases,
        fixture_id=parts.dataset.fixture or fixture_of(cases.values()),
        target=parts.target,
        suite=suite,
        secrets=secrets,
    )


def _secrets(parts: ExperimentParts) -> Secrets:
    """The secrets to mask; one that is not set is a key that the target lacks, more likely."""
    names, place = parts.settings.secrets, parts.place(("secrets",))
    unset = next((name for name in names if name not in os.environ), None)
    if unset is not None:
        message = (
            f"secrets: expected the environment variable {unset[:80]!r} to be set, found none; "
            "set it, to an empty text where there is no secret"
        )
        raise InputError(message, place=place, kind="secrets")
    try:
        secrets = Secrets.from_environment(names, os.environ)
    except InputError as error:
        raise InputError(str(error), place=place, kind=error.kind) from error
    if secrets.mask(parts.settings.name) != parts.settings.name:
        message = "expected a name without a secret in it, because it is shown everywhere"
        raise InputError(message, place=parts.place(("name",)), kind="experiment")
    return secrets


def _refuse_what_is_missing(parts: ExperimentParts) -> None:
    """Refuse settings that would silently do nothing."""
    settings = parts.settings
    idle = [name for name, default in _NOT_YET.items() if getattr(settings, name) != default]
    idle += ["budget"] if settings.budget.cost or settings.budget.tokens else []
    idle += ["margin"] if settings.margin else []
    if idle:
        message = f"expected no {idle[0]}: this version does not act on it yet; leave it out"
        raise InputError(message, place=parts.place((idle[0],)), kind="experiment")


def _suite(parts: ExperimentParts) -> Suite:
    settings = parts.settings
    try:
        return Suite(
            parts.assessments,
            max_concurrency=settings.suite_concurrency,
            error_policy=settings.error_policy,
        )
    except AssayError as error:
        raise InputError(str(error), place=parts.place(("suite",)), kind="suite") from error


def _planned(case: Case, parts: ExperimentParts, suite: Suite, secrets: Secrets) -> PlannedCase:
    own = read_case_suite(case, parts.base, taken=suite.ids, place=parts.dataset_place)
    refuse_secrets(own, secrets, place=parts.dataset_place)
    return plan_case(case, own, secrets, place=parts.dataset_place)


def _require_gate(rule: str, known: set[str], place: str) -> None:
    """Refuse a gate that has no valid form, or speaks of an assessment that there is not."""
    try:
        gate = Gate.parse(rule)
    except InputError as error:
        raise InputError(str(error), place=place, kind="gate") from error
    if gate.assessment is not None and gate.assessment not in known:
        message = (
            f"gate {rule[:80]!r}: expected the id of an assessment out of "
            f"{', '.join(sorted(known))[:300]}, got {gate.assessment[:80]!r}"
        )
        raise InputError(message, place=place, kind="gate")
