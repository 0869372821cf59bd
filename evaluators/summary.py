"""Everything that one grading says: counts, rates, distributions, and what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.evaluators.assessment_summary import (
    AssessmentSummary,
    MetricSummary,
    assessment_summaries,
    metric_summaries,
)
from assay.evaluators.distribution import Payload
from assay.evaluators.grading import Grading
from assay.evaluators.headline import (
    CaseCounts,
    Headline,
    TrialCounts,
    case_counts,
    headline,
    trial_counts,
)
from assay.evaluators.spending import (
    CostTotal,
    Durations,
    UsageTotals,
    cost_total,
    durations,
    usage_totals,
)
from assay.evaluators.trial_outcome import TargetFailures, trial_outcomes


@dataclass(frozen=True, slots=True)
class Summary:
    """What a grading says, every number with its denominator.

    Attributes:
        trials: What became of the planned trials.
        headline: The pass rate and its bounds.
        cases: The kernel's counts, one case result a trial.
        assessments: One for each declared id, in order of first appearance.
        metrics: One for each assessment and observation, in order of first appearance.
        usage: Tokens and model calls.
        cost: Money.
        durations: Seconds of the receipts.
        flaky: Cases with a pass and a fail among their graded trials, in planned order.
        target_errors: How many trials the target failed, by error class.
        reused: How many grades were carried over.
        computed: How many were made by calling an evaluator, or by seeing that it must not be.
    """

    trials: TrialCounts
    headline: Headline
    cases: CaseCounts
    assessments: tuple[AssessmentSummary, ...] = ()
    metrics: tuple[MetricSummary, ...] = ()
    usage: UsageTotals = field(default_factory=UsageTotals)
    cost: CostTotal = field(default_factory=CostTotal)
    durations: Durations = field(default_factory=Durations)
    flaky: tuple[str, ...] = ()
    target_errors: Mapping[str, int] = field(default_factory=dict)
    reused: int = 0
    computed: int = 0

    def assessment(self, identity: str) -> AssessmentSummary | None:
        """The summary of an assessment, or None where no trial declares it."""
        return next((one for one in self.assessments if one.id == identity), None)

    def payload(self) -> Payload:
        """The machine form: what is absent is null, and every number is finite."""
        return {
            "trials": self.trials.payload(),
            "grades": {"computed": self.computed, "reused": self.reused},
            "pass_rate": self.headline.payload(),
            "cases": self.cases.payload(),
            "usage": self.usage.payload(),
            "cost": self.cost.total,
            "duration_seconds": self.durations.payload(),
            "flaky": list(self.flaky),
            "target_errors": dict(self.target_errors),
            "assessments": [one.payload() for one in self.assessments],
        }


def summarize(grading: Grading, *, target_failures: TargetFailures = "failed") -> Summary:
    """The summary of a grading.

    Args:
        grading: From memory or from a store.
        target_failures: Whether a target that failed by its own doing answered wrongly, or nobody
            knows; rate limits, outages and cancellations are always unknown.

    Raises:
        InvalidReport: when the text of an observation is missing or is none.
    """
    outcomes = trial_outcomes(grading, target_failures=target_failures)
    return summary_of(grading, outcomes, target_failures=target_failures)


def summary_of(
    grading: Grading, outcomes: pl.DataFrame, *, target_failures: TargetFailures
) -> Summary:
    """The summary of a grading whose `trial_outcomes` are known already."""
    metrics = metric_summaries(grading)
    return Summary(
        trials=trial_counts(outcomes, late=grading.late, abandoned=grading.abandoned),
        headline=headline(outcomes, target_failures=target_failures),
        cases=case_counts(outcomes),
        assessments=assessment_summaries(grading, metrics, lost=_lost(outcomes)),
        metrics=metrics,
        usage=usage_totals(grading.trials),
        cost=cost_total(grading.trials),
        durations=durations(grading.trials),
        flaky=_flaky(outcomes),
        target_errors=_target_errors(outcomes),
        reused=grading.reused,
        computed=_looked_at(grading) - grading.reused,
    )


def _looked_at(grading: Grading) -> int:
    return int(grading.grades.select((pl.col("status") != "not_evaluated").sum()).item())


def _flaky(outcomes: pl.DataFrame) -> tuple[str, ...]:
    verdict = pl.col("verdict")
    mixed = (verdict == "pass").any() & (verdict == "fail").any()
    table = outcomes.lazy().group_by("case").agg(mixed.alias("mixed"), pl.first("case_id"))
    found = table.filter("mixed").collect(engine="streaming").sort("case")
    return tuple(found["case_id"].cast(pl.String))


def _lost(outcomes: pl.DataFrame) -> int:
    settled = (pl.col("outcome") == "target_failed") & ~pl.col("unknown")
    return int(outcomes.select(settled.sum()).item())


def _target_errors(outcomes: pl.DataFrame) -> dict[str, int]:
    failed = outcomes.lazy().filter(pl.col("outcome") == "target_failed")
    word = pl.col("error_class").fill_null("internal")
    table = failed.group_by(word).len().collect().sort("error_class")
    return dict(table.iter_rows())
