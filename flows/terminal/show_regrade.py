"""A regrade for people: what was reused and computed, which verdicts flipped, the numbers."""

from rich.console import Console
from rich.table import Table

from assay.flows.terminal.console import inert
from assay.flows.terminal.plain_table import plain_table
from assay.flows.terminal.show_report import show_report
from assay.tasks.regrade_report import Flip, RegradeReport

_MOST_FLIPS = 20


def show_regrade(console: Console, report: RegradeReport) -> None:
    """Print the report."""
    show_report(console, report.report)
    console.print()
    console.print(_table(report))
    if report.before is None:
        return
    console.print()
    console.print(f"{len(report.flips)} verdicts flipped since grading {report.before}")
    for flip in report.flips[:_MOST_FLIPS]:
        console.print(f"  {_line(flip)}")
    if len(report.flips) > _MOST_FLIPS:
        console.print(f"  and {len(report.flips) - _MOST_FLIPS} more; --json lists them all")


def _table(report: RegradeReport) -> Table:
    columns = {"assessment": "<", "reused": ">", "regraded": ">", "failed": ">"}
    tally = report.tally
    counts = (tally.reused, tally.computed, tally.failed)
    rows = [[inert(one), *(str(count[one]) for count in counts)] for one in tally.ids()]
    return plain_table(columns, rows)


def _line(flip: Flip) -> str:
    before, after = flip.before or "undecided", flip.after or "undecided"
    trial = f"{inert(flip.case_id)}#{flip.repeat}"
    return f"{trial} {inert(flip.assessment_id)}: {before} -> {after} ({flip.reason})"
