"""What the faults did, as the table that is printed at the end."""

from dataclasses import dataclass, fields

from rich.table import Table


@dataclass
class Row:
    """What one kind of fault did.

    Attributes:
        kills: How often it was done.
        acknowledged: Trials that had returned, or whose receipt was acknowledged, when it was done.
        recovered: Of them, those that were in the store afterwards.
        lost: Of them, those that were not.
        calls_repeated: Calls of the target beyond those of an undisturbed run.
    """

    kills: int = 0
    acknowledged: int = 0
    recovered: int = 0
    lost: int = 0
    calls_repeated: int = 0


class FaultTable:
    """A row a kind of fault."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}

    def add(self, fault: str, *, kills: int, acknowledged: int, lost: int, repeated: int) -> None:
        """Count what came of a fault, or of several of one kind."""
        row = self.rows.setdefault(fault, Row())
        row.kills += kills
        row.acknowledged += acknowledged
        row.recovered += acknowledged - lost
        row.lost += lost
        row.calls_repeated += repeated

    def rendered(self) -> Table:
        """The table."""
        table = Table()
        table.add_column("fault")
        names = [one.name for one in fields(Row)]
        for name in names:
            table.add_column(name.replace("_", " "), justify="right")
        for fault, row in self.rows.items():
            table.add_row(fault, *(f"{getattr(row, name):,}" for name in names))
        return table
