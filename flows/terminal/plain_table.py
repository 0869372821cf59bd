"""Tables without lines, as narrow as their content."""

from collections.abc import Mapping, Sequence

from rich.table import Table

_LEFT, _RIGHT = "<", ">"


def plain_table(columns: Mapping[str, str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of texts that are already inert; a column in which no row has a text is left out.

    Args:
        columns: By heading, `<` for texts, which may be folded, and `>` for numbers, which are not.
        rows: As many cells each as there are columns.
    """
    table = Table(box=None, pad_edge=False, show_edge=False)
    shown = [place for place in range(len(columns)) if any(row[place] for row in rows)]
    for place, (heading, side) in enumerate(columns.items()):
        if place in shown and side == _RIGHT:
            table.add_column(heading, justify="right", no_wrap=True, overflow="fold")
        elif place in shown:
            table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(row[place] for place in shown))
    return table
