"""Flags that several commands have."""

from typing import Annotated

import typer


def filled(text: str) -> str:
    """The text of a flag; raises typer's BadParameter when it is blank."""
    if not text.strip():
        raise typer.BadParameter("expected a text, got an empty one")
    return text


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        parser=filled,
        metavar="PATH|URL",
        help="Where runs are kept: a folder or any fsspec URL. Else ASSAY_STORE, else the "
        "experiment's store, else ./.assay.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")
]
