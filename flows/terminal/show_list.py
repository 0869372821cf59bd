"""The runs of a store, oldest first."""

from collections.abc import Sequence

from rich.console import Console

from assay.flows.terminal.console import inert, is_narrow
from assay.flows.terminal.plain_table import plain_table
from assay.tasks.store import RunEntry


def show_list(console: Console, entries: Sequence[RunEntry], place: str) -> None:
    """Print one row a run; one that cannot be read has its problem in a line below."""
    if not entries:
        console.print(f"no runs in {inert(place)}", soft_wrap=True)
        return
    rows = [_row(entry) for entry in entries]
    if is_narrow(console):
        for run_id, trials, *_ in rows:
            # The terminal may break an id, so that it can be copied; a table would cut it up.
            console.print(f"{run_id}  {trials} trials", soft_wrap=True)
    else:
        columns = {"run": "<", "trials": ">", "experiment": "<", "created (UTC)": "<"}
        console.print(plain_table(columns, rows))
    for entry in entries:
        if entry.problem:
            console.print(f"problem: {inert(entry.problem)}", soft_wrap=True)


def _row(entry: RunEntry) -> list[str]:
    created = entry.created_at
    return [
        inert(entry.run_id),
        "?" if entry.problem else str(entry.counts.get("trials", "?")),
        "?" if entry.problem else inert(entry.name),
        "?" if created is None else f"{created:%Y-%m-%d %H:%M}",
    ]


def list_payload(entries: Sequence[RunEntry]) -> dict[str, object]:
    """The object that `--json` prints."""
    return {
        "runs": [
            {
                "run_id": entry.run_id,
                "experiment": entry.name,
                "created_at": None if entry.created_at is None else entry.created_at.isoformat(),
                "counts": dict(entry.counts),
                "problem": entry.problem or None,
            }
            for entry in entries
        ],
        "exit_code": 0,
    }
