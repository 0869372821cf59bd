"""Two gradings of the same cases, paired by trial, assessment and observation."""

from dataclasses import dataclass, field, replace

import polars as pl

from assay.evaluators.assessment_summary import MetricSummary
from assay.evaluators.case_change import case_changes
from assay.evaluators.delta import DecisionDelta, DistributionDelta
from assay.evaluators.distribution import Payload
from assay.evaluators.grading import Grading
from assay.evaluators.metric import Metric
from assay.evaluators.observation import Observation
from assay.evaluators.paired_deltas import Entry, decision_deltas, number_deltas
from assay.evaluators.pairing import Pairing, require_comparable
from assay.evaluators.spending_delta import cost_delta, duration_delta, trial_pairs, usage_delta
from assay.evaluators.summary import Summary, summary_of
from assay.evaluators.trial_outcome import TargetFailures, trial_outcomes


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One assessment's observation on both sides; a side without it is None.

    Attributes:
        assessment_id: The assessment.
        observation: The metric and the metrics of the details.
        baseline: What the baseline observed over all its trials.
        candidate: What the candidate observed over all its trials.
        score_delta: The paired difference of scores.
        measurement_delta: The paired difference of measurements.
        decision_delta: The paired difference of verdicts.
    """

    assessment_id: str
    observation: Observation
    baseline: MetricSummary | None
    candidate: MetricSummary | None
    score_delta: DistributionDelta
    measurement_delta: DistributionDelta
    decision_delta: DecisionDelta

    @property
    def metric(self) -> Metric:
        """What was calculated."""
        return self.observation.metric

    @property
    def details(self) -> tuple[Observation, ...]:
        """What the details of the reports calculated."""
        return self.observation.details

    @property
    def evaluated_delta(self) -> int:
        """Completed grades of the candidate minus those of the baseline."""
        here, there = (
            0 if one is None else one.evaluated for one in (self.baseline, self.candidate)
        )
        return there - here

    def payload(self) -> Payload:
        """The machine form; the verdict is null as long as no test stands behind it."""
        return {
            "id": self.assessment_id,
            "metric": str(self.metric),
            "evaluated_delta": self.evaluated_delta,
            "score_delta": self.score_delta.payload(),
            "measurement_delta": self.measurement_delta.payload(),
            "decision_delta": self.decision_delta.payload(),
            "verdict": None,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidate minus baseline; no number in it is imputed.

    Attributes:
        baseline: The summary of one side.
        candidate: The summary of the other.
        metrics: The baseline's observations in its order, then those of the candidate alone.
        cases: The change of every case, columns `case_id` and `change`, in the baseline's order.
        cost_delta: The paired difference of a trial's cost.
        duration_delta: The paired difference of a receipt's seconds.
        usage_delta: The summed difference of tokens over trials with usage on both sides, or None.
    """

    baseline: Summary
    candidate: Summary
    metrics: tuple[MetricComparison, ...]
    cases: pl.DataFrame
    cost_delta: DistributionDelta = field(default_factory=DistributionDelta)
    duration_delta: DistributionDelta = field(default_factory=DistributionDelta)
    usage_delta: Payload | None = None

    @property
    def evaluated_delta(self) -> int:
        """Complete trials of the candidate minus those of the baseline."""
        return self.candidate.cases.evaluated - self.baseline.cases.evaluated

    @property
    def error_delta(self) -> int:
        """Incomplete trials of the candidate minus those of the baseline."""
        return self.candidate.cases.errors - self.baseline.cases.errors

    def payload(self) -> Payload:
        """The machine form: what is absent is null, and every number is finite."""
        cases = self.cases.cast(pl.String).rows()
        return {
            "evaluated_delta": self.evaluated_delta,
            "error_delta": self.error_delta,
            "matched_cases": len(cases),
            "assessments": [metric.payload() for metric in self.metrics],
            "usage_delta": self.usage_delta,
            "cost_delta": self.cost_delta.payload(),
            "duration_delta": self.duration_delta.payload(),
            "cases": [{"id": identity, "change": change} for identity, change in cases],
        }


def compare(
    baseline: Grading,
    candidate: Grading,
    *,
    across_revisions: bool = False,
    target_failures: TargetFailures = "failed",
) -> Comparison:
    """The paired comparison of two gradings of the same cases, in any order.

    Args:
        baseline: One side.
        candidate: The other; differences are candidate minus baseline.
        across_revisions: Compare grades of evaluators whose revision or code differs, instead of
            counting them as incompatible.
        target_failures: As for the summaries of both sides.

    Raises:
        InvalidComparison: when fixtures or cases differ, or a difference is too large for a number.
    """
    require_comparable(baseline, candidate)
    pairing = Pairing(baseline, candidate, across_revisions)
    here, there = (
        trial_outcomes(side, target_failures=target_failures) for side in (baseline, candidate)
    )
    summaries = [
        summary_of(side, outcomes, target_failures=target_failures)
        for side, outcomes in ((baseline, here), (candidate, there))
    ]
    spent = trial_pairs(pairing)
    return Comparison(
        baseline=summaries[0],
        candidate=summaries[1],
        metrics=_compare_metrics(pairing, summaries[0].metrics, summaries[1].metrics),
        cases=case_changes(pairing, here, there),
        cost_delta=cost_delta(spent),
        duration_delta=duration_delta(spent),
        usage_delta=usage_delta(spent),
    )


def _compare_metrics(
    pairing: Pairing, baseline: tuple[MetricSummary, ...], candidate: tuple[MetricSummary, ...]
) -> tuple[MetricComparison, ...]:
    here, there = ({_entry(one): one for one in side} for side in (baseline, candidate))
    scores, measurements = number_deltas(pairing, "score"), number_deltas(pairing, "measurement")
    decisions = decision_deltas(pairing)
    return tuple(
        MetricComparison(
            assessment_id=entry[0],
            observation=one.observation,
            baseline=here.get(entry),
            candidate=there.get(entry),
            score_delta=scores(entry),
            measurement_delta=measurements(entry),
            decision_delta=_with_singles(
                decisions.get(entry, DecisionDelta()), here.get(entry), there.get(entry)
            ),
        )
        for entry, one in {**here, **{k: v for k, v in there.items() if k not in here}}.items()
    )


def _entry(metric: MetricSummary) -> Entry:
    return metric.assessment_id, metric.digest


def _with_singles(
    delta: DecisionDelta, baseline: MetricSummary | None, candidate: MetricSummary | None
) -> DecisionDelta:
    """The delta, with the decisions that have no partner counted on their side."""
    paired = delta.matched + delta.incompatible
    here, there = (
        0 if side is None else side.passed + side.failed - paired for side in (baseline, candidate)
    )
    return replace(delta, baseline_only=here, candidate_only=there)
