"""The numbers of a grading that is in the store, computed anew."""

from prefect import flow
from prefect.states import Completed, State

from assay.tasks.find_grading import find_grading
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.store import open_store


@flow(name="summarize", flow_run_name="summarize {identity}", persist_result=False)
def summarize_flow(identity: str, store: str) -> State[RunReport]:
    """Summarise a run's newest grading, or a grading.

    Args:
        identity: A run or a grading, or the unique beginning of its id.
        store: Where it is.
    """
    run, grading = find_grading(open_store(store), identity)
    report = report_run(run, grading)
    return Completed(message=report.verdict_line(), data=report)
