"""What a run's plan says, loaded so far that its receipts can be graded; no target is loaded."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import decode
from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError, InputError
from assay.evaluators.suite import Suite
from assay.tasks.case_snapshot import case_snapshot
from assay.tasks.corrected_cases import LeftOut, corrected_cases
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.mask_errors import masked_errors
from assay.tasks.mask_secrets import Secrets
from assay.tasks.plan_case import plan_case
from assay.tasks.read_dataset import read_dataset
from assay.tasks.read_suite import read_case_suite, read_suite
from assay.tasks.refuse_secrets import refuse_secrets
from assay.tasks.store import RunStore
from assay.tasks.store.frame import frame_of
from assay.tasks.stored_cases import CASE_COLUMNS, StoredCases, own_assessments
from assay.tasks.stored_plan import StoredPlan, plan_in_force


@dataclass(frozen=True, slots=True, eq=False)
class RecalledPlan:
    """A plan as grading needs it.

    Attributes:
        settings: The settings in force.
        cases: By id, in dataset order, with their own assessments.
        suite: The suite that grades; all of it runs, whatever fails.
        fixture_id: The identity of the selection of cases.
        secrets: What is masked in what evaluators say.
        left_out: The cases that a corrected dataset left out; None where the run's own are graded.
    """

    settings: ExperimentSettings
    cases: StoredCases
    suite: Suite
    fixture_id: str
    secrets: Secrets
    left_out: LeftOut | None = None

    @property
    def grading_concurrency(self) -> int:
        """How many assessments may run at the same time."""
        return self.settings.grading_concurrency or self.settings.concurrency

    def ids(self) -> tuple[str, ...]:
        """The ids of all results: the suite's, then those of single cases."""
        own = (each for ones in self.cases.own.values() for one in ones for each in one.ids)
        return tuple(dict.fromkeys((*self.suite.ids, *own)))

    def known_ids(self) -> tuple[str, ...]:
        """The same, with the ids of assessments that have several results."""
        own = (one.id for ones in self.cases.own.values() for one in ones)
        return tuple(
            dict.fromkeys((*self.ids(), *(one.id for one in self.suite.assessments), *own))
        )


def recall_plan(
    run: RunStore, *, suite: Path | None = None, dataset: str | None = None
) -> RecalledPlan:
    """The plan of a run, with its own suite or with another one.

    Args:
        run: The run.
        suite: A suite file that takes the place of the run's suite; cases keep their own.
        dataset: A dataset whose cases take the place of the run's where they ask the same.

    Raises:
        InputError: when the plan, the suite, the dataset or an evaluator cannot be used.
    """
    plan = plan_in_force(run)
    with masked_errors(plan.experiment.secrets):
        recalled = _recalled(run, plan, suite)
        return recalled if dataset is None else _corrected(recalled, plan, dataset)


def _recalled(run: RunStore, plan: StoredPlan, suite: Path | None) -> RecalledPlan:
    settings = plan.experiment
    secrets = Secrets.from_environment(settings.secrets, os.environ)
    place = f"run {run.run_id}" if suite is None else str(suite)
    assessments = _own_suite(plan, place) if suite is None else _suite_file(suite)
    refuse_secrets(assessments, secrets, place=place)
    try:
        grading_suite = Suite(assessments, max_concurrency=settings.suite_concurrency)
    except AssayError as error:
        raise InputError(str(error), place=place, kind="suite") from error
    return RecalledPlan(
        settings=settings,
        cases=recall_cases(run, plan, grading_suite),
        suite=grading_suite,
        fixture_id=plan.fixture_id,
        secrets=secrets,
    )


def _corrected(recalled: RecalledPlan, plan: StoredPlan, dataset: str) -> RecalledPlan:
    """The same with the cases of a dataset."""
    cases = {}
    for case in read_dataset(dataset):
        own = read_case_suite(case, plan.base, taken=recalled.suite.ids, place=dataset)
        refuse_secrets(own, recalled.secrets, place=dataset)
        cases[case.id] = plan_case(case, own, recalled.secrets, place=dataset)
    found = corrected_cases(cases, recalled.cases, place=dataset)
    rows = frame_of(case_snapshot(found.cases.values()))
    return replace(
        recalled,
        cases=StoredCases(rows, own_assessments(found.cases)),
        fixture_id=found.fixture_id,
        left_out=found.left_out,
    )


def _suite_file(path: Path) -> tuple[Assessment, ...]:
    return read_suite(str(path), Path.cwd())


def _own_suite(plan: StoredPlan, place: str) -> tuple[Assessment, ...]:
    for one in plan.assessments:
        if one.entry is None:
            raise _made_in_python(one.id, place, "give a suite file with --suite")
    entries = [one.entry for one in plan.assessments if one.entry is not None]
    return read_suite(entries, plan.suite_base, place=lambda _: place)


def recall_cases(run: RunStore, plan: StoredPlan, suite: Suite) -> StoredCases:
    """The cases of a run's snapshot, in dataset order, with their own assessments.

    Args:
        run: The run.
        plan: Its plan.
        suite: The suite beside which the cases' own assessments stand.

    Raises:
        InputError: when an assessment of a case cannot be used.
        StoreError: when the snapshot is not the one that the plan was made with.
    """
    rows = run.cases(CASE_COLUMNS)
    written = rows.filter(pl.col("suite").is_not_null()).select("case_id", "suite")
    own = {name: _case_suite(run, plan, (name, text), suite) for name, text in written.rows()}
    return StoredCases(rows, own)


def _case_suite(
    run: RunStore, plan: StoredPlan, own: tuple[str, str], suite: Suite
) -> tuple[Assessment, ...]:
    case_id, entries = own
    place = f"run {run.run_id}"
    for one in plan.case_assessments.get(case_id, ()):
        if one.entry is None:
            advice = "grade it in the program that made it"
            raise _made_in_python(one.id, f"{place}, case {case_id[:80]!r}", advice)
    case = Case.model_validate({"id": case_id, "input": None, "suite": decode(entries)})
    return read_case_suite(case, plan.base, taken=suite.ids, place=place)


def _made_in_python(identity: str, place: str, advice: str) -> InputError:
    message = f"assessment {identity[:80]!r} was made in Python and no plan can load it; {advice}"
    return InputError(message, place=place, kind="suite")
