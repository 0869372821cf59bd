"""Two gradings, paired."""

from typing import cast

from prefect import flow
from prefect.states import Completed

from assay.tasks.comparison_report import ComparisonReport, report_comparison
from assay.tasks.store import open_store


@flow(name="compare", flow_run_name="compare {baseline} {candidate}", persist_result=False)
def compare_flow(
    baseline: str,
    candidate: str,
    store: str,
    across_revisions: bool = False,  # noqa: FBT001, FBT002 - the host's form names it
) -> ComparisonReport:
    """Compare two gradings.

    Args:
        baseline: A grading or a run, or the unique beginning of its id.
        candidate: What is compared with it.
        store: Where both are.
        across_revisions: Pair grades of evaluators whose revision differs.
    """
    report = report_comparison(
        open_store(store), baseline, candidate, across_revisions=across_revisions
    )
    # Prefect shows the state and its message, and gives the caller what the state holds.
    return cast("ComparisonReport", Completed(message=report.verdict_line(), data=report))
