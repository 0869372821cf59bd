"""The totals of what was collected."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from assay.evaluators.swebench.task_result import TaskResult


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How many tasks there are of each kind.

    `resolved`, `unresolved`, `missing_predictions`, `empty_patches` and `errors` sum to `total`.
    The failures are advice: those tasks are among the unresolved ones and the errors.

    Attributes:
        total: Selected tasks: the denominator of the official rate.
        submitted: Tasks with a prediction, an empty one too.
        completed: Tasks on which the harness wrote a report.
        resolved: Tasks that are solved.
        unresolved: Tasks that are not.
        missing_predictions: Tasks for which nothing was handed in.
        empty_patches: Tasks for which an empty patch was.
        errors: Tasks that gave no usable report.
        infrastructure_failures: Tasks that the environment may have failed.
        ambiguous_failures: Tasks that either the environment or the patch failed.
    """

    total: int
    submitted: int
    completed: int
    resolved: int
    unresolved: int
    missing_predictions: int
    empty_patches: int
    errors: int
    infrastructure_failures: int
    ambiguous_failures: int

    @property
    def resolved_rate(self) -> float:
        """The official rate, in [0, 1]: resolved of all selected tasks, not of those graded."""
        return self.resolved / self.total

    @classmethod
    def of(cls, results: Sequence[TaskResult]) -> Self:
        """The totals of these results."""
        by_status = Counter(one.status for one in results)
        by_kind = Counter(one.failure.kind for one in results if one.failure is not None)
        return cls(
            total=len(results),
            submitted=len(results) - by_status["missing_prediction"],
            completed=sum(one.completed for one in results),
            resolved=by_status["resolved"],
            unresolved=by_status["unresolved"],
            missing_predictions=by_status["missing_prediction"],
            empty_patches=by_status["empty_patch"],
            errors=by_status["error"],
            infrastructure_failures=by_kind["infrastructure"],
            ambiguous_failures=by_kind["ambiguous"],
        )
