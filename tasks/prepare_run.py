"""The run that comes of a checked experiment: newly written to the store, or taken up again."""

import os
from collections.abc import Callable, Mapping

from assay.evaluators.errors import InputError
from assay.tasks.case_snapshot import case_snapshot
from assay.tasks.own_grading import new_grading
from assay.tasks.plan_document import plan_document
from assay.tasks.plan_run import ExperimentSource, plan_run
from assay.tasks.planned_run import PlannedRun
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.store import (
    RunStore,
    Store,
    choose_store,
    new_run_id,
    open_store,
    require_id,
)
from assay.tasks.take_up_run import take_up_run

__all__ = ["PreparedRun", "prepare_run"]


def prepare_run(
    experiment: ExperimentSource,
    *,
    store: str | None = None,
    run_id: str | None = None,
    overrides: Mapping[str, object] | None = None,
    before_writing: Callable[[], object] = lambda: None,
) -> PreparedRun:
    """Check an experiment and write its plan; or take up a run that has begun.

    Nothing is written and nothing paid unless the experiment file, the dataset, the target, the
    suite, the gates and the store are all usable.

    Args:
        experiment: Path of an experiment file, or settings.
        store: Where the run goes; the environment and the experiment say it otherwise.
        run_id: A run to go on with, or the id of a new one.
        overrides: Settings that take the place of the experiment's.
        before_writing: Called once all of that is checked; what it raises keeps the run from
            being written.

    Raises:
        InputError: naming the file and place, what was expected and what came.
        StoreError: when the run cannot be written, or the begun one cannot be read.
    """
    planned = plan_run(experiment, overrides)
    declared, folder = planned.settings.store, str(planned.base)
    opened = open_store(choose_store(store, environ=os.environ, declared=declared, folder=folder))
    begun = None if run_id is None else _begun(opened, run_id)
    opened.require_writable()
    if begun is not None:
        return take_up_run(opened, begun, planned, before_writing=before_writing)
    before_writing()
    return _create(opened, planned, run_id or new_run_id(planned.settings.name))


def _begun(store: Store, run_id: str) -> RunStore | None:
    """The run of exactly that id, if there is one; refuses what can be no id."""
    require_id(run_id, kind="run")
    try:
        run = store.run(run_id)
    except InputError:
        return None
    return run if run.run_id == run_id else None


def _create(store: Store, planned: PlannedRun, run_id: str) -> PreparedRun:
    cases = case_snapshot(planned.cases.values())
    run = store.create_run(run_id, plan=plan_document(planned), cases=cases)
    return PreparedRun(planned, store, run, new_grading(run, planned))
