"""The gradings that come with a run: its trials fill one while they run."""

from typing import Final

from assay.tasks.plan_document import GradingOrigin, assessment_document, grading_document
from assay.tasks.planned_run import PlannedRun
from assay.tasks.store import GradingStore, RunStore, new_grading_id

OWN_ORIGINS: Final[tuple[GradingOrigin, ...]] = ("run", "resume")
"""The origins of gradings that came with the trials."""


def own_gradings(run: RunStore) -> tuple[GradingStore, ...]:
    """The gradings that came with the run's trials, the oldest first; regrades are not among them.

    There is none where a process died before it began one, and there are several where the run went
    on with other evaluators.
    """
    return tuple(one for one in run.gradings() if one.info.get("origin") in OWN_ORIGINS)


def own_grading(run: RunStore, planned: PlannedRun) -> GradingStore | None:
    """The newest of them that was declared with the evaluators of now, or None."""
    now = [_meaning(assessment_document(one)) for one in planned.suite.assessments]
    same = (one for one in reversed(own_gradings(run)) if _meanings(one) == now)
    return next(same, None)


def new_grading(
    run: RunStore, planned: PlannedRun, *, origin: GradingOrigin = "run"
) -> GradingStore:
    """A grading for the trials of a run to fill.

    Raises:
        StoreError: when it cannot be written.
    """
    document = grading_document(planned.suite, planned.cases, planned.fixture_id, origin=origin)
    return run.create_grading(new_grading_id(), grading=document)


def _meanings(grading: GradingStore) -> list[object]:
    declared = grading.info.get("assessments")
    return [_meaning(one) for one in declared] if isinstance(declared, list) else []


def _meaning(document: object) -> object:
    """What makes an assessment another one; a description does not."""
    if not isinstance(document, dict):
        return None
    evaluator = document.get("evaluator")
    identity = evaluator.get("identity") if isinstance(evaluator, dict) else None
    return document.get("id"), document.get("ids"), identity
