"""The commands that look after a store: verify, compact, forget, export.

As in `cli`, what a command needs is imported when it runs.
"""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from assay.evaluators.errors import InputError
from assay.flows.terminal.command import command
from assay.flows.terminal.flags import JsonOption, StoreOption

if TYPE_CHECKING:
    from assay.tasks.store import Store

Format = Literal["csv", "jsonl", "parquet", "report"]


def verify(
    run: Annotated[
        str | None, typer.Argument(help="A run, or the beginning of its id; else the whole store.")
    ] = None,
    *,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make every digest again, follow every reference, and list what is not as it should be."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_lines import show_lines
        from assay.tasks.verify_store import verify_run, verify_store

        opened = open_chosen(store)
        problems = verify_store(opened) if run is None else verify_run(opened.run(run))
        found = [str(problem) for problem in problems]
        verdict = f"{len(found)} problems" if found else "everything is as it should be"
        done.exit_code = 1 if found else 0
        done.show = partial(show_lines, lines=[*found, verdict])
        done.payload = lambda: {
            "problems": [problem.payload() for problem in problems],
            "exit_code": done.exit_code,
        }


def compact(
    run: Annotated[str, typer.Argument(help="A run, or the beginning of its id.")],
    *,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Merge the part files of a run."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_lines import show_lines
        from assay.tasks.compact_run import compact_run

        result = compact_run(open_chosen(store), run)
        done.show, done.payload = partial(show_lines, lines=result.lines()), result.payload


def forget(
    *,
    case: Annotated[
        str | None, typer.Option("--case", help="Erase this case in every run of the store.")
    ] = None,
    run: Annotated[str | None, typer.Option("--run", help="Erase all cases of this run.")] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Erase what was said, for ever; digests and numbers stay."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_lines import show_lines
        from assay.tasks.forget import forget_case, forget_run

        opened = open_chosen(store)
        if case is not None and run is None:
            result = forget_case(opened, case)
        elif run is not None and case is None:
            result = forget_run(opened, run)
        else:
            raise InputError("expected either --case or --run", place="forget", kind="usage")
        done.show, done.payload = partial(show_lines, lines=result.lines()), result.payload


def export(
    run: Annotated[str, typer.Argument(help="A run or a grading, or the beginning of its id.")],
    *,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    format: Annotated[  # noqa: A002 - the flag's name
        Format, typer.Option("--format", help="What to write; report is redacted.")
    ] = "jsonl",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a grading to a file: for a spreadsheet, for machines, or redacted to give away."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_lines import show_lines
        from assay.tasks.export_run import export_run
        from assay.tasks.find_grading import find_grading

        found = find_grading(open_chosen(store), run)
        result = export_run(*found, format=format, out=out, overwrite=overwrite)
        done.show, done.payload = partial(show_lines, lines=result.lines()), result.payload


def open_chosen(store: str | None) -> "Store":
    """The store that a flag, the environment, or nothing names."""
    from assay.tasks.store import choose_store, open_store

    return open_store(choose_store(store, environ=os.environ))
