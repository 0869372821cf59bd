"""A run's numbers for people: the headline with its bounds, then a row an assessment."""

from fractions import Fraction

from rich.console import Console
from rich.table import Table

from assay.evaluators.assessment_summary import AssessmentSummary, MetricSummary
from assay.evaluators.distribution import Distribution
from assay.evaluators.gate import GateResult
from assay.evaluators.summary import Summary
from assay.flows.terminal.console import inert, is_narrow
from assay.flows.terminal.plain_table import plain_table
from assay.tasks.list_failures import FailureKind
from assay.tasks.run_report import RunReport

_MOST_LABELS = 5
_MOST_FAILURES = 10
_LONGEST_EXAMPLE = 160
_UNDECIDED = 3


def show_report(console: Console, report: RunReport) -> None:
    """Print the report."""
    console.print(f"run      {inert(report.run_id)}", soft_wrap=True)
    console.print(f"grading  {inert(report.grading_id)}", soft_wrap=True)
    for line in (*_headline(report.summary), *_counts(report.summary)):
        console.print(line)
    console.print()
    console.print(assessment_table(report.summary, narrow=is_narrow(console)))
    console.print()
    for line in (*_failures(report.failures), *map(_gate, report.gates)):
        console.print(line)
    if report.worked:
        calls = f"target calls: {report.target_calls}"
        console.print(f"{calls}; grades: {report.computed} computed, {report.reused} reused")
    else:
        console.print(f"gradings of the run: {inert(', '.join(report.gradings), 2000)}")
    console.print(f"result: {_result(report)}")


def _headline(summary: Summary) -> list[str]:
    headline = summary.headline
    if headline.over_planned is None:
        return [f"pass rate: none ({headline.reason})"]
    lines = [
        f"pass rate over planned trials: {_rate(headline.passes, headline.planned)}",
        f"pass rate over graded trials:  {_rate(headline.passes, headline.judged)}",
    ]
    if headline.unknown:
        low, high = _percent(headline.low), _percent(headline.high)
        unknown = _counted(headline.unknown, "unknown trial")
        lines.append(f"  between {low} and {high}, whichever way {unknown} went")
    if summary.trials.target_failed:
        lines.append(f"  a failed target counts as {headline.target_failures}")
    aside = summary.trials.planned - headline.planned
    if aside:
        lines.append(f"  not among them: {_counted(aside, 'trial')} with nothing to decide")
    if summary.flaky:
        cases = inert(", ".join(summary.flaky), _LONGEST_EXAMPLE)
        lines.append(f"  passed and failed over its repeats: {cases}")
    return lines


def _counts(summary: Summary) -> list[str]:
    counts = summary.trials.payload()
    shown = [_counted(summary.trials.planned, "trial") + " planned"]
    shown += [
        f"{value} {name.replace('_', ' ')}"
        for name, value in counts.items()
        if name != "planned" and value
    ]
    return [", ".join(shown)]


def _failures(kinds: tuple[FailureKind, ...]) -> list[str]:
    lines = []
    for kind in kinds[:_MOST_FAILURES]:
        where = "target" if kind.assessment is None else inert(kind.assessment, 40)
        example = inert(f"{kind.trial}: {kind.example}", _LONGEST_EXAMPLE)
        lines.append(f"{where}: {kind.count} failed, {kind.error_class}; {example}")
    if len(kinds) > _MOST_FAILURES:
        lines.append(f"and {len(kinds) - _MOST_FAILURES} more kinds of failure")
    return lines


def _gate(gate: GateResult) -> str:
    reason = f" ({inert(gate.reason)})" if gate.reason else ""
    found = f"{_number(gate.value)}, n = {gate.n}{reason}"
    return f"gate {gate.outcome:<9} {inert(gate.rule)}: {found}"


def _result(report: RunReport) -> str:
    unknown = report.summary.headline.unknown
    if report.exit_code == _UNDECIDED:
        return f"undecided, {_counted(unknown, 'unknown trial')}" if unknown else "undecided"
    if not report.gates:
        return "every planned trial is known; there are no gates"
    return "a gate failed" if report.exit_code else "passed"


def assessment_table(summary: Summary, *, narrow: bool) -> Table:
    """One row an assessment: how many have an outcome, and what it is."""
    columns = {"assessment": "<", "n": ">", "passed": ">", "mean": ">"}
    columns |= {} if narrow else {"p10 / p50 / p90": ">", "labels": "<"}
    rows = []
    for one in summary.assessments:
        missing = _missing(one)
        # Metrics of one assessment are never pooled: each has a row, the first one the counts.
        for metric in one.metrics or (None,):
            more = [] if narrow else [_percentiles(metric), _labels(metric)]
            rows.append([inert(one.id), *_outcomes(metric), *more, missing])
            missing = ""
    return plain_table({**columns, "no outcome": "<"}, rows)


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


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _rate(part: int, whole: int) -> str:
    return f"{_percent(Fraction(part, whole))} ({part}/{whole})" if whole else "none"


def _percent(rate: Fraction | None) -> str:
    return "none" if rate is None else f"{float(rate) * 100:.1f} %"


def _number(value: float | None) -> str:
    return "no value" if value is None else f"{value:.4g}"
