"""A run that stands in the store, and what of it is left to do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.tasks.planned_run import PlannedRun
from assay.tasks.store import GradingStore, RunStore, Store
from assay.tasks.trial_key import TrialKey


@dataclass(frozen=True, slots=True)
class GradedBefore:
    """What earlier processes graded of a trial.

    Attributes:
        ids: Results that need not be made again.
        attempts: The highest attempt that any of the trial's grades is of; 0 where it has none.
    """

    ids: frozenset[str] = frozenset()
    attempts: int = 0


_NOTHING = GradedBefore()


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRun:
    """A run that can start, or go on.

    Attributes:
        planned: What it does, in memory.
        store: Where it is.
        run: Its folder in the store.
        grading: The grading that its grades go to.
        done: Trials with nothing left to do: they failed for good, or are fully graded.
        received: Of the other trials, those whose receipt is there.
        graded: What is graded already, of any trial.
        warnings: One sentence each, for whoever goes on with the run.
    """

    planned: PlannedRun
    store: Store
    run: RunStore
    grading: GradingStore
    done: frozenset[TrialKey] = frozenset()
    received: frozenset[TrialKey] = frozenset()
    graded: Mapping[TrialKey, GradedBefore] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def keys_left(self) -> Iterator[TrialKey]:
        """The trials that are not done, in planned order."""
        return (key for key in self.planned.trials() if key not in self.done)

    def trials_left(self) -> int:
        """How many trials are not done."""
        return self.planned.counts()["trials"] - len(self.done)

    def graded_before(self, key: TrialKey) -> GradedBefore:
        """What earlier processes graded of the trial."""
        return self.graded.get(key, _NOTHING)

    def grades_before(self) -> int:
        """How many grades earlier processes left that are not made again."""
        return sum(len(one.ids) for one in self.graded.values())
