"""The grading that comes with a run: its trials fill it while they run."""

from assay.tasks.plan_document import grading_document
from assay.tasks.planned_run import PlannedRun
from assay.tasks.store import GradingStore, RunStore, new_grading_id


def own_grading(run: RunStore) -> GradingStore | None:
    """The grading that the run began; None where a process died before it did.

    Gradings of later regrades are not it.
    """
    return next((one for one in run.gradings() if one.info.get("origin") == "run"), None)


def new_grading(run: RunStore, planned: PlannedRun) -> GradingStore:
    """A grading for the trials of a run to fill.

    Raises:
        StoreError: when it cannot be written.
    """
    document = grading_document(planned.suite, planned.cases, planned.fixture_id, origin="run")
    return run.create_grading(new_grading_id(), grading=document)
