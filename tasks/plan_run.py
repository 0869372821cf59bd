"""An experiment read and checked, before anything is written or paid."""

import os
from collections.abc import Mapping, Sequence
from os import PathLike

from pydantic import ValidationError

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

_NOT_YET = {
    "adaptive_concurrency": False,
    "trial_shape": "task",
    "runner": "local",
    "baseline": None,
}


def plan_run(
    experiment: str | PathLike[str] | Experiment, overrides: Mapping[str, object]
) -> PlannedRun:
    """The run that an experiment describes, every part of it loaded and checked.

    Raises:
        InputError: naming the file and place, what was expected and what came.
    """
    read = experiment if isinstance(experiment, Experiment) else read_experiment(experiment)
    settings = _override(read, overrides)
    _refuse_what_is_missing(read, settings)
    dataset = read_dataset(
        read.dataset_url,
        limit=settings.limit,
        select=settings.select,
        fixture_id=settings.fixture_id,
    )
    suite = _suite(settings, read_suite(settings.suite, read.base, place=read.place))
    cases = [_planned(case, read, suite.ids) for case in dataset]
    _check_gates(read, settings, suite, cases)
    return PlannedRun(
        settings,
        base=read.base,
        suite_base=suite_folder(settings.suite, read.base),
        cases=cases,
        fixture_id=dataset.fixture_id,
        target=read_target(settings.target, read.base, revision=settings.target_revision or ""),
        suite=suite,
        secrets=Secrets.from_environment(settings.secrets, os.environ),
    )


def _override(read: Experiment, overrides: Mapping[str, object]) -> ExperimentSettings:
    try:
        return read.settings.with_overrides(Overrides.model_validate(overrides))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        flag = f"--{str(problem['loc'][0]).replace('_', '-')}" if problem["loc"] else "flags"
        raise InputError(problem["msg"], place=flag, kind="flag") from error


def _refuse_what_is_missing(read: Experiment, settings: ExperimentSettings) -> None:
    """Refuse settings that would silently do nothing."""
    idle = [name for name, default in _NOT_YET.items() if getattr(settings, name) != default]
    idle += [name for name in ("cost", "tokens") if getattr(settings.budget, name) is not None]
    idle += ["margin"] if settings.margin else []
    if idle:
        msg = f"expected no {idle[0]}: this version does not act on it yet; leave it out"
        raise InputError(msg, place=read.place((idle[0],)), kind="experiment")


def _suite(settings: ExperimentSettings, assessments: Sequence[Assessment]) -> Suite:
    try:
        return Suite(
            assessments,
            max_concurrency=settings.suite_concurrency,
            error_policy=settings.error_policy,
        )
    except AssayError as error:
        raise InputError(str(error), kind="suite") from error


def _planned(case: Case, read: Experiment, taken: Sequence[str]) -> PlannedCase:
    texts = CaseTexts(case.id, case.input_text, case.expected_text, case.metadata.text())
    return PlannedCase(
        texts=texts,
        digest=case.digest,
        input_digest=case.input_digest,
        suite=write(list(case.suite)) if case.suite else None,
        assessments=read_case_suite(case, read.base, taken=taken, place=read.dataset_url),
    )


def _check_gates(
    read: Experiment, settings: ExperimentSettings, suite: Suite, cases: Sequence[PlannedCase]
) -> None:
    own = (each for case in cases for one in case.assessments for each in one.ids)
    known = {*suite.ids, *own}
    for index, rule in enumerate(settings.gates):
        gate = Gate.parse(rule)
        if gate.assessment is not None and gate.assessment not in known:
            msg = (
                f"gate {rule!r}: expected the id of an assessment out of "
                f"{', '.join(sorted(known))[:300]}, got {gate.assessment[:60]!r}"
            )
            raise InputError(msg, place=read.place(("gates", index)), kind="gate")
