"""What a regrade did, assessment by assessment."""

from collections import Counter
from collections.abc import Iterable, Sequence

import polars as pl

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
        absent: Grades that were not asked for, and that no older one stands for.
        receipts: Receipts that are graded.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self.reused = Counter(dict.fromkeys(ids, 0))
        self.computed: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.absent: Counter[str] = Counter()
        self.receipts = 0

    def ids(self) -> list[str]:
        """The declared assessments, in order."""
        return list(self.reused)

    def count(self, results: Sequence[AssessmentResult]) -> None:
        """Count results that were computed."""
        for result in results:
            self.computed[result.id] += 1
            if result.error is not None and result.status not in REUSABLE:
                self.failed[result.id] += 1

    def count_reused(self, ids: pl.Series) -> None:
        """Count grades that were carried over, by the ids of their assessments."""
        counts = ids.cast(pl.String).value_counts(name="grades")
        self.reused.update(dict(counts.iter_rows()))

    def count_absent(self, results: Sequence[AssessmentResult]) -> None:
        """Count results that stand for grades that nobody asked for."""
        self.absent.update(result.id for result in results)
