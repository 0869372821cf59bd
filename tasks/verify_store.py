"""Verifying a store: every digest, count and reference of its runs."""

from collections.abc import Iterator
from functools import cache

from assay.evaluators.errors import AssayError
from assay.tasks.problem import Problem
from assay.tasks.store import RunStore, Store
from assay.tasks.verify_erasures import unfinished
from assay.tasks.verify_grades import KeysOf
from assay.tasks.verify_grading import verify_grading
from assay.tasks.verify_plan import verify_plan
from assay.tasks.verify_receipts import verify_receipts
from assay.tasks.verify_summary import verify_summary


def verify_store(store: Store) -> tuple[Problem, ...]:
    """Everything that is not as it should be in a store; nothing is changed."""
    foreign = (Problem("foreign", place, message) for place, message in store.foreign())
    runs = (store.run(entry.run_id) for entry in store.runs())
    return (*foreign, *(problem for run in runs for problem in verify_run(run)))


def verify_run(run: RunStore) -> tuple[Problem, ...]:
    """Everything that is not as it should be in a run; nothing is changed.

    A run may be unfinished: what is missing of it is no problem, what is there must be whole. The
    chain goes from the plan to the cases, from those to the receipts, to the grades, and to the
    summary, so that a row which was changed is found, its own digest included.
    """
    return tuple(dict.fromkeys(_problems(run)))  # several links may break at one torn file


def _problems(run: RunStore) -> Iterator[Problem]:
    yield from (Problem("foreign", place, message) for place, message in run.foreign())
    try:
        planned, problems = verify_plan(run)
        yield from problems
        yield from unfinished(run.forgotten(), run.place)
        receipts, problems = verify_receipts(run, planned)
        yield from problems
    except AssayError as error:
        yield Problem.of(error, place=run.place)
        return
    keys_of = _keys_of(run)
    for grading_id in run.grading_ids():
        grading = run.grading(grading_id)
        try:
            yield from verify_grading(
                run, grading, planned=planned, receipts=receipts, keys_of=keys_of
            )
            yield from verify_summary(run, grading)
        except AssayError as error:
            yield Problem.of(error, place=grading.place)


def _keys_of(run: RunStore) -> KeysOf:
    known = run.grading_ids()

    @cache
    def keys_of(grading_id: str) -> frozenset[str] | None:
        if grading_id not in known:
            return None
        return frozenset(run.grading(grading_id).grades(["key"], skip_damaged=True)["key"])

    return keys_of
