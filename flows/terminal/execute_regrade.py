"""Grades a run, or all of them, again, and can be stopped at any time."""

from assay.flows.regrade import regrade_prepared
from assay.flows.regrade_all import regrade_all_prepared
from assay.flows.terminal.console import notes
from assay.flows.terminal.explain_stop import STOPPING, explained_stop
from assay.flows.terminal.interruption import run_until_interrupted
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.regrade_series import PreparedSeries, RegradeSeries


def execute_regrade(prepared: PreparedRegrade, *, again: str) -> RegradeReport:
    """The report of the regrade.

    Args:
        prepared: The regrade.
        again: The command that does it anew.

    Raises:
        Interrupted: saying what is kept and how to go on.
        InputError: the same, when Prefect failed.
    """
    notes().print(f"regrading run {prepared.run.run_id}")
    with explained_stop(lambda: _what_is_kept(prepared, again)):
        return run_until_interrupted(
            lambda: regrade_prepared(prepared), on_signal=lambda: notes().print(STOPPING)
        )


def execute_series(prepared: PreparedSeries, *, again: str) -> RegradeSeries:
    """The runs under the suite, one after the other.

    Args:
        prepared: The runs.
        again: The command that does it anew.

    Raises:
        Interrupted: saying what is kept and how to go on.
        InputError: the same, when Prefect failed.
    """
    notes().print(f"regrading {len(prepared.entries)} runs")
    with explained_stop(lambda: f"what was graded is kept, and taken over by: {again}"):
        return run_until_interrupted(
            lambda: regrade_all_prepared(prepared), on_signal=lambda: notes().print(STOPPING)
        )


def _what_is_kept(prepared: PreparedRegrade, again: str) -> str:
    graded = prepared.grading.grades(["case_id", "repeat"]).unique().height
    receipts = prepared.run.executions(["kind"]).height
    return (
        f"grading {prepared.grading.grading_id} has {graded} of {receipts} trials and stays so; "
        f"for a whole one, which takes over what is done, use: {again}"
    )
