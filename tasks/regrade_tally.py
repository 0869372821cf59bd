"""What a regrade did, assessment by assessment."""

from collections import Counter
from collections.abc import Iterable, Sequence

from assay.evaluators.assessment import AssessmentResult
from assay.tasks.reusable_grades import REUSABLE


class RegradeTally:
    """Counts of grades by assessment id.

    Args:
        ids: The assessments that are declared, in order.

    Attributes:
        reused: Grades carried over.
        computed: Grades computed.
        failed: Of the computed ones, those that another look would compute again.
        receipts: Receipts read.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self.reused = Counter(dict.fromkeys(ids, 0))
        self.computed: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.receipts = 0

    def ids(self) -> list[str]:
        """The declared assessments, in order."""
        return list(self.reused)

    def count(self, results: Sequence[AssessmentResult]) -> None:
        """Count results that were computed."""
        for result in results:
            self.computed[result.id] += 1
            if result.status not in REUSABLE:
                self.failed[result.id] += 1
