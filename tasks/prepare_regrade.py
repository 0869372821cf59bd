"""A regrade that can start: the receipts, a suite over them, and the grades that are there."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assay.evaluators.errors import InputError
from assay.tasks.case_snapshot import case_snapshot
from assay.tasks.find_grading import newest_grading
from assay.tasks.mask_secrets import Secrets
from assay.tasks.plan_document import grading_document
from assay.tasks.recall_plan import RecalledPlan, recall_plan
from assay.tasks.regrade_demand import RegradeDemand
from assay.tasks.reusable_grades import ReusableGrades
from assay.tasks.store import GradingStore, RunStore, Store, new_grading_id

_CHANGED = RegradeDemand()


@dataclass(frozen=True, slots=True)
class PreparedRegrade:
    """What a regrade needs.

    Attributes:
        store: Where the run is.
        run: The run whose receipts are graded.
        plan: Its plan, with the suite that grades this time.
        demand: What is to be computed.
        before: The newest grading that has ended before, or None.
        old: The grades that may be used again.
        grading: The new grading.
    """

    store: Store
    run: RunStore
    plan: RecalledPlan
    demand: RegradeDemand
    before: GradingStore | None
    old: ReusableGrades
    grading: GradingStore

    @property
    def secrets(self) -> Secrets:
        """What is masked in what evaluators say."""
        return self.plan.secrets


def prepare_regrade(
    store: Store,
    run_id: str,
    *,
    suite: Path | None = None,
    dataset: str | None = None,
    demand: RegradeDemand = _CHANGED,
    before_writing: Callable[[], object] | None = None,
) -> PreparedRegrade:
    """Open a run, read the suite, and begin a new grading; the target is not even loaded.

    Args:
        store: Where the run is.
        run_id: The run, or the unique beginning of its id.
        suite: A suite file; the run's own suite where it is None.
        dataset: The dataset with corrected expected values or metadata; the cases as the run has
            them where it is None.
        demand: What is to be computed although older grades may be there.
        before_writing: Called once all is checked; what it raises keeps the grading from being
            begun.

    Raises:
        InputError: when the run, a file, an evaluator or the demand cannot be used.
    """
    run = store.run(run_id)
    plan = recall_plan(run, suite=suite, dataset=dataset)
    demand.require_known(plan.known_ids())
    before = newest_grading(run)
    if before is None and not demand.missing and not demand.fresh:
        message = (
            "expected a run that has been graded, got one without a grading; leave --only away"
        )
        raise InputError(message, place=f"run {run.run_id}", kind="run")
    asked = {"before": before.grading_id if before else None, **demand.document()}
    old = _reusable(run, demand, before, asked)
    store.require_writable()
    if before_writing is not None:
        before_writing()
    return PreparedRegrade(
        store=store,
        run=run,
        plan=plan,
        demand=demand,
        before=before,
        old=old,
        grading=_new_grading(run, plan, asked),
    )


def _reusable(
    run: RunStore, demand: RegradeDemand, before: GradingStore | None, asked: dict[str, object]
) -> ReusableGrades:
    gradings = run.gradings()
    return ReusableGrades(
        gradings=gradings,
        before=before,
        # Had one of them ended, it would be the one before.
        continued=frozenset(one.grading_id for one in gradings if one.info.get("regrade") == asked),
        as_they_are=not demand.missing,
    )


def _new_grading(run: RunStore, plan: RecalledPlan, asked: dict[str, object]) -> GradingStore:
    head = grading_document(plan.suite, plan.cases, plan.fixture_id, origin="regrade")
    if plan.left_out is None:
        return run.create_grading(new_grading_id(), grading={**head, "regrade": asked})
    return run.create_grading(
        new_grading_id(),
        grading={**head, "regrade": asked, "left_out": plan.left_out.document()},
        cases=case_snapshot(plan.cases.values()),
    )
