"""What an experiment file may say, with the defaults of everything that it leaves out."""

from typing import Annotated, Literal, Self

from pydantic import (
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    Tag,
    ValidationError,
    model_validator,
)

from assay.evaluators.errors import ErrorClass, InputError
from assay.evaluators.record import Items
from assay.evaluators.suite import ErrorPolicy
from assay.evaluators.trial_outcome import TargetFailures
from assay.tasks.settings.explain_invalid import explain_invalid
from assay.tasks.settings.file_model import AtLeastOne, FileModel, Filled, Seconds, Text
from assay.tasks.settings.suite_entry import SuiteEntry
from assay.tasks.settings.target_settings import TargetSettings

TrialShape = Literal["task", "batch"]
"""How trials become Prefect task runs: each on its own, or a shard of them in one."""

Runner = Literal["local", "dask", "ray"]
"""Where trials run."""

SuiteSettings = Annotated[
    Annotated[Text, Tag("<path>")] | Annotated[Items[SuiteEntry], Tag("<entries>")],
    Discriminator(
        lambda value: {str: "<path>", list: "<entries>", tuple: "<entries>"}.get(type(value)),
        custom_error_type="suite",
        custom_error_message="expected a list of assessments, or the path of a file with one",
    ),
]
"""A list of assessments, or the path of a `.yaml` or `.json` file that is such a list."""


class RetrySettings(FileModel):
    """When an attempt of the target is followed by another one."""

    attempts: AtLeastOne = 3
    """Attempts in all, the first one included."""
    on: Items[ErrorClass] = ("timeout", "rate_limited", "unavailable")
    """Error classes after which it is tried again."""
    backoff_seconds: Annotated[float, Field(ge=0)] = 1.0
    """Wait before the second attempt; it doubles with each further one."""
    jitter: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Share of a wait by which it is spread at random, 0 to 1."""


class Budget(FileModel):
    """What a run may spend before no further trial starts."""

    cost: Annotated[float, Field(gt=0)] | None = None
    """In the currency in which the target reports its cost; null: no limit."""
    tokens: AtLeastOne | None = None
    """Input and output tokens of the target; null: no limit."""


class ExperimentSettings(FileModel):
    """An experiment, as its file or a Python program writes it.

    Paths are relative to the experiment file.
    """

    name: Text
    """For people; part of the run's id."""
    dataset: Text
    """A path or fsspec URL that ends in .jsonl, .ndjson, .json, .yaml, .csv or .parquet."""
    target: TargetSettings
    """What is under test."""
    suite: SuiteSettings
    """The assessments, or the path of a .yaml or .json file with a list of them."""
    fixture_id: Text | None = None
    """Identity of the selected cases; null: a digest of their content."""
    limit: AtLeastOne | None = None
    """Take the first so many cases; not together with select."""
    select: Filled[Text] | None = None
    """Take the cases of these ids."""
    target_revision: Text | None = None
    """Change it when the target changes, so that runs of different targets stay apart."""
    repeats: AtLeastOne = 1
    """How many times each case is run."""
    concurrency: AtLeastOne = 8
    """How many targets are in flight at the same time."""
    grading_concurrency: AtLeastOne | None = None
    """How many suites are in flight at the same time; null: as concurrency."""
    timeout_seconds: Seconds | None = None
    """Time limit of each attempt of the target; null: none."""
    retries: RetrySettings = RetrySettings()
    """When an attempt of the target is followed by another one."""
    suite_concurrency: AtLeastOne = 1
    """How many assessments of one trial run at the same time."""
    evaluator_timeout_seconds: Seconds = 60.0
    """Time limit of each call of an evaluator."""
    error_policy: ErrorPolicy = "collect"
    """collect: a failed assessment lets the others go on; fail_fast: it ends the run."""
    target_failures: TargetFailures = "failed"
    """Whether a target that failed counts as a wrong answer or as an unknown one."""
    adaptive_concurrency: bool = False
    """Lower the concurrency when the target is rate limited, and raise it again."""
    budget: Budget = Budget()
    """What a run may spend before no further trial starts."""
    secrets: Items[Text] = ()
    """Environment variables whose values are masked everywhere."""
    trial_shape: TrialShape = "task"
    """task: a Prefect task run for each trial; batch: for each shard of trials."""
    runner: Runner = "local"
    """Where trials run."""
    store: Text | None = None
    """Where runs are kept; null: ./.assay of the current folder."""
    baseline: Text | None = None
    """The grading or run to compare with."""
    margin: Annotated[dict[str, Annotated[float, Field(ge=0)]], Field(default_factory=dict)]
    """For each assessment, the difference that still counts as equal."""
    gates: Items[Text] = ()
    """Rules that the run must satisfy, such as `pass_rate >= 0.9`."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.limit is not None and self.select is not None:
            raise ValueError("expected either limit or select, got both")
        if self.select is not None and len(set(self.select)) < len(self.select):
            raise ValueError("expected each id under select once")
        return self

    def document(self) -> dict[str, object]:
        """What was written, as JSON values and without defaults; `model_validate` reads it back."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def target_value(self) -> str | dict[str, object]:
        """The target as its file writes it: an import string, or a mapping with one key."""
        return self.target if isinstance(self.target, str) else self.target.model_dump(mode="json")

    def with_overrides(self, overrides: "Overrides") -> Self:
        """The settings with all that the overrides name in place of what the file says.

        `limit` takes the place of `select`, and the other way round.
        """
        changes = {name: value for name, value in overrides if value is not None}
        if "limit" in changes or "select" in changes:
            changes = {"limit": None, "select": None, **changes}
        return self.model_copy(update=changes)


class Overrides(FileModel):
    """What a command line says in place of the experiment file; null leaves it as it is.

    Raises:
        InputError: a value is out of its range, or both limit and select are given; the place is
            the flag.
    """

    name: Text | None = None
    limit: AtLeastOne | None = None
    select: Filled[Text] | None = None
    repeats: AtLeastOne | None = None
    concurrency: AtLeastOne | None = None
    grading_concurrency: AtLeastOne | None = None
    timeout_seconds: Seconds | None = None
    target_failures: TargetFailures | None = None
    trial_shape: TrialShape | None = None
    runner: Runner | None = None
    baseline: Text | None = None
    gates: Items[Text] | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _explain(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            settings = handler(data)
        except ValidationError as error:
            fault = explain_invalid(error, data if isinstance(data, dict) else {})
            flag = flag_of(str(fault.mark[0])) if fault.mark else ""
            raise InputError(fault.sentence, place=flag, kind="flag") from error
        if settings.limit is not None and settings.select is not None:
            raise InputError(
                "expected one of them, got both", place="--limit, --select", kind="flag"
            )
        return settings


def flag_of(name: str) -> str:
    """The command-line flag of a setting, such as `--timeout-seconds`."""
    return "--" + name.replace("_", "-")
