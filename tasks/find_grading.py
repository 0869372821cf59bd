"""Which grading an id means: a grading's own, or the newest one of a run."""

import re

from assay.evaluators.errors import InputError
from assay.tasks.own_grading import OWN_ORIGINS
from assay.tasks.store import GradingStore, RunStore, Store

REGRADED_FACT = "regraded"
"""The kind of the journal's facts that say, of a `grading_id`, that its regrade has ended."""

_MADE_HERE = re.compile(r"g\d")
"""How ids of gradings begin, and those of runs do not."""


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
    except InputError as error:
        run = _run(store, identity, error)
    newest = newest_grading(run)
    if newest is None:
        message = "expected a run with a grading, got one without"
        raise InputError(message, place=f"run {run.run_id}", kind="run")
    return run, newest


def newest_grading(run: RunStore) -> GradingStore | None:
    """The newest grading of a run, one that was broken off left out; None where there is none.

    The grading that came with the trials counts even where some of them are missing.
    """
    gradings = run.gradings()
    ended = {fact.get("grading_id") for fact in run.journal() if fact.get("kind") == REGRADED_FACT}
    whole = (
        one
        for one in reversed(gradings)
        if one.grading_id in ended or one.info.get("origin") in OWN_ORIGINS
    )
    return next(whole, gradings[-1] if gradings else None)


def _run(store: Store, identity: str, no_grading: InputError) -> RunStore:
    try:
        return store.run(identity)
    except InputError:
        if _MADE_HERE.match(identity):
            raise no_grading from None
        raise
