"""What a number of a summary may be, given what is known and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.evaluators.assessment_summary import AssessmentSummary, MetricSummary
from assay.evaluators.distribution import Distribution
from assay.evaluators.summary import Summary

_SHORTEST_TAIL = 20
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Range:
    """What a number may be, given what is missing; None is without end on that side.

    Attributes:
        low: The smallest that it can be.
        high: The largest that it can be.
        value: The number over what is known, or None where there is none.
        n: How many trials it rests on; 0 says that there is nothing to judge.
        reason: Why it is a range, or why there is no value; empty otherwise.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    value: float | None = None
    n: int = 0
    reason: str = ""


def pass_rate_range(summary: Summary) -> Range:
    """The pass rate over planned trials: every unknown trial could be a pass or none."""
    headline = summary.headline
    low, high = headline.low, headline.high
    if low is None:
        return Range(reason=headline.reason)
    reason = f"{headline.unknown} unknown trials" if headline.unknown else ""
    return Range(low, high, value=float(low), n=headline.planned, reason=reason)


def cost_range(summary: Summary) -> Range:
    """The cost of all executions: what was recorded is the least that it can be."""
    cost = summary.cost
    if cost.total is None:
        return Range(reason="no execution recorded its cost")
    total = Fraction(cost.total)
    reason = f"{cost.missing} executions without a cost" if cost.missing else ""
    high = None if cost.missing else total
    return Range(total, high, value=cost.total, n=cost.recorded, reason=reason)


def slowest_range(summary: Summary) -> Range:
    """The 95th percentile of seconds over planned trials: a missing one could be anything."""
    durations = summary.durations
    count = durations.spread.count
    if not count:
        return Range(reason="no receipt recorded its duration")
    reasons = [f"{durations.missing} trials without a duration"] if durations.missing else []
    if count < _SHORTEST_TAIL:
        reasons.append(f"with n = {count} the 95th percentile is the maximum")
    return Range(
        low=Fraction(durations.p95_low),
        high=None if durations.p95_high is None else Fraction(durations.p95_high),
        value=durations.spread.p95,
        n=count,
        reason=", ".join(reasons),
    )


def mean_range(summary: Summary, identity: str) -> Range:
    """The mean of an assessment's scores, or of its measurements where it has no scores."""
    assessment = summary.assessment(identity)
    if assessment is None:
        return Range(reason=f"no trial declares the assessment {identity[:_SHOWN]!r}")
    scored = [one for one in assessment.metrics if one.scores.count]
    measured = [one for one in assessment.metrics if one.measurements.count]
    if not scored and not measured:
        return Range(reason="no completed assessment has a number")
    if len({one.metric for one in scored or measured}) > 1:
        return _mixed(scored or measured)
    if scored:
        return _mean_score(assessment, scored)
    spreads = [one.measurements for one in measured]
    return _mean_measurement(assessment.incomplete, spreads)


def _mixed(metrics: Sequence[MetricSummary]) -> Range:
    """Numbers of several metrics have no mean, so nobody can decide about it."""
    count = sum(one.scores.count or one.measurements.count for one in metrics)
    return Range(n=count, reason="several metrics under one id, whose numbers are never pooled")


def _mean_score(assessment: AssessmentSummary, scored: Sequence[MetricSummary]) -> Range:
    """A missing score could be 0 or 1; a target that counts as failed has earned none."""
    total, count = _pool([one.scores for one in scored])
    missing = assessment.incomplete
    lost = min(missing, assessment.lost)
    known = count + missing
    reason = f"{missing} trials without a score" if missing else ""
    return Range(
        low=total / known,
        high=(total + missing - lost) / known,
        value=float(total / count),
        n=count,
        reason=reason,
    )


def _mean_measurement(missing: int, spreads: Sequence[Distribution]) -> Range:
    total, count = _pool(spreads)
    mean = total / count
    if missing:
        reason = f"{missing} trials without a measurement"
        return Range(value=float(mean), n=count, reason=reason)
    return Range(mean, mean, value=float(mean), n=count)


def _pool(spreads: Sequence[Distribution]) -> tuple[Fraction, int]:
    total = sum((Fraction(one.mean) * one.count for one in spreads), Fraction(0))
    return total, sum(one.count for one in spreads)
