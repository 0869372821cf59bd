"""An experiment read and checked, before anything is written or paid."""

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import write
from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.gate import Gate
from assay.evaluators.retained import CaseTexts
from assay.evaluators.suite import Suite
from assay.tasks.experiment_settings import ExperimentSettings, Overrides
from assay.tasks.mask_secrets import Secrets
from assay.tasks.planned_case import PlannedCase
from assay.tasks.planned_run import PlannedRun
from assay.tasks.read_dataset import read_dataset
from assay.tasks.read_experiment import Experiment, read_experiment
from assay.tasks.read_suite import read_case_suite, read_suite, suite_folder
from assay.tasks.read_target import read_target

ExperimentSource: TypeAlias = str | PathLike[str] | ExperimentSettings
"""The path of an experiment file, or settings whose paths start from the current folder."""

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
        experiment: A file or settings.
        overrides: Settings that take the place of the experiment's.

    Raises:
        InputError: naming the file and place, what was expected and what came.
    """
    read = _read(experiment)
    given = Overrides.model_validate(dict(overrides or {}))
    settings = read.settings.with_overrides(given)
    _refuse_what_is_missing(read, settings)
    dataset = read_dataset(
        read.dataset_url,
        limit=settings.limit,
        select=settings.select,
        fixture_id=settings.fixture_id,
    )
    suite = _suite(settings, read)
    cases = {case.id: _planned(case, read, suite.ids) for case in dataset}
    own = {each for case in cases.values() for one in case.assessments for each in one.ids}
    for index, rule in enumerate(settings.gates):
        place = "--gate" if given.gates is not None else read.place(("gates", index))
        _require_gate(rule, {*suite.ids, *own}, place)
    return PlannedRun(
        settings=settings,
        base=read.base,
        suite_base=suite_folder(settings.suite, read.base),
        cases=cases,
        fixture_id=dataset.fixture_id,
        target=read_target(
            settings.target_value(), read.base, revision=settings.target_revision or ""
        ),
        suite=suite,
        secrets=Secrets.from_environment(settings.secrets, os.environ),
    )


def _read(experiment: ExperimentSource) -> Experiment:
    if isinstance(experiment, ExperimentSettings):
        return Experiment(experiment, Path.cwd())
    return read_experiment(experiment)


def _refuse_what_is_missing(read: Experiment, settings: ExperimentSettings) -> None:
    """Refuse settings that would silently do nothing."""
    idle = [name for name, default in _NOT_YET.items() if getattr(settings, name) != default]
    idle += ["budget"] if settings.budget.cost or settings.budget.tokens else []
    idle += ["margin"] if settings.margin else []
    if idle:
        message = f"expected no {idle[0]}: this version does not act on it yet; leave it out"
        raise InputError(message, place=read.place((idle[0],)), kind="experiment")


def _suite(settings: ExperimentSettings, read: Experiment) -> Suite:
    assessments: Sequence[Assessment] = read_suite(settings.suite, read.base, place=read.place)
    try:
        return Suite(
            assessments,
            max_concurrency=settings.suite_concurrency,
            error_policy=settings.error_policy,
        )
    except AssayError as error:
        raise InputError(str(error), place=read.place(("suite",)), kind="suite") from error


def _planned(case: Case, read: Experiment, taken: Sequence[str]) -> PlannedCase:
    return PlannedCase(
        texts=CaseTexts(case.id, case.input_text, case.expected_text, case.metadata.text()),
        digest=case.digest,
        input_digest=case.input_digest,
        suite=write(list(case.suite)) if case.suite else None,
        assessments=read_case_suite(case, read.base, taken=taken, place=read.dataset_url),
    )


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
