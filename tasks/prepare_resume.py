"""What resuming a run will do, said before it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.evaluators.errors import InputError
from assay.tasks.continue_run import continue_run
from assay.tasks.list_changes import changed_code, changed_file, changed_source
from assay.tasks.own_grading import own_grading, own_gradings
from assay.tasks.planned_run import PlannedRun
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.recall_run import current_run, recall_run, with_the_file
from assay.tasks.store import RunStore, Store
from assay.tasks.stored_plan import StoredPlan, plan_in_force
from assay.tasks.work_left import WorkLeft, work_left

Use = Literal["planned", "current"]
"""Which experiment a run goes on with: as it was planned, or as its file and code are now."""


@dataclass(frozen=True, slots=True, eq=False)
class Resumption:
    """A run that can go on, and what that comes to.

    Attributes:
        store: Where the run is.
        run: The run.
        plan: What it goes by.
        planned: What goes on, in memory.
        work: What of it is done.
        retry_failed: Trials whose attempts are used up are repeated.
        warnings: One sentence each.
    """

    store: Store
    run: RunStore
    plan: StoredPlan
    planned: PlannedRun
    work: WorkLeft
    retry_failed: bool
    warnings: tuple[str, ...]

    @property
    def to_execute(self) -> int:
        """How many trials the target is called for."""
        done = len(self.work.done) + len(self.work.received)
        return self.planned.counts()["trials"] - done

    @property
    def to_grade(self) -> int:
        """How many trials have a receipt and lack grades."""
        return len(self.work.received)

    @property
    def finished(self) -> int:
        """How many trials are fully graded."""
        return len(self.work.done) - (0 if self.retry_failed else len(self.work.failed))

    def lines(self) -> tuple[str, ...]:
        """What will be done, for people."""
        counts = (
            f"{self.planned.counts()['trials']} trials: {self.finished} done, "
            f"{self.to_execute} to execute, {self.to_grade} to grade only"
        )
        failed = len(self.work.failed)
        if not failed:
            return (counts,)
        fate = "executed again" if self.retry_failed else "kept; --retry-failed repeats them"
        return counts, f"{failed} trials whose attempts are used up: {fate}"

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints for `--dry-run`."""
        failed = len(self.work.failed)
        return {
            "run_id": self.run.run_id,
            "experiment": self.plan.name,
            "trials": {
                "planned": self.planned.counts()["trials"],
                "to_execute": self.to_execute,
                "to_grade": self.to_grade,
                "done": self.finished,
                "failures_kept": 0 if self.retry_failed else failed,
                "failures_retried": failed if self.retry_failed else 0,
            },
            "grades_kept": self.work.grades_kept,
            "warnings": list(self.warnings),
            "exit_code": 0,
        }

    def begin(self) -> PreparedRun:
        """The run, ready to go on; its journal says what it does not do as planned.

        The warnings are not repeated: they belong to what is said before.

        Raises:
            InputError: when the store cannot be written.
            StoreError: when writing fails.
        """
        self.store.require_writable()
        return continue_run(
            self.store,
            self.run,
            self.planned,
            plan=self.plan,
            purpose="resume",
            retry_failed=self.retry_failed,
        )


def prepare_resume(
    store: Store, run_id: str, *, use: Use | None = None, retry_failed: bool = False
) -> Resumption:
    """What resuming a run comes to; nothing is written, and nothing called.

    The cases are those of the run's snapshot, whatever has become of the dataset.

    Args:
        store: Where the run is.
        run_id: The run, or the unique beginning of its id.
        use: Which experiment to go on with where the run's has changed.
        retry_failed: Repeat trials whose attempts are used up.

    Raises:
        InputError: when there is no such run, when target, evaluators or settings are not those
            that the run goes by and `use` does not say what then, or cannot be used.
        StoreError: when a part of the run cannot be read.
    """
    run = store.run(run_id)
    plan = plan_in_force(run)
    planned, warnings = _chosen(run, plan, use)
    grading = own_grading(run, planned) or next(reversed(own_gradings(run)), None)
    work = work_left(run, grading, planned, retry_failed=retry_failed)
    _require_whole_inputs(run, plan, planned, work)
    return Resumption(
        store=store,
        run=run,
        plan=plan,
        planned=planned,
        work=work,
        retry_failed=retry_failed,
        warnings=(*warnings, *changed_source(plan, planned)),
    )


def _chosen(run: RunStore, plan: StoredPlan, use: Use | None) -> tuple[PlannedRun, tuple[str, ...]]:
    """What goes on, and what is to be said of it."""
    if use == "current":
        planned = current_run(run, plan)
        return planned, changed_code(plan, planned, run.run_id)
    if use is None:
        _refuse(run, changed_file(plan), "say --use planned or --use current")
    planned = recall_run(run, plan)
    _refuse(run, changed_code(plan, planned, run.run_id), "put it back, or say --use current")
    return planned, ()


def _refuse(run: RunStore, changes: Sequence[str], advice: str) -> None:
    if changes:
        message = (
            "expected the experiment that the run goes by, and something has changed: "
            f"{'; '.join(changes)}; {advice}"
        )
        raise InputError(message, place=f"run {run.run_id}", kind="run")


def _require_whole_inputs(
    run: RunStore, plan: StoredPlan, planned: PlannedRun, work: WorkLeft
) -> None:
    """Refuse to give the target an input in which a secret is masked."""
    masked = frozenset(plan.masked_inputs)
    left = (key for key in planned.trials() if key not in work.done | work.received)
    affected = next((key.case_id for key in left if key.case_id in masked), None)
    if affected is not None:
        message = (
            f"the input of case {affected[:80]!r} holds a secret, which the store does not keep; "
            f"{with_the_file(plan, run)}"
        )
        raise InputError(message, place=f"run {run.run_id}", kind="run")
