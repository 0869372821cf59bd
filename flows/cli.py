"""The command `assay`: it reads flags, calls a flow, and prints what came of it.

What a command needs is imported when it runs, so that `assay --help` loads neither Prefect nor
polars, and a wrong experiment file is refused before Prefect is loaded.
"""

import asyncio
import importlib.metadata
import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.flows.terminal.console import notes, results
from assay.flows.terminal.failures import Interrupted, one_sentence

if TYPE_CHECKING:
    from assay.tasks.prepare_run import PreparedRun
    from assay.tasks.run_report import RunReport
    from assay.tasks.store import Store

app = typer.Typer(
    name="assay",
    help="Evaluate LLM applications and agents; keep every answer, grade it again for free.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="Where runs are kept: a folder or any fsspec URL. Else ASSAY_STORE, else the "
        "experiment's store, else ./.assay.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")
]


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        typer.echo(f"assay {importlib.metadata.version('assay-evals')}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Evaluate LLM applications and agents; keep every answer, grade it again for free."""


@app.command()
def run(  # noqa: PLR0913 - one parameter a flag
    experiment: Annotated[Path, typer.Argument(help="The experiment file.")],
    *,
    store: StoreOption = None,
    run_id: Annotated[
        str | None, typer.Option("--run-id", help="Go on with this run, or name a new one.")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N cases.")] = None,
    repeats: Annotated[int | None, typer.Option(help="Trials of each case.")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Targets in flight.")] = None,
    gate: Annotated[
        list[str] | None, typer.Option(help="A gate in place of the experiment's; repeatable.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run an experiment: every case and repeat is a trial, and every receipt is graded."""
    given = {"limit": limit, "repeats": repeats, "concurrency": concurrency, "gates": gate or None}
    with one_sentence(as_json=as_json):
        from assay.tasks.prepare_run import prepare_run

        prepared = prepare_run(
            experiment,
            store=store,
            run_id=run_id,
            overrides={name: value for name, value in given.items() if value is not None},
        )
        flags = [f"--{name} {value}" for name, value in given.items() if isinstance(value, int)]
        again = " ".join(["assay run", shlex.quote(str(experiment)), *flags])
        _execute(prepared, as_json=as_json, again=again)


def _execute(prepared: "PreparedRun", *, as_json: bool, again: str) -> None:
    from assay.flows.terminal.progress import RunProgress
    from assay.tasks.prepare_prefect import prepare_prefect

    prepare_prefect()
    console = notes()
    total = prepared.trials_left()
    planned = prepared.planned.counts()["trials"]
    console.print(f"run {prepared.run.run_id}: {total} of {planned} trials to do; starting Prefect")

    from assay.flows.evaluate import evaluate_prepared

    with RunProgress(total) as progress:
        try:
            report = asyncio.run(evaluate_prepared(prepared, on_result=progress.note))
        except (KeyboardInterrupt, asyncio.CancelledError):
            kept, place = prepared.run.executions(["case_id"]).height, prepared.store.url
            message = (
                f"interrupted: {kept} of {planned} trials are kept; go on with "
                f"{again} --run-id {prepared.run.run_id} --store {shlex.quote(place)}"
            )
            raise Interrupted(message) from None
    _finish(report, as_json=as_json)


def _finish(report: "RunReport", *, as_json: bool) -> None:
    if as_json:
        _print_json(report.payload())
    else:
        from assay.flows.terminal.show_report import show_report

        show_report(results(), report)
    sys.exit(report.exit_code)


def _print_json(payload: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(payload, ensure_ascii=False, allow_nan=False) + "\n")


@app.command()
def regrade(
    run: Annotated[str, typer.Argument(help="The run, or the unique beginning of its id.")],
    *,
    suite: Annotated[
        Path | None, typer.Option(help="A suite file in place of the run's own suite.")
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Grade the receipts of a run again, without calling the target."""
    with one_sentence(as_json=as_json):
        from assay.tasks.prepare_prefect import prepare_prefect
        from assay.tasks.prepare_regrade import prepare_regrade

        prepared = prepare_regrade(_open(store), run, suite=suite)
        prepare_prefect()
        notes().print(f"regrading run {prepared.run.run_id}; starting Prefect")

        from assay.flows.regrade import regrade_prepared

        try:
            regraded = asyncio.run(regrade_prepared(prepared))
        except (KeyboardInterrupt, asyncio.CancelledError):
            message = "interrupted: the receipts and the older gradings are as they were"
            raise Interrupted(message) from None
        if as_json:
            _print_json(regraded.payload())
        else:
            from assay.flows.terminal.show_regrade import show_regrade

            show_regrade(results(), regraded)
        sys.exit(regraded.report.exit_code)


@app.command()
def compare(  # noqa: PLR0913 - one parameter a flag
    baseline: Annotated[str, typer.Argument(help="A grading, or the beginning of its id.")],
    candidate: Annotated[str, typer.Argument(help="The grading to compare with it.")],
    *,
    across_revisions: Annotated[
        bool, typer.Option(help="Pair grades of evaluators whose revision differs.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare two gradings, paired by case, repeat, assessment and metric."""
    with one_sentence(as_json=as_json):
        from assay.tasks.comparison_report import report_comparison

        report = report_comparison(
            _open(store), baseline, candidate, across_revisions=across_revisions
        )
        if as_json:
            _print_json(report.payload())
        else:
            from assay.flows.terminal.show_comparison import show_comparison

            show_comparison(results(), report)


@app.command("list")
def list_runs(*, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the runs of a store, oldest first."""
    with one_sentence(as_json=as_json):
        from assay.flows.terminal.show_list import list_payload, show_list

        opened = _open(store)
        entries = opened.runs()
        if as_json:
            _print_json(list_payload(entries))
        else:
            show_list(results(), entries, opened.url)


@app.command()
def show(
    run: Annotated[str, typer.Argument(help="A run or a grading, or the beginning of its id.")],
    *,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the numbers of a run's newest grading, or of a grading."""
    with one_sentence(as_json=as_json):
        from assay.tasks.find_grading import find_grading
        from assay.tasks.run_report import report_run

        _finish(report_run(*find_grading(_open(store), run)), as_json=as_json)


def _open(store: str | None) -> "Store":
    from assay.tasks.store import choose_store, open_store

    return open_store(choose_store(store, environ=os.environ))


def main() -> None:
    """Run the command line."""
    app(prog_name="assay")


if __name__ == "__main__":
    main()
