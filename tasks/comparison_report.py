"""What a comparison comes to, in the shape that machines read."""

from dataclasses import dataclass

from assay.evaluators.comparison import Comparison
from assay.tasks.compare import compare_gradings
from assay.tasks.find_grading import find_grading
from assay.tasks.store import Store
from assay.tasks.stored_plan import settings_in_force


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """Two gradings and their paired differences.

    Attributes:
        baseline: Id of the one grading.
        candidate: Id of the other; every difference is candidate minus baseline.
        comparison: The differences.
    """

    baseline: str
    candidate: str
    comparison: Comparison

    def verdict_line(self) -> str:
        """One line for the host."""
        evaluated = self.comparison.evaluated_delta
        errors = self.comparison.error_delta
        return f"{evaluated:+d} evaluated trials, {errors:+d} trials with errors"

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            "baseline": self.baseline,
            "candidate": self.candidate,
            **self.comparison.payload(),
            "exit_code": 0,
        }


def report_comparison(
    store: Store, baseline: str, candidate: str, *, across_revisions: bool = False
) -> ComparisonReport:
    """The comparison of two gradings of a store, under the candidate's policy on target failures.

    Args:
        store: Where both are.
        baseline: A grading or a run, or the unique beginning of its id.
        candidate: What is compared with it.
        across_revisions: Pair grades of evaluators whose revision differs.

    Raises:
        InputError: when an id means nothing, or the two do not belong together.
    """
    sides = [find_grading(store, identity) for identity in (baseline, candidate)]
    comparison = compare_gradings(
        *sides,
        across_revisions=across_revisions,
        target_failures=settings_in_force(sides[1][0]).target_failures,
    )
    return ComparisonReport(sides[0][1].grading_id, sides[1][1].grading_id, comparison)
