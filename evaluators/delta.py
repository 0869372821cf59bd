"""Paired differences of one observation: counted where they pair, never imputed where not."""

from dataclasses import dataclass

import polars as pl

from assay.evaluators.distribution import Payload, mean_of_sorted
from assay.evaluators.errors import InvalidComparison


@dataclass(frozen=True, slots=True)
class DistributionDelta:
    """Candidate minus baseline of numbers that both sides have.

    Attributes:
        mean: The mean difference; 0 where nothing matched.
        matched: Pairs with a number on both sides.
        baseline_only: Numbers without a partner in the candidate.
        candidate_only: Numbers without a partner in the baseline.
        incompatible: Pairs that evaluators of different revisions made.
    """

    mean: float = 0.0
    matched: int = 0
    baseline_only: int = 0
    candidate_only: int = 0
    incompatible: int = 0

    @property
    def present(self) -> bool:
        """True if anything matched."""
        return self.matched > 0

    def payload(self) -> Payload:
        """The machine form; null where nothing matched, and where no estimate is made yet."""
        return {
            "present": self.present,
            "mean": self.mean if self.present else None,
            "matched": self.matched,
            "baseline_only": self.baseline_only,
            "candidate_only": self.candidate_only,
            "incompatible": self.incompatible,
            "low": None,
            "high": None,
            "p_value": None,
        }


@dataclass(frozen=True, slots=True)
class DecisionDelta:
    """Candidate minus baseline of verdicts under one rule.

    Attributes:
        matched: Pairs decided on both sides under the same rule.
        baseline_only: Decisions without a partner in the candidate.
        candidate_only: Decisions without a partner in the baseline.
        incompatible: Pairs decided under different rules, or by different revisions.
        passed_delta: Passes of the candidate minus passes of the baseline, among matched pairs.
    """

    matched: int = 0
    baseline_only: int = 0
    candidate_only: int = 0
    incompatible: int = 0
    passed_delta: int = 0

    @property
    def failed_delta(self) -> int:
        """Fails of the candidate minus fails of the baseline, among matched pairs."""
        return -self.passed_delta

    def payload(self) -> Payload:
        """The machine form."""
        return {
            "matched": self.matched,
            "baseline_only": self.baseline_only,
            "candidate_only": self.candidate_only,
            "incompatible": self.incompatible,
            "passed_delta": self.passed_delta,
            "failed_delta": self.failed_delta,
        }


def mean_difference(differences: pl.Series) -> float:
    """The mean of ascending differences, 0 for none.

    Raises:
        InvalidComparison: when a difference is too large for a number.
    """
    if not len(differences):
        return 0.0
    if not bool(differences.is_finite().all()):
        msg = "comparison: expected differences that a number can hold, got an overflow"
        raise InvalidComparison(msg)
    return mean_of_sorted(differences)
