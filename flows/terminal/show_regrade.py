"""A regrade for people: what was reused and computed, which verdicts flipped, the numbers."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from assay.flows.terminal.console import inert
from assay.flows.terminal.plain_table import plain_table
from assay.flows.terminal.show_report import show_report
from assay.tasks.corrected_cases import LeftOut
from assay.tasks.find_flips import Flip
from assay.tasks.regrade_report import RegradeReport

_MOST_FLIPS = 20
_MOST_CASES = 10


def show_regrade(console: Console, report: RegradeReport) -> None:
    """Print the report."""
    show_report(console, report.report)
    console.print()
    console.print(_table(report))
    for line in (*_absent(report), *_left_out(report.left_out)):
        console.print(line)
    if report.before is None:
        return
    console.print()
    console.print(
        f"{len(report.flips)} verdicts flipped since grading {report.before}{_kinds(report)}"
    )
    for flip in report.flips[:_MOST_FLIPS]:
        console.print(f"  {_line(flip)}")
    if len(report.flips) > _MOST_FLIPS:
        console.print(f"  and {len(report.flips) - _MOST_FLIPS} more; --json lists them all")


def _table(report: RegradeReport) -> Table:
    tally = report.tally
    counts = {"reused": tally.reused, "regraded": tally.computed, "failed": tally.failed}
    if tally.absent:
        counts["not evaluated"] = tally.absent
    columns = {"assessment": "<", **dict.fromkeys(counts, ">")}
    rows = [[inert(one), *(str(count[one]) for count in counts.values())] for one in tally.ids()]
    return plain_table(columns, rows)


def _absent(report: RegradeReport) -> Iterator[str]:
    count = report.tally.absent.total()
    if count:
        yield (
            f"{count} grades were not asked for and could not be carried over: their evaluator has "
            "changed or is new; they count as not evaluated, and --only changed computes them"
        )


def _left_out(left_out: LeftOut | None) -> Iterator[str]:
    if left_out is None:
        return
    for reason, ids in left_out.document().items():
        shown = ", ".join(inert(one, 40) for one in ids[:_MOST_CASES])
        more = f" and {len(ids) - _MOST_CASES} more" if len(ids) > _MOST_CASES else ""
        yield f"left out, {reason.replace('_', ' ')}: {len(ids)}" + (
            f" ({shown}{more})" if ids else ""
        )


def _kinds(report: RegradeReport) -> str:
    """How many flips there are of each kind, the commonest first."""
    kinds = Counter(_verdicts(flip) for flip in report.flips)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f": {counts}" if counts else ""


def _verdicts(flip: Flip) -> str:
    return f"{flip.before or 'undecided'} -> {flip.after or 'undecided'}"


def _line(flip: Flip) -> str:
    trial = f"{inert(flip.case_id)}#{flip.repeat}"
    return f"{trial} {inert(flip.assessment_id)}: {_verdicts(flip)} ({flip.reason})"
