"""A comparison for people: paired differences, what had no partner, and the cases that changed."""

from rich.console import Console
from rich.table import Table

from assay.evaluators.comparison import Comparison, MetricComparison
from assay.evaluators.delta import DistributionDelta
from assay.flows.terminal.console import inert
from assay.flows.terminal.plain_table import plain_table
from assay.tasks.comparison_report import ComparisonReport

_MOST_CASES = 20
_QUIET_CHANGES = ("unchanged",)


def show_comparison(console: Console, report: ComparisonReport) -> None:
    """Print the comparison."""
    comparison = report.comparison
    console.print(f"baseline   {inert(report.baseline)}", soft_wrap=True)
    console.print(f"candidate  {inert(report.candidate)}", soft_wrap=True)
    console.print(
        f"evaluated trials {comparison.evaluated_delta:+d}, "
        f"trials with errors {comparison.error_delta:+d}"
    )
    console.print()
    console.print(_table(comparison))
    _print_cases(console, comparison)


def _table(comparison: Comparison) -> Table:
    columns = {"assessment": "<", "difference": ">", "pairs": ">", "passes": ">", "no partner": "<"}
    rows = []
    for metric in comparison.metrics:
        delta = _numbers(metric)
        difference = f"{delta.mean:+.4g}" if delta.present else ""
        counts = (_pairs(metric, delta), _passes(metric), _unmatched(metric, delta))
        rows.append([inert(metric.assessment_id), difference, *counts])
    return plain_table(columns, rows)


def _numbers(metric: MetricComparison) -> DistributionDelta:
    score, measurement = metric.score_delta, metric.measurement_delta
    counted = score.matched + score.baseline_only + score.candidate_only
    return score if counted else measurement


def _pairs(metric: MetricComparison, delta: DistributionDelta) -> str:
    return str(max(delta.matched, metric.decision_delta.matched))


def _passes(metric: MetricComparison) -> str:
    decisions = metric.decision_delta
    return f"{decisions.passed_delta:+d}" if decisions.matched else ""


def _unmatched(metric: MetricComparison, delta: DistributionDelta) -> str:
    decisions = metric.decision_delta
    baseline = max(delta.baseline_only, decisions.baseline_only)
    candidate = max(delta.candidate_only, decisions.candidate_only)
    incompatible = max(decisions.incompatible, delta.incompatible)
    counts = (
        (baseline, "baseline only"),
        (candidate, "candidate only"),
        (incompatible, "incompatible"),
    )
    return ", ".join(f"{count} {words}" for count, words in counts if count)


def _print_cases(console: Console, comparison: Comparison) -> None:
    changes = [(str(case), str(change)) for case, change in comparison.cases.iter_rows()]
    counts: dict[str, int] = {}
    for _, change in changes:
        counts[change] = counts.get(change, 0) + 1
    console.print()
    console.print("cases: " + ", ".join(f"{count} {change}" for change, count in counts.items()))
    moved = [one for one in changes if one[1] not in _QUIET_CHANGES]
    for case, change in moved[:_MOST_CASES]:
        console.print(f"  {change:<12} {inert(case)}")
    if len(moved) > _MOST_CASES:
        console.print(f"  and {len(moved) - _MOST_CASES} more; --json lists them all")
