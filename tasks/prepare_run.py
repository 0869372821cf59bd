"""The run that comes of a checked experiment: its plan in the store, or what is left of an old one."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike

import polars as pl
import pyarrow as pa

from assay.evaluators.errors import InputError
from assay.tasks.plan import Plan
from assay.tasks.plan_document import grading_document, plan_document
from assay.tasks.plan_run import plan_run
from assay.tasks.planned_run import PlannedRun
from assay.tasks.reusable_grades import REUSABLE
from assay.tasks.store import (
    CaseRow,
    GradingStore,
    RunStore,
    Store,
    case_table,
    choose_store,
    new_grading_id,
    new_run_id,
    open_store,
)
from assay.tasks.targets import TargetIdentity, same_target
from assay.tasks.trial_key import TrialKey


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run that stands in the store, and what of it is left to do.

    Attributes:
        planned: What it does, in memory.
        store: Where it is.
        run: Its folder in the store.
        grading: The grading that its grades go to.
        done: Trials with nothing left to do: they failed for good, or are fully graded.
        graded: For trials that are partly graded, the assessments that need not be run again.
        received: Trials whose receipt is there.
    """

    planned: PlannedRun
    store: Store
    run: RunStore
    grading: GradingStore
    done: frozenset[TrialKey] = frozenset()
    received: frozenset[TrialKey] = frozenset()
    graded: Mapping[TrialKey, frozenset[str]] = field(default_factory=dict)

    def keys_left(self) -> Iterator[TrialKey]:
        """The trials that are not done, in planned order."""
        return (key for key in self.planned.keys() if key not in self.done)

    def trials_left(self) -> int:
        """How many trials are not done."""
        return self.planned.counts()["trials"] - len(self.done)


def prepare_run(
    experiment: str | PathLike[str] | Plan,
    *,
    store: str | None = None,
    run_id: str | None = None,
    overrides: Mapping[str, object] | None = None,
) -> PreparedRun:
    """Check an experiment and write its plan; or take up a run that has begun.

    Nothing is written and nothing paid unless the experiment file, the dataset, the target, the
    suite, the gates and the store are all usable.

    Args:
        experiment: Path of an experiment file, or a plan made in Python.
        store: Where the run goes; the environment and the experiment say it otherwise.
        run_id: A run to go on with, or the id of a new one.
        overrides: Settings that take the place of the experiment's.

    Raises:
        InputError: naming the file and place, what was expected and what came.
    """
    planned = plan_run(experiment, overrides or {})
    url = choose_store(
        store, environ=os.environ, declared=planned.settings.store, folder=str(planned.base)
    )
    opened = open_store(url)
    if run_id is not None and any(entry.run_id == run_id for entry in opened.runs()):
        return take_up(opened, opened.run(run_id), planned)
    return _create(opened, planned, run_id)


def _create(store: Store, planned: PlannedRun, run_id: str | None) -> PreparedRun:
    store.require_writable()
    run = store.create_run(
        run_id or new_run_id(planned.settings.name),
        plan=plan_document(planned),
        cases=_case_table(planned),
    )
    return PreparedRun(planned, store, run, _new_grading(run, planned))


def _new_grading(run: RunStore, planned: PlannedRun) -> GradingStore:
    document = grading_document(planned.suite, planned.cases, planned.fixture_id)
    return run.create_grading(new_grading_id(), grading=document)


def _case_table(planned: PlannedRun) -> pa.Table:
    return case_table(
        CaseRow(
            case_id=case.texts.id,
            input=case.texts.input,
            expected=case.texts.expected,
            metadata=case.texts.metadata,
            suite=case.suite,
            case_digest=case.digest,
            input_digest=case.input_digest,
            position=position,
        )
        for position, case in enumerate(planned.cases.values())
    )


def take_up(store: Store, run: RunStore, planned: PlannedRun) -> PreparedRun:
    """What is left of a run: planned trials without an execution, and missing grades.

    Raises:
        InputError: when the experiment is not the one that the run was planned with.
    """
    _require_same_plan(run, planned)
    gradings = run.gradings()
    grading = gradings[0] if gradings else _new_grading(run, planned)
    executions = _by_key(run.executions(["case_id", "repeat", "kind"]))
    graded = _graded(grading)
    received = frozenset(key for key, kind in executions.items() if kind == "receipt")
    done = frozenset(
        key
        for key, kind in executions.items()
        if kind != "receipt" or _is_graded(planned, key, graded)
    )
    return PreparedRun(planned, store, run, grading, done, received - done, graded)


def _require_same_plan(run: RunStore, planned: PlannedRun) -> None:
    differing = [
        name
        for name, same in (
            ("dataset", run.plan["fixture_id"] == planned.fixture_id),
            ("target", _is_same_target(run, planned)),
            ("suite", run.plan["assessments"] == plan_document(planned)["assessments"]),
            ("repeats", run.plan["counts"]["repeats"] == planned.settings.repeats),
        )
        if not same
    ]
    if differing:
        msg = (
            f"expected the experiment that the run was planned with, got another "
            f"{', '.join(differing)}; give the changed experiment a new run id"
        )
        raise InputError(msg, place=f"run {run.run_id}", kind="run")


def _is_same_target(run: RunStore, planned: PlannedRun) -> bool:
    return same_target(TargetIdentity.from_wire(run.plan["target"]), planned.target.identity)


def _by_key(executions: pl.DataFrame) -> dict[TrialKey, str]:
    return {TrialKey(case_id, repeat): kind for case_id, repeat, kind in executions.iter_rows()}


def _graded(grading: GradingStore) -> dict[TrialKey, frozenset[str]]:
    grades = grading.grades(["case_id", "repeat", "assessment_id", "status"])
    found: dict[TrialKey, set[str]] = {}
    for case_id, repeat, assessment_id, status in grades.iter_rows():
        if status in REUSABLE:
            found.setdefault(TrialKey(case_id, repeat), set()).add(assessment_id)
    return {key: frozenset(ids) for key, ids in found.items()}


def _is_graded(
    planned: PlannedRun, key: TrialKey, graded: Mapping[TrialKey, frozenset[str]]
) -> bool:
    if key.case_id not in planned.cases:
        return True
    return graded.get(key, frozenset()).issuperset(planned.suite_of(key.case_id).ids)
