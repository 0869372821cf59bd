"""The plan of a run as it stands in the store, checked."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from assay.evaluators.canonical import spell
from assay.evaluators.errors import AssayError, InputError
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.store import RunStore

SETTINGS_FACT = "settings"
"""The kind of the journal's facts that hold the settings under which a run went on."""


class StoredAssessment(BaseModel):
    """An assessment that a plan declares.

    Attributes:
        id: As written.
        ids: Of its results.
        entry: The suite entry as written, or None where it was made in Python.
        evaluator: The descriptor's members, and `identity`.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    ids: tuple[str, ...]
    entry: dict[str, JsonValue] | None
    evaluator: dict[str, JsonValue]

    @property
    def meaning(self) -> tuple[str, tuple[str, ...], JsonValue]:
        """What must stay as it is when a run goes on; a description may change."""
        return self.id, self.ids, self.evaluator.get("identity")


class StoredPlan(BaseModel):
    """What a run was planned to do.

    Attributes:
        name: Of the experiment.
        experiment: Its settings.
        base: The folder that paths, and the import string of the target, resolve from.
        suite_base: The folder that import strings of the suite resolve from.
        fixture_id: The identity of the selection of cases.
        target: The members of the target's identity.
        counts: How many cases, repeats, trials and assessments.
        assessments: The suite.
        case_assessments: By case id, what single cases declare beside the suite.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    experiment: ExperimentSettings
    base: Path
    suite_base: Path
    fixture_id: str
    target: dict[str, JsonValue]
    counts: dict[str, int]
    assessments: tuple[StoredAssessment, ...]
    case_assessments: dict[str, tuple[StoredAssessment, ...]] = {}


def read_plan(run: RunStore) -> StoredPlan:
    """The plan of a run.

    Raises:
        InputError: when another version of Assay wrote a plan that this one cannot read.
        StoreError: when it cannot be read at all.
    """
    return parse_plan(run.plan, run.run_id)


def parse_plan(document: object, run_id: str) -> StoredPlan:
    """The plan in a document; raises InputError, naming the run, when it is none."""
    try:
        return StoredPlan.model_validate_json(spell(document))
    except (ValidationError, AssayError) as error:
        raise _unreadable(run_id) from error


def settings_in_force(run: RunStore) -> ExperimentSettings:
    """The settings that the run was planned with, or that it went on with since.

    Raises:
        InputError: when another version of Assay wrote settings that this one cannot read.
    """
    later = [fact["experiment"] for fact in run.journal() if fact.get("kind") == SETTINGS_FACT]
    if not later:
        return read_plan(run).experiment
    try:
        return ExperimentSettings.model_validate_json(spell(later[-1]))
    except (ValidationError, AssayError) as error:
        raise _unreadable(run.run_id) from error


def _unreadable(run_id: str) -> InputError:
    message = "expected a plan of this version of Assay; it cannot be read"
    return InputError(message, place=f"run {run_id}", kind="run")
