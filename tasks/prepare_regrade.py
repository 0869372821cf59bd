"""A regrade that can start: the receipts, a suite over them, and the grades that are there."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assay.tasks.find_grading import newest_grading
from assay.tasks.mask_secrets import Secrets
from assay.tasks.plan_document import grading_document
from assay.tasks.recall_plan import RecalledPlan, recall_plan
from assay.tasks.reusable_grades import ReusableGrades
from assay.tasks.store import GradingStore, RunStore, Store, new_grading_id


@dataclass(frozen=True, slots=True)
class PreparedRegrade:
    """What a regrade needs.

    Attributes:
        store: Where the run is.
        run: The run whose receipts are graded.
        plan: Its plan, with the suite that grades this time.
        before: The newest grading that has ended before, or None.
        old: The grades that may be used again.
        grading: The new grading.
        secrets: What is masked in what evaluators raise.
    """

    store: Store
    run: RunStore
    plan: RecalledPlan
    before: GradingStore | None
    old: ReusableGrades
    grading: GradingStore
    secrets: Secrets


def prepare_regrade(
    store: Store,
    run_id: str,
    *,
    suite: Path | None = None,
    before_writing: Callable[[], object] = lambda: None,
) -> PreparedRegrade:
    """Open a run, read the suite, and begin a new grading; the target is not even loaded.

    Args:
        store: Where the run is.
        run_id: The run, or the unique beginning of its id.
        suite: A suite file; the run's own suite where it is None.
        before_writing: Called once all is checked; what it raises keeps the grading from being
            begun.

    Raises:
        InputError: when the run, the suite file or an evaluator cannot be used.
    """
    run = store.run(run_id)
    plan = recall_plan(run, suite=suite)
    secrets = Secrets.from_environment(plan.settings.secrets, os.environ)
    old = ReusableGrades(run.gradings())
    document = grading_document(plan.suite, plan.cases, plan.fixture_id, origin="regrade")
    store.require_writable()
    before_writing()
    return PreparedRegrade(
        store=store,
        run=run,
        plan=plan,
        before=newest_grading(run),
        old=old,
        grading=run.create_grading(new_grading_id(), grading=document),
        secrets=secrets,
    )
