"""What a run's plan says, loaded so far that its receipts can be graded; no target is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import decode, write
from assay.evaluators.case import Case
from assay.evaluators.errors import InputError
from assay.evaluators.retained import CaseTexts
from assay.evaluators.suite import Suite
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.planned_case import PlannedCase
from assay.tasks.read_suite import read_case_suite, read_suite
from assay.tasks.store import RunStore


@dataclass(frozen=True, slots=True)
class RecalledPlan:
    """A plan as grading needs it.

    Attributes:
        settings: The experiment's settings.
        cases: By id, in dataset order, with their own assessments.
        suite: The suite that grades.
        fixture_id: The identity of the selection of cases.
    """

    settings: ExperimentSettings
    cases: Mapping[str, PlannedCase]
    suite: Suite
    fixture_id: str


def recall_settings(run: RunStore) -> ExperimentSettings:
    """The settings that a run was planned with.

    Raises:
        InputError: when another version of Assay wrote settings that this one cannot read.
    """
    try:
        return ExperimentSettings.model_validate_json(write(run.plan["experiment"]))
    except (KeyError, ValidationError) as error:
        msg = "expected a plan of this version of Assay; its settings cannot be read"
        raise InputError(msg, place=f"run {run.run_id}", kind="run") from error


def recall_plan(run: RunStore, *, suite: Path | None = None) -> RecalledPlan:
    """The plan of a run, with its own suite or with another one.

    Args:
        run: The run.
        suite: A suite file that takes the place of the run's suite; cases keep their own.

    Raises:
        InputError: when the suite or an evaluator cannot be used.
    """
    settings = recall_settings(run)
    grading_suite = Suite(
        _own_suite(run) if suite is None else read_suite(str(suite.resolve()), Path.cwd()),
        max_concurrency=settings.suite_concurrency,
    )
    return RecalledPlan(
        settings=settings,
        cases=_cases(run, grading_suite),
        suite=grading_suite,
        fixture_id=str(run.plan["fixture_id"]),
    )


def _own_suite(run: RunStore) -> tuple[Assessment, ...]:
    place = f"run {run.run_id}"
    entries = []
    for one in run.plan["assessments"]:
        if one["entry"] is None:
            msg = (
                f"assessment {one['id']!r} was made in Python and cannot be loaded from the plan; "
                "give a suite file with --suite"
            )
            raise InputError(msg, place=place, kind="suite")
        entries.append(one["entry"])
    return read_suite(entries, Path(run.plan["suite_base"]), place=lambda _: place)


def _cases(run: RunStore, suite: Suite) -> dict[str, PlannedCase]:
    columns = ["case_id", "input", "expected", "metadata", "suite", "case_digest", "input_digest"]
    found = {}
    for case_id, given, expected, metadata, own, digest, input_digest in (
        run.cases(columns).iter_rows()
    ):
        found[case_id] = PlannedCase(
            texts=CaseTexts(case_id, given, expected, metadata),
            digest=digest,
            input_digest=input_digest,
            suite=own,
            assessments=() if own is None else _case_suite(run, case_id, own, suite),
        )
    return found


def _case_suite(run: RunStore, case_id: str, own: str, suite: Suite) -> tuple[Assessment, ...]:
    case = Case.model_validate({"id": case_id, "input": None, "suite": decode(own)})
    base = Path(run.plan["base"])
    return read_case_suite(case, base, taken=suite.ids, place=f"run {run.run_id}")
