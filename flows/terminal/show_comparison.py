"""A comparison for people: paired differences, what had no partner, and the cases that changed."""

from collections import Counter

from rich.console import Console
from rich.table import Table

from assay.evaluators.comparison import Comparison, MetricComparison
from assay.evaluators.delta import DistributionDelta
from assay.flows.terminal.console import inert
from assay.flows.terminal.plain_table import plain_table
from assay.tasks.comparison_report import ComparisonReport

_MOST_CASES = 20
_UNCHANGED = "unchanged"


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
    console.print()
    for line in (*_lines_without_partner(comparison), *_lines_of_cases(comparison)):
        console.print(line)


def _table(comparison: Comparison) -> Table:
    columns = {"assessment": "<", "difference": ">", "pairs": ">", "passes": ">"}
    rows = []
    for metric in comparison.metrics:
        delta = _numbers(metric)
        difference = f"{delta.mean:+.4g}" if delta.present else ""
        rows.append(
            [inert(metric.assessment_id), difference, _pairs(metric, delta), _passes(metric)]
        )
    return plain_table(columns, rows)


def _lines_without_partner(comparison: Comparison) -> list[str]:
    unmatched = [(one, _unmatched(one, _numbers(one))) for one in comparison.metrics]
    lines = [f"{inert(one.assessment_id)}: {text}" for one, text in unmatched if text]
    ids = [one.assessment_id for one in comparison.metrics]
    lines += [
        f"{inert(identity)}: its metrics differ in a parameter, so nothing is paired; regrade "
        "lists the verdicts that flipped"
        for identity in dict.fromkeys(one for one in ids if ids.count(one) > 1)
    ]
    if any(_incompatible(one, _numbers(one)) for one in comparison.metrics):
        lines.append(
            "incompatible: the evaluator or what it accepts differs; --across-revisions pairs "
            "other revisions of one evaluator"
        )
    return lines


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
    counts = (
        (baseline, "baseline only"),
        (candidate, "candidate only"),
        (_incompatible(metric, delta), "incompatible"),
    )
    return ", ".join(f"{count} {words}" for count, words in counts if count)


def _incompatible(metric: MetricComparison, delta: DistributionDelta) -> int:
    return max(metric.decision_delta.incompatible, delta.incompatible)


def _lines_of_cases(comparison: Comparison) -> list[str]:
    changes = [(str(case), str(change)) for case, change in comparison.cases.iter_rows()]
    counts = Counter(change for _, change in changes)
    lines = ["cases: " + ", ".join(f"{count} {change}" for change, count in counts.items())]
    moved = [one for one in changes if one[1] != _UNCHANGED]
    lines += [f"  {change:<12} {inert(case)}" for case, change in moved[:_MOST_CASES]]
    if len(moved) > _MOST_CASES:
        lines.append(f"  and {len(moved) - _MOST_CASES} more; --json lists them all")
    return lines
