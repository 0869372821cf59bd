"""A trial between its begin and its end."""

from collections.abc import Collection
from dataclasses import dataclass, field

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.errors import ErrorClass
from assay.evaluators.suite import Suite, SuiteResult
from assay.tasks.call_target import Failed
from assay.tasks.reusable_grades import REUSABLE
from assay.tasks.targets import FrozenReceipt
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_note import TrialNote
from assay.tasks.work_left import GradedBefore


@dataclass(slots=True, eq=False)
class TrialProgress:
    """What is known of a trial that has begun and not ended.

    Attributes:
        key: The trial.
        before: What earlier processes graded of it.
        holds_slot: True while it may call the target.
        attempts: How often it was tried in this process.
        failures: Calls of the target that left no receipt, the first one first.
        receipt: What the target left; durable.
        results: What assessments found in this process, by id; durable.
        settled: True once no further attempt is wanted.
        broken: What went wrong with the host's side of it: the store, or a bug.
    """

    key: TrialKey
    before: GradedBefore = field(default_factory=GradedBefore)
    holds_slot: bool = False
    attempts: int = 0
    failures: list[Failed] = field(default_factory=list)
    receipt: FrozenReceipt | None = None
    results: dict[str, AssessmentResult] = field(default_factory=dict)
    settled: bool = False
    broken: Exception | None = None

    def missing(self, suite: Suite, again: Collection[ErrorClass]) -> Suite | None:
        """The assessments that have to run still, or again; None where nothing does.

        Args:
            suite: All of the trial's assessments.
            again: Error classes after which an assessment of this process is run once more.
        """
        settled = {
            one.id
            for one in self.results.values()
            if one.status in REUSABLE or (one.status == "failed" and one.error_class not in again)
        }
        done = self.before.ids | settled
        return suite.only([one for one in suite.ids if one not in done])

    def note(self) -> TrialNote:
        """What it came to."""
        executed = self.receipt is not None
        failed = not executed and bool(self.failures)
        return TrialNote(
            key=self.key,
            executed=executed,
            error_class=self.failures[-1].error_class if failed else None,
            suite=SuiteResult(tuple(self.results.values())) if self.results else None,
            attempts=self.attempts,
        )
