"""The runs of a store, oldest first."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from assay.flows.terminal.console import inert, is_narrow
from assay.tasks.store import RunEntry


def show_list(console: Console, entries: Sequence[RunEntry], place: str) -> None:
    """Print one row a run."""
    if not entries:
        console.print(f"no runs in {inert(place)}")
        return
    narrow = is_narrow(console)
    table = Table(box=None, pad_edge=False, show_edge=False)
    table.add_column("run", overflow="fold")
    table.add_column("trials", justify="right")
    if not narrow:
        table.add_column("experiment", overflow="fold")
        table.add_column("created (UTC)")
    for entry in entries:
        cells = [inert(entry.run_id), str(entry.counts.get("trials", "?"))]
        if not narrow:
            created = entry.created_at
            cells += [
                inert(entry.name) or inert(entry.problem),
                "?" if created is None else f"{created:%Y-%m-%d %H:%M}",
            ]
        table.add_row(*cells)
    console.print(table)


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
