"""The parts of an experiment, loaded: from a file, or from objects of a Python program."""

from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from pydantic import ValidationError

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import parse, spell
from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import AssayError, InputError
from assay.tasks.documents.places import KeyPath
from assay.tasks.experiment_origin import Origin
from assay.tasks.experiment_settings import ExperimentSettings, Overrides
from assay.tasks.mask_errors import masked_errors
from assay.tasks.plan import Plan
from assay.tasks.read_dataset import read_dataset
from assay.tasks.read_experiment import read_experiment
from assay.tasks.read_suite import read_suite, suite_folder
from assay.tasks.read_target import python_target, read_target
from assay.tasks.select_cases import select_cases
from assay.tasks.settings.explain_invalid import explain_invalid
from assay.tasks.targets import HostTarget

FROM_PYTHON = "<python>"
"""What stands for the file of a dataset that a Python program made."""

_OWN_KEYS = ("name", "dataset", "target", "suite")


@dataclass(frozen=True, slots=True, eq=False)
class ExperimentParts:
    """Settings, and what they name, loaded.

    Attributes:
        settings: The settings in force.
        base: The folder that paths, and the import string of the target, resolve from.
        suite_base: The folder that import strings of the suite resolve from.
        dataset: The selected cases.
        dataset_place: Where the cases are from, for errors.
        target: What is under test.
        assessments: The suite.
        place: Where a setting stands, for errors.
        origin: What the settings were made of.
    """

    settings: ExperimentSettings
    base: Path
    suite_base: Path
    dataset: Dataset
    dataset_place: str
    target: HostTarget
    assessments: tuple[Assessment, ...]
    place: Callable[[KeyPath], str]
    origin: Origin = field(default_factory=Origin)


def load_file(path: str | PathLike[str], overrides: Overrides) -> ExperimentParts:
    """The parts that an experiment file names.

    Raises:
        InputError: naming the file and place, what was expected and what came.
    """
    read = read_experiment(path)
    settings = read.settings.with_overrides(overrides)
    with masked_errors(settings.secrets):
        return ExperimentParts(
            settings=settings,
            base=read.base,
            suite_base=suite_folder(settings.suite, read.base),
            dataset=read_dataset(
                read.dataset_url,
                limit=settings.limit,
                select=settings.select,
                fixture_id=settings.fixture_id,
            ),
            dataset_place=read.dataset_url,
            target=load_target(settings, read.base, read.place),
            assessments=read_suite(settings.suite, read.base, place=read.place),
            place=read.place,
            origin=Origin(Path(path).expanduser().resolve(), overrides),
        )


def load_target(
    settings: ExperimentSettings, base: Path, place: Callable[[KeyPath], str]
) -> HostTarget:
    """The target that settings name.

    Args:
        settings: With the target and its revision.
        base: The folder that its import string, or its program, starts from.
        place: Where a setting stands.

    Raises:
        InputError: when it cannot be loaded.
    """
    revision = settings.target_revision or ""
    try:
        return read_target(settings.target_value(), base, revision=revision)
    except InputError as error:
        raise InputError(str(error), place=place(("target",)), kind=error.kind) from error


def load_plan(plan: Plan, overrides: Overrides) -> ExperimentParts:
    """The parts that a Python program made; paths among its settings start from here.

    Raises:
        InputError: naming the part, what was expected and what came.
    """
    settings = _settings(plan).with_overrides(overrides)
    return ExperimentParts(
        settings=settings,
        base=Path.cwd(),
        suite_base=Path.cwd(),
        dataset=_selected(plan.dataset, settings),
        dataset_place="plan.dataset",
        target=python_target(plan.target, revision=settings.target_revision or ""),
        assessments=tuple(plan.suite),
        place=_place,
    )


def _place(path: KeyPath) -> str:
    return ".".join(("plan", *(str(step) for step in path)))


def _settings(plan: Plan) -> ExperimentSettings:
    for name in _OWN_KEYS:
        if name in plan.settings:
            message = f"expected {name} as a part of the plan, got it among its settings"
            raise InputError(message, place="plan.settings", kind="experiment")
    named = {
        "name": plan.name,
        "dataset": plan.dataset.name or FROM_PYTHON,
        "target": FROM_PYTHON,
        "suite": [],
        **plan.settings,
    }
    try:
        text = spell(named)
    except AssayError as error:
        raise InputError(str(error), place="plan.settings", kind="experiment") from error
    try:
        return ExperimentSettings.model_validate_json(text)
    except ValidationError as error:
        fault = explain_invalid(error, parse(text))
        raise InputError(fault.message(), place="plan", kind="experiment") from error


def _selected(dataset: Dataset, settings: ExperimentSettings) -> Dataset:
    cases = select_cases(
        dataset.cases, limit=settings.limit, select=settings.select, place="plan.dataset"
    )
    # An identity that the program gave is that of all its cases.
    fixture = settings.fixture_id or (dataset.fixture if cases == dataset.cases else "")
    return Dataset(cases=cases, fixture=fixture, name=dataset.name)
