"""The command `assay`: it reads flags, calls what they ask for, and prints what came of it.

What a command needs is imported when it runs, so that `assay --help` loads neither Prefect nor
polars, and a wrong experiment file is refused before Prefect is loaded.
"""

import sys
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from assay.flows.terminal.command import Command, command, report
from assay.flows.terminal.failures import Failure
from assay.flows.terminal.flags import JsonOption, StoreOption, filled
from assay.flows.terminal.invocation import command_again
from assay.flows.terminal.leave import leave
from assay.flows.terminal.standard_output import open_missing_streams
from assay.flows.upkeep import compact, export, forget, open_chosen, verify
from assay.tasks.prepare_prefect import prepare_prefect

if TYPE_CHECKING:
    from assay.tasks.regrade_demand import RegradeDemand
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
        typer.Option(parser=filled, metavar="ID", help="Go on with this run, or name a new one."),
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

        resumption = prepare_resume(open_chosen(store), run, use=use, retry_failed=retry_failed)
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
def regrade(  # noqa: PLR0913 - one parameter a flag
    run: Annotated[
        str | None, typer.Argument(help="The run, or the unique beginning of its id.")
    ] = None,
    *,
    suite: Annotated[
        str | None,
        typer.Option(
            parser=filled, metavar="FILE", help="A suite file in place of the run's own suite."
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="failed|fail|changed|ID",
            help="Compute only the grades that failed, those whose verdict is fail, those that "
            "changed, or an assessment, and carry over the others; repeatable.",
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Compute every grade, and carry nothing over.")
    ] = False,
    dataset: Annotated[
        str | None,
        typer.Option(
            parser=filled,
            metavar="FILE",
            help="A dataset with corrected expected values or metadata; cases whose input changed "
            "are left out and named.",
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option("--all", help="Grade every run of the store with --suite, as a series."),
    ] = False,
    since: Annotated[
        str | None,
        typer.Option(parser=filled, metavar="DATE", help="With --all: no run before that date."),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Grade the receipts of a run again, without calling the target."""
    given = {"--suite": suite, "--only": only, "--dataset": dataset, "--since": since}
    with command(as_json=as_json) as done:
        from assay.tasks.regrade_demand import RegradeDemand

        demand = RegradeDemand(only=tuple(only or ()), fresh=fresh)
        opened = open_chosen(store)
        switches = [name for name, on in (("--all", every), ("--fresh", fresh)) if on]
        again = command_again(
            "regrade",
            *([] if run is None else [run]),
            *switches,
            flags={**given, "--store": opened.url},
        )
        if every:
            _refuse_beside_all(run, {"--only": only, "--dataset": dataset})
            _regrade_all(opened, suite, since=since, demand=demand, again=again, done=done)
            return
        _regrade_one(opened, run, given, demand=demand, again=again, done=done)


def _refuse_beside_all(run: str | None, flags: Mapping[str, object]) -> None:
    from assay.evaluators.errors import InputError

    given = ["RUN"] if run is not None else []
    given += [name for name, value in flags.items() if value]
    if given:
        message = f"expected no {given[0]} beside it: it grades every run of the store"
        raise InputError(message, place="--all", kind="flag")


def _regrade_one(
    store: "Store",
    run: str | None,
    given: Mapping[str, object],
    *,
    demand: "RegradeDemand",
    again: str,
    done: Command,
) -> None:
    from assay.evaluators.errors import InputError
    from assay.flows.terminal.show_regrade import show_regrade
    from assay.flows.terminal.start_prefect import start_prefect
    from assay.tasks.prepare_regrade import prepare_regrade

    if run is None or given["--since"] is not None:
        message = "expected a run" if run is None else "expected --since beside --all only"
        raise InputError(f"{message}; --all grades every run of the store", kind="flag")
    suite, dataset = given["--suite"], given["--dataset"]
    prepared = prepare_regrade(
        store,
        run,
        suite=None if suite is None else Path(str(suite)),
        dataset=None if dataset is None else str(dataset),
        demand=demand,
        before_writing=start_prefect,
    )

    from assay.flows.terminal.execute_regrade import execute_regrade

    result = execute_regrade(prepared, again=again)
    done.show, done.payload = partial(show_regrade, report=result), result.payload
    done.exit_code = result.report.exit_code


def _regrade_all(
    store: "Store",
    suite: str | None,
    *,
    since: str | None,
    demand: "RegradeDemand",
    again: str,
    done: Command,
) -> None:
    from assay.flows.terminal.show_series import show_series
    from assay.flows.terminal.start_prefect import start_prefect
    from assay.tasks.regrade_series import prepare_series

    file = None if suite is None else Path(suite)
    prepared = prepare_series(store, file, since=since, demand=demand, before_writing=start_prefect)

    from assay.flows.terminal.execute_regrade import execute_series

    result = execute_series(prepared, again=again)
    done.show, done.payload = partial(show_series, series=result), result.payload
    done.exit_code = result.exit_code


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
            open_chosen(store), baseline, candidate, across_revisions=across_revisions
        )
        done.show, done.payload = partial(show_comparison, report=result), result.payload


@app.command("list")
def list_runs(*, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the runs of a store, oldest first."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_list import list_payload, show_list

        opened = open_chosen(store)
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

        result = report_run(*find_grading(open_chosen(store), run))
        done.show, done.payload = partial(show_report, report=result), result.payload
        done.exit_code = result.exit_code


@app.command("evaluators")
def list_evaluators(
    name: Annotated[
        str | None, typer.Argument(help="A family, such as text, or an evaluator of one.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """List the ready-made evaluators: what they take, need and yield, with an example each."""
    with command(as_json=as_json) as done:
        from assay.flows.terminal.show_evaluators import evaluators_payload, show_evaluators
        from assay.tasks.find_evaluators import find_evaluators

        found = find_evaluators(name)
        done.show = partial(show_evaluators, evaluators=found, whole=name in found)
        done.payload = partial(evaluators_payload, found)


for _upkeep in (verify, compact, forget, export):
    app.command()(_upkeep)


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
    # A user's module may import Prefect, which reads its settings once.
    prepare_prefect()
    leave(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()
