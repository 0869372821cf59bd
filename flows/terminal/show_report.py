"""A run's numbers for people: the headline with its bounds, then a row an assessment."""

from fractions import Fraction

from rich.console import Console
from rich.table import Table

from assay.evaluators.assessment_summary import AssessmentSummary, MetricSummary
from assay.evaluators.distribution import Distribution
from assay.evaluators.gate import GateResult
from assay.evaluators.summary import Summary
from assay.flows.terminal.console import inert, is_narrow
from assay.tasks.run_report import RunReport

_MOST_LABELS = 5


def show_report(console: Console, report: RunReport) -> None:
    """Print the report."""
    console.print(f"run      {report.run_id}")
    console.print(f"grading  {report.grading_id}")
    for line in (*_headline(report.summary), *_counts(report.summary)):
        console.print(line)
    console.print()
    console.print(assessment_table(report.summary, narrow=is_narrow(console)))
    for gate in report.gates:
        console.print(_gate(gate))
    calls = f"target calls: {report.target_calls}"
    console.print(f"{calls}; grades: {report.computed} computed, {report.reused} reused")


def _gate(gate: GateResult) -> str:
    reason = f" ({inert(gate.reason)})" if gate.reason else ""
    found = f"{_number(gate.value)}, n = {gate.n}{reason}"
    return f"gate {gate.outcome:<9} {inert(gate.rule)}: {found}"


def _headline(summary: Summary) -> list[str]:
    headline = summary.headline
    if headline.over_planned is None:
        return [f"pass rate: none ({headline.reason})"]
    lines = [
        f"pass rate over planned trials: {_rate(headline.passes, headline.planned)}",
        f"pass rate over graded trials:  {_rate(headline.passes, headline.judged)}",
    ]
    if headline.unknown:
        lines.append(
            f"  between {_percent(headline.low)} and {_percent(headline.high)} if the "
            f"{headline.unknown} unknown trials went either way"
        )
    if summary.trials.target_failed:
        lines.append(f"  a failed target counts as {headline.target_failures}")
    return lines


def _counts(summary: Summary) -> list[str]:
    counts = summary.trials.payload()
    shown = [f"{counts['planned']} trials planned"]
    shown += [
        f"{value} {name.replace('_', ' ')}"
        for name, value in counts.items()
        if name != "planned" and value
    ]
    lines = [", ".join(shown)]
    if summary.target_errors:
        errors = ", ".join(f"{count} {name}" for name, count in summary.target_errors.items())
        lines.append(f"  target failures: {errors}")
    return lines


def assessment_table(summary: Summary, *, narrow: bool) -> Table:
    """One row an assessment: how many have an outcome, and what it is."""
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("assessment", overflow="fold")
    table.add_column("n", justify="right")
    table.add_column("passed", justify="right")
    table.add_column("mean", justify="right")
    if not narrow:
        table.add_column("p10 / p50 / p90", justify="right")
        table.add_column("labels", overflow="fold")
    table.add_column("without an outcome", overflow="fold")
    for one in summary.assessments:
        missing = _missing(one)
        # Metrics of one assessment are never pooled: each has a row, the first one the counts.
        for metric in one.metrics or (None,):
            cells = [inert(one.id), *_outcomes(metric)]
            if not narrow:
                cells += [_percentiles(metric), _labels(metric)]
            table.add_row(*cells, missing)
            missing = ""
    return table


def _outcomes(metric: MetricSummary | None) -> tuple[str, str, str]:
    if metric is None:
        return "0", "", ""
    decided = metric.passed + metric.failed
    numbers = _numbers(metric)
    return (
        str(metric.evaluated),
        f"{metric.passed}/{decided}" if decided else "",
        f"{numbers.mean:.4g}" if numbers.count else "",
    )


def _numbers(metric: MetricSummary) -> Distribution:
    return metric.scores if metric.scores.count else metric.measurements


def _percentiles(metric: MetricSummary | None) -> str:
    if metric is None or not _numbers(metric).count:
        return ""
    numbers = _numbers(metric)
    return f"{numbers.p10:.3g} / {numbers.p50:.3g} / {numbers.p90:.3g}"


def _labels(metric: MetricSummary | None) -> str:
    if metric is None:
        return ""
    shown = [f"{inert(label, 30)} {count}" for label, count in metric.labels.items()]
    more = len(shown) - _MOST_LABELS
    return ", ".join([*shown[:_MOST_LABELS], f"{more} more"] if more > 0 else shown)


def _missing(one: AssessmentSummary) -> str:
    counts = [(name, count) for name, count in one.counts.items() if name != "completed"]
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts if count)


def _rate(part: int, whole: int) -> str:
    return f"{_percent(Fraction(part, whole))} ({part}/{whole})" if whole else "none"


def _percent(rate: Fraction | None) -> str:
    return "none" if rate is None else f"{float(rate) * 100:.1f} %"


def _number(value: float | None) -> str:
    return "no value" if value is None else f"{value:.4g}"
