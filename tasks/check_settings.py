"""Checks of an experiment's settings that need more than the settings' own file."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from assay.evaluators.assessment import Assessment
from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.gate import Gate
from assay.evaluators.suite import Suite
from assay.tasks.documents.places import KeyPath
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.mask_secrets import Secrets
from assay.tasks.planned_case import PlannedCase

Place: TypeAlias = Callable[[KeyPath], str]
"""Where a setting stands, for errors."""

_NOT_YET = {
    "adaptive_concurrency": False,
    "trial_shape": "task",
    "runner": "local",
    "baseline": None,
}


def refuse_idle_settings(settings: ExperimentSettings, place: Place) -> None:
    """Refuse settings that would silently do nothing.

    Raises:
        InputError: naming the first of them.
    """
    idle = [name for name, default in _NOT_YET.items() if getattr(settings, name) != default]
    idle += ["budget"] if settings.budget.cost or settings.budget.tokens else []
    idle += ["margin"] if settings.margin else []
    if idle:
        message = f"expected no {idle[0]}: this version does not act on it yet; leave it out"
        raise InputError(message, place=place((idle[0],)), kind="experiment")


def named_secrets(settings: ExperimentSettings, place: Place) -> Secrets:
    """The secrets to mask.

    Raises:
        InputError: for one that is not set, more likely a key that the target lacks; and for a
            name with a secret in it.
    """
    names, where = settings.secrets, place(("secrets",))
    unset = next((name for name in names if name not in os.environ), None)
    if unset is not None:
        message = (
            f"secrets: expected the environment variable {unset[:80]!r} to be set, found none; "
            "set it, to an empty text where there is no secret"
        )
        raise InputError(message, place=where, kind="secrets")
    try:
        secrets = Secrets.from_environment(names, os.environ)
    except InputError as error:
        raise InputError(str(error), place=where, kind=error.kind) from error
    if secrets.mask(settings.name) != settings.name:
        message = "expected a name without a secret in it, because it is shown everywhere"
        raise InputError(message, place=place(("name",)), kind="experiment")
    return secrets


def suite_under(
    settings: ExperimentSettings, assessments: Sequence[Assessment], place: Place
) -> Suite:
    """The suite of a run; raises InputError where the assessments do not go together."""
    try:
        return Suite(
            assessments,
            max_concurrency=settings.suite_concurrency,
            error_policy=settings.error_policy,
        )
    except AssayError as error:
        raise InputError(str(error), place=place(("suite",)), kind="suite") from error


def require_gates(
    settings: ExperimentSettings, suite: Suite, cases: Mapping[str, PlannedCase], place: Place
) -> None:
    """Refuse a gate that has no valid form, or speaks of a result that there is not.

    Raises:
        InputError: naming the gate, and the forms or ids that there are.
    """
    own = {each for case in cases.values() for one in case.assessments for each in one.ids}
    for index, rule in enumerate(settings.gates):
        _require_gate(rule, {*suite.ids, *own}, place(("gates", index)))


def _require_gate(rule: str, known: Collection[str], place: str) -> None:
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
