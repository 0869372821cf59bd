"""Runs what is left of a run while its progress is shown, and can be stopped at any time."""

from assay.flows.evaluate import evaluate_prepared
from assay.flows.resume import resume_prepared
from assay.flows.terminal.console import inert, notes
from assay.flows.terminal.explain_stop import STOPPING, explained_stop
from assay.flows.terminal.interruption import run_until_interrupted
from assay.flows.terminal.invocation import command_again
from assay.flows.terminal.progress import RunProgress
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import RunReport


def execute_run(prepared: PreparedRun) -> RunReport:
    """The report of the run, once every trial that was missing has ended.

    Raises:
        Interrupted: saying what is kept and how to go on.
        InputError: the same, when Prefect failed.
    """
    console, total = notes(), prepared.trials_left()
    execute = resume_prepared if prepared.purpose == "resume" else evaluate_prepared
    for warning in prepared.warnings:
        console.print(f"warning: {inert(warning)}")
    console.print(f"run {prepared.run.run_id}: {total} of {_planned(prepared)} trials to do")
    with explained_stop(lambda: _what_is_kept(prepared)), RunProgress(total) as progress:
        report = run_until_interrupted(
            lambda: execute(prepared, on_result=progress.note),
            on_signal=lambda: progress.say(STOPPING),
        )
    if report.recorded is not None and report.recorded < progress.ended:
        console.print(
            f"Prefect recorded {report.recorded} of {progress.ended} trials in time; "
            "the numbers come from the store, which has all of them"
        )
    return report


def _what_is_kept(prepared: PreparedRun) -> str:
    kept = prepared.run.executions(["kind"]).height
    repeats = ["--retry-failed"] if prepared.retry_failed else []
    flags = {"--store": prepared.store.url}
    again = command_again("resume", prepared.run.run_id, *repeats, flags=flags)
    return f"{kept} of {_planned(prepared)} trials are kept; go on with: {again}"


def _planned(prepared: PreparedRun) -> int:
    return prepared.planned.counts()["trials"]
