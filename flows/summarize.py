"""The numbers of a grading that is in the store, computed anew."""

from typing import cast

from prefect import flow
from prefect.states import Completed

from assay.tasks.find_grading import find_grading
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.store import open_store


@flow(name="summarize", flow_run_name="summarize {identity}", persist_result=False)
def summarize_flow(identity: str, store: str) -> RunReport:
    """Summarise a run's newest grading, or a grading.

    Args:
        identity: A run or a grading, or the unique beginning of its id.
        store: Where it is.
    """
    report = report_run(*find_grading(open_store(store), identity))
    # Prefect shows the state and its message, and gives the caller what the state holds.
    return cast("RunReport", Completed(message=report.verdict_line(), data=report))
