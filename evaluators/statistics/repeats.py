"""How the repeats of one case ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from assay.evaluators.statistics.undefined import Undefined


@dataclass(frozen=True, slots=True)
class Repeats:
    """The verdicts on one case, counted.

    The statistics of repeats take these counts and give a number or `Undefined`: a repeat without
    a verdict is never counted as passed, and never silently left out of what was planned.

    Attributes:
        passed: Repeats with the verdict pass.
        failed: Repeats with the verdict fail.
        unknown: Planned repeats without a verdict: not run, not graded, not decided.

    Raises:
        ValueError: when a count is negative.

    Examples:
        >>> Repeats.of(["pass", "", "fail"])
        Repeats(passed=1, failed=1, unknown=1)
    """

    passed: int
    failed: int
    unknown: int = 0

    def __post_init__(self) -> None:
        if min(self.passed, self.failed, self.unknown) < 0:
            msg = f"expected counts of 0 or more, got {self}"
            raise ValueError(msg)

    @classmethod
    def of(cls, verdicts: Iterable[str | None]) -> Self:
        """The counts of verdicts `pass`, `fail`, and anything else for one that is unknown."""
        found = list(verdicts)
        passed, failed = found.count("pass"), found.count("fail")
        return cls(passed, failed, len(found) - passed - failed)

    @property
    def graded(self) -> int:
        """Repeats with a verdict."""
        return self.passed + self.failed

    @property
    def planned(self) -> int:
        """All repeats."""
        return self.graded + self.unknown

    def too_few_for(self, k: int) -> Undefined | None:
        """Why nothing can be said of k repeats, or None where it can.

        Raises:
            ValueError: when `k` is below 1.
        """
        if k < 1:
            msg = f"expected k to be at least 1, got {k}"
            raise ValueError(msg)
        if k <= self.graded:
            return None
        return Undefined(f"k = {k} needs at least {k} graded repeats of a case, got {self.graded}")
