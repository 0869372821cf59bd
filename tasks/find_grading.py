"""Which grading an id means: a grading's own, or the newest one of a run."""

from assay.evaluators.errors import InputError
from assay.tasks.store import GradingStore, RunStore, Store


def find_grading(store: Store, identity: str) -> tuple[RunStore, GradingStore]:
    """The grading of this id, or the newest one of the run of this id.

    Args:
        store: Where to look.
        identity: An id, or the unique beginning of one.

    Raises:
        InputError: when nothing, or more than one thing, has that id; a run without a grading too.
    """
    try:
        return store.find_grading(identity)
    except InputError:
        run = store.run(identity)
    gradings = run.gradings()
    if not gradings:
        msg = "expected a run with a grading, got one without"
        raise InputError(msg, place=f"run {run.run_id}", kind="run")
    return run, gradings[-1]
