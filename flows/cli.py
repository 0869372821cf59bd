"""The command `assay`: it reads flags, calls what they ask for, and prints what came of it.

What a command needs is imported when it runs, so that `assay --help` loads neither Prefect nor
polars, and a wrong experiment file is refused before Prefect is loaded.
"""

import os
import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from assay.flows.terminal.command import command, report
from assay.flows.terminal.failures import Failure
from assay.flows.terminal.invocation import command_again
from assay.flows.terminal.leave import leave
from assay.flows.terminal.standard_output import open_missing_streams

if TYPE_CHECKING:
    from assay.tasks.store import Store

app = typer.Typer(
    name="assay",
    help="Evaluate LLM applications and agents; keep every answer, grade it again for free.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"expected a whole number, got {text[:80]!r}") from None


def _filled(text: str) -> str:
    if not text.strip():
        raise typer.BadParameter("expected a text, got an empty one")
    return text


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        parser=_filled,
        metavar="PATH|URL",
        help="Where runs are kept: a folder or any fsspec URL. Else ASSAY_STORE, else the "
        "experiment's store, else ./.assay.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")
]


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        typer.echo(f"assay {version('assay-evals')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    *,
    _version: Annotated[
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
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


@app.command()
def run(  # noqa: PLR0913 - one parameter a flag
    experiment: Annotated[str, typer.Argument(help="The experiment file.")],
    *,
    store: StoreOption = None,
    run_id: Annotated[
        str | None,
        typer.Option(parser=_filled, metavar="ID", help="Go on with this run, or name a new one."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(parser=_whole_number, metavar="N", help="Only the first N cases."),
    ] = None,
    repeats: Annotated[
        int | None, typer.Option(parser=_whole_number, metavar="N", help="Trials of each case.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(parser=_whole_number, metavar="N", help="Targets in flight.")
    ] = None,
    gate: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE", help="A gate in place of the experiment's; repeatable."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run an experiment: every case and repeat is a trial, and every receipt is graded."""
    numbers = {"limit": limit, "repeats": repeats, "concurrency": concurrency}
    given = {name: value for name, value in numbers.items() if value is not None}
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_report import show_report
        from assay.flows.terminal.start_prefect import start_prefect
        from assay.tasks.prepare_run import prepare_run

        prepared = prepare_run(
            experiment,
            store=store,
            run_id=run_id,
            overrides={**given, "gates": gate} if gate else given,
            before_writing=start_prefect,
        )

        from assay.flows.terminal.execute_run import execute_run

        result = execute_run(prepared)
        done.show, done.payload = partial(show_report, report=result), result.payload
        done.exit_code = result.exit_code


@app.command()
def resume(
    run: Annotated[str, typer.Argument(help="The run, or the unique beginning of its id.")],
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Repeat trials whose attempts are used up.")
    ] = False,
    use: Annotated[
        Literal["planned", "current"] | None,
        typer.Option(help="Which experiment to go on with where file or code have changed."),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Go on with a run: the trials that are missing, then the grades that are missing."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_report import show_report
        from assay.flows.terminal.show_resumption import show_resumption
        from assay.flows.terminal.start_prefect import start_prefect
        from assay.tasks.prepare_resume import prepare_resume

        resumption = prepare_resume(_open(store), run, use=use, retry_failed=retry_failed)
        show_resumption(resumption)
        if dry_run:
            done.payload = resumption.payload
            return
        start_prefect()

        from assay.flows.terminal.execute_run import execute_run

        result = execute_run(resumption.begin())
        done.show, done.payload = partial(show_report, report=result), result.payload
        done.exit_code = result.exit_code


@app.command()
def regrade(
    run: Annotated[str, typer.Argument(help="The run, or the unique beginning of its id.")],
    *,
    suite: Annotated[
        str | None,
        typer.Option(
            parser=_filled, metavar="FILE", help="A suite file in place of the run's own suite."
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Grade the receipts of a run again, without calling the target."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_regrade import show_regrade
        from assay.flows.terminal.start_prefect import start_prefect
        from assay.tasks.prepare_regrade import prepare_regrade

        file = None if suite is None else Path(suite)
        prepared = prepare_regrade(_open(store), run, suite=file, before_writing=start_prefect)

        from assay.flows.terminal.execute_regrade import execute_regrade

        flags = {"--suite": suite, "--store": prepared.store.url}
        again = command_again("regrade", prepared.run.run_id, flags=flags)
        result = execute_regrade(prepared, again=again)
        done.show, done.payload = partial(show_regrade, report=result), result.payload
        done.exit_code = result.report.exit_code


@app.command()
def compare(
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
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_comparison import show_comparison
        from assay.tasks.comparison_report import report_comparison

        result = report_comparison(
            _open(store), baseline, candidate, across_revisions=across_revisions
        )
        done.show, done.payload = partial(show_comparison, report=result), result.payload


@app.command("list")
def list_runs(*, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the runs of a store, oldest first."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_list import list_payload, show_list

        opened = _open(store)
        entries = opened.runs()
        done.show = partial(show_list, entries=entries, place=opened.url)
        done.payload = partial(list_payload, entries)


@app.command()
def show(
    run: Annotated[str, typer.Argument(help="A run or a grading, or the beginning of its id.")],
    *,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the numbers of a run's newest grading, or of a grading."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_report import show_report
        from assay.tasks.find_grading import find_grading
        from assay.tasks.run_report import report_run

        result = report_run(*find_grading(_open(store), run))
        done.show, done.payload = partial(show_report, report=result), result.payload
        done.exit_code = result.exit_code


def _open(store: str | None) -> "Store":
    from assay.tasks.store import choose_store, open_store

    return open_store(choose_store(store, environ=os.environ))


def run_command(arguments: list[str]) -> int:
    """The exit code of a command line, once the command has printed what it has to say."""
    try:
        return int(app(arguments, prog_name="assay", standalone_mode=False) or 0)
    except typer.TyperException as error:
        as_json = "--json" in arguments
        report(_usage_failure(error), sys.stdout, as_json=as_json)
        return 2


def _usage_failure(error: typer.TyperException) -> Failure:
    context = getattr(error, "ctx", None)
    where = "assay" if context is None else context.command_path
    parameter = getattr(error, "param", None)
    place = "" if parameter is None else str(parameter.get_error_hint()).strip("'")
    is_value = type(error) is typer.BadParameter  # and not that there is none
    message = f"{place}: {error.message}" if is_value else error.format_message().rstrip(".")
    return Failure("usage", f"{message}; see {where} --help", place)


def main() -> None:
    """Run the command line, and end the process."""
    open_missing_streams()
    leave(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
