"""A series of regraded runs for people: one row a run, the oldest first."""

from fractions import Fraction

from rich.console import Console

from assay.flows.terminal.console import inert, is_narrow
from assay.flows.terminal.plain_table import plain_table
from assay.tasks.regrade_series import RegradeSeries, SeriesRow


def show_series(console: Console, series: RegradeSeries) -> None:
    """Print the series; runs that were not graded are named below with the reason."""
    scores = list(dict.fromkeys(name for row in series.rows for name in row.scores))
    columns = {"created (UTC)": "<", "run": "<", "experiment": "<", "pass rate": ">"}
    columns |= {"between": ">", "graded": ">", **{inert(name): ">" for name in scores}}
    columns |= {"reused": ">", "regraded": ">"}
    graded = [row for row in series.rows if row.report is not None]
    if is_narrow(console):
        # The terminal may break an id, so that it can be copied; a table would cut it up.
        for number, row in enumerate(graded, 1):
            console.print(f"{number}  {inert(row.entry.run_id)}", soft_wrap=True)
        names = [str(number) for number in range(1, len(graded) + 1)]
    else:
        names = [inert(row.entry.run_id) for row in graded]
    rows = [_cells(row, name, scores) for row, name in zip(graded, names, strict=True)]
    console.print(plain_table(columns, rows))
    for row in series.rows:
        if row.report is None:
            reason = inert(row.reason, 400)
            console.print(f"{row.outcome}: {inert(row.entry.run_id)}: {reason}", soft_wrap=True)
    console.print(f"{series.verdict_line()}; target calls: 0")


def _cells(row: SeriesRow, name: str, scores: list[str]) -> list[str]:
    created, report = row.entry.created_at, row.report
    if report is None:
        return []
    summary = report.report.summary
    headline = summary.headline
    between = f"{_percent(headline.low)} to {_percent(headline.high)}" if headline.unknown else ""
    means = (row.scores.get(one) for one in scores)
    return [
        "?" if created is None else f"{created:%Y-%m-%d %H:%M}",
        name,
        inert(row.entry.name),
        _percent(headline.over_planned),
        between,
        f"{summary.trials.graded}/{summary.trials.planned}",
        *("" if mean is None else f"{mean:.4g}" for mean in means),
        str(report.report.reused),
        str(report.report.computed),
    ]


def _percent(rate: Fraction | None) -> str:
    return "none" if rate is None else f"{float(rate) * 100:.1f} %"
