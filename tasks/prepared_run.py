"""A run that stands in the store, and what of it is left to do."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.tasks.planned_run import PlannedRun
from assay.tasks.store import GradingStore, RunStore, Store
from assay.tasks.trial_key import TrialKey
from assay.tasks.work_left import GradedBefore, WorkLeft, work_left

RunPurpose = Literal["run", "resume"]
"""What a process writes a run for."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRun:
    """A run that can start, or go on.

    Attributes:
        planned: What it does, in memory.
        store: Where it is.
        run: Its folder in the store.
        grading: The grading that its grades go to.
        work: What of it was done when it was looked at last.
        purpose: What for, as others are told.
        retry_failed: Trials whose attempts are used up are repeated.
        warnings: One sentence each, for whoever goes on with the run.
    """

    planned: PlannedRun
    store: Store
    run: RunStore
    grading: GradingStore
    work: WorkLeft = field(default_factory=WorkLeft)
    purpose: RunPurpose = "run"
    retry_failed: bool = False
    warnings: tuple[str, ...] = ()

    def up_to_date(self) -> "PreparedRun":
        """The same with what is left now; raises StoreError when a part cannot be read."""
        work = work_left(self.run, self.grading, self.planned, retry_failed=self.retry_failed)
        return replace(self, work=work)

    def keys_left(self) -> Iterator[TrialKey]:
        """The trials that are not done, in planned order."""
        return (key for key in self.planned.trials() if key not in self.work.done)

    def trials_left(self) -> int:
        """How many trials are not done."""
        return self.planned.counts()["trials"] - len(self.work.done)

    def graded_before(self, key: TrialKey) -> GradedBefore:
        """What earlier processes graded of the trial."""
        return self.work.graded_before(key)

    def grades_before(self) -> int:
        """How many grades earlier processes left that are not made again."""
        return self.work.grades_kept
