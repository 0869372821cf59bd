"""The pass rate, with everything that is not known beside it."""

from dataclasses import dataclass, fields
from fractions import Fraction

import polars as pl

from assay.evaluators.distribution import Payload
from assay.evaluators.statistics.wilson import wilson_interval
from assay.evaluators.trial_outcome import OUTCOMES, TargetFailures


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """How many trials were planned, and what became of them; the outcomes add up to the plan.

    Attributes:
        planned: All.
        graded: Every assessment completed or skipped, and at least one completed.
        partly_graded: Some assessment completed and some incomplete.
        ungraded: A receipt, and nothing completed.
        not_applicable: Every assessment skipped.
        target_failed: No receipt after all attempts.
        not_run: Never started.
        late: Results that came after their trial was given up; they are no trials.
        abandoned: Calls that ignored their cancellation; they are no trials.
    """

    planned: int = 0
    graded: int = 0
    partly_graded: int = 0
    ungraded: int = 0
    not_applicable: int = 0
    target_failed: int = 0
    not_run: int = 0
    late: int = 0
    abandoned: int = 0

    def payload(self) -> Payload:
        """The machine form."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class CaseCounts:
    """The kernel's counts, one case result a trial.

    `total` = `evaluated` + `errors`, `evaluated` = `passed` + `failed` + `unjudged`.

    Attributes:
        total: Planned trials.
        evaluated: Trials in which nothing is left to do.
        passed: Of those, with a suite verdict of pass.
        failed: Of those, with a suite verdict of fail.
        unjudged: Of those, the rest: nothing was decided, or no check applied.
        errors: Trials in which something is missing; never a quality failure.
        partial: Of those, with at least one completed assessment.
    """

    total: int = 0
    evaluated: int = 0
    passed: int = 0
    failed: int = 0
    unjudged: int = 0
    errors: int = 0
    partial: int = 0

    def payload(self) -> Payload:
        """The machine form."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class Headline:
    """The pass rate as whole numbers, so that gates compare exactly.

    Attributes:
        passes: Graded trials with a suite verdict of pass.
        planned: Denominator over planned trials: all but those in which nothing was to be decided.
        judged: Denominator over graded trials: those with a verdict.
        unknown: Trials in the first denominator that could still be a pass.
        target_failures: What a target's own failures count as.
        repeats: Whether a case stands in several trials, which are not independent then.
    """

    passes: int
    planned: int
    judged: int
    unknown: int
    target_failures: TargetFailures
    repeats: bool = False

    @property
    def over_planned(self) -> Fraction | None:
        """Passes over planned trials, or None where nothing was to be decided."""
        return rate(self.passes, self.planned)

    @property
    def over_graded(self) -> Fraction | None:
        """Passes over graded trials, or None where nothing was decided."""
        return rate(self.passes, self.judged)

    @property
    def low(self) -> Fraction | None:
        """The rate over planned trials if no unknown trial were a pass."""
        return self.over_planned

    @property
    def high(self) -> Fraction | None:
        """The rate over planned trials if every unknown trial were a pass."""
        return rate(self.passes + self.unknown, self.planned)

    @property
    def reason(self) -> str:
        """Why a rate is null, or empty where none is."""
        if not self.planned:
            return "no planned trial had anything to decide"
        return "" if self.judged else "no trial was graded with a verdict"

    def interval(self, *, confidence: float = 0.95) -> tuple[float, float] | None:
        """The Wilson interval of the rate over graded trials, cases being the unit.

        None where nothing was decided, and where repeats make the trials dependent.
        """
        if self.repeats:
            return None
        return wilson_interval(self.passes, self.judged, confidence=confidence)

    def payload(self) -> Payload:
        """The machine form, null where a denominator is 0; the policy stands beside the numbers."""
        rates = {
            name: getattr(self, name) for name in ("over_planned", "over_graded", "low", "high")
        }
        floats = {name: None if one is None else float(one) for name, one in rates.items()}
        whole = ("passes", "planned", "judged", "unknown", "target_failures")
        return {**floats, **{name: getattr(self, name) for name in whole}}


def rate(part: int, whole: int) -> Fraction | None:
    """The exact share, or None of nothing."""
    return Fraction(part, whole) if whole else None


def trial_counts(outcomes: pl.DataFrame, *, late: int = 0, abandoned: int = 0) -> TrialCounts:
    """What became of the trials of `trial_outcomes`."""
    found = dict(outcomes.group_by("outcome").len().iter_rows())
    counts = {outcome: found.get(outcome, 0) for outcome in OUTCOMES}
    return TrialCounts(planned=outcomes.height, late=late, abandoned=abandoned, **counts)


def case_counts(outcomes: pl.DataFrame) -> CaseCounts:
    """The kernel's counts over the trials of `trial_outcomes`."""
    evaluated = pl.col("outcome").is_in(["graded", "not_applicable"])
    passed, failed = ((pl.col("verdict") == word) for word in ("pass", "fail"))
    counts = outcomes.select(
        total=pl.len(),
        evaluated=evaluated.sum(),
        passed=passed.sum(),
        failed=failed.sum(),
        unjudged=(evaluated & ~passed & ~failed).sum(),
        errors=(~evaluated).sum(),
        partial=(pl.col("outcome") == "partly_graded").sum(),
    )
    return CaseCounts(**counts.row(0, named=True))


def headline(outcomes: pl.DataFrame, *, target_failures: TargetFailures) -> Headline:
    """The pass rate over the trials of `trial_outcomes`."""
    passes, planned, judged, unknown = outcomes.select(
        (pl.col("verdict") == "pass").sum(),
        pl.col("planned").sum(),
        pl.col("judged").sum().alias("judges"),
        pl.col("unknown").sum(),
    ).row(0)
    return Headline(
        passes=passes,
        planned=planned,
        judged=judged,
        unknown=unknown,
        target_failures=target_failures,
        repeats=bool(outcomes["case"].n_unique() < outcomes.height),
    )
