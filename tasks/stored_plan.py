"""The plan of a run as it stands in the store, checked."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from assay.evaluators.canonical import spell
from assay.evaluators.errors import AssayError, InputError
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.store import RunStore

SETTINGS_FACT = "settings"
"""The kind of the journal's facts that hold what a run went on with, under the plan's names."""


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
        file: The experiment file; None where a Python program made the experiment.
        overrides: The settings that were given in place of the file's.
        masked_inputs: Ids of cases whose input the store has without a secret that is in it.
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
    file: Path | None = None
    overrides: dict[str, JsonValue] = {}
    masked_inputs: tuple[str, ...] = ()


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


def plan_in_force(run: RunStore) -> StoredPlan:
    """The plan of a run, with what it went on with since in place of what was planned.

    Raises:
        InputError: when another version of Assay wrote what this one cannot read.
        StoreError: when it cannot be read at all.
    """
    facts = [fact for fact in run.journal() if fact.get("kind") == SETTINGS_FACT]
    later = facts[-1] if facts else {}
    return parse_plan({**run.plan, **later}, run.run_id)


def settings_in_force(run: RunStore) -> ExperimentSettings:
    """The settings that the run was planned with, or that it went on with since.

    Raises:
        InputError: when another version of Assay wrote settings that this one cannot read.
    """
    return plan_in_force(run).experiment


def _unreadable(run_id: str) -> InputError:
    message = "expected a plan of this version of Assay; it cannot be read"
    return InputError(message, place=f"run {run_id}", kind="run")
