"""Verifying a store: every digest, count and reference of its runs."""

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of a look at a store or at one of its runs.

    Attributes:
        place: The store, or the run.
        runs: How many runs were looked at.
        problems: What is not as it should be.
    """

    place: str
    runs: int
    problems: tuple[Problem, ...]

    @property
    def exit_code(self) -> int:
        """0 if there is no problem, else 1."""
        return 1 if self.problems else 0

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            "place": self.place,
            "runs": self.runs,
            "problems": [problem.payload() for problem in self.problems],
            "exit_code": self.exit_code,
        }

    def lines(self) -> tuple[str, ...]:
        """A line for each problem, and one that counts them."""
        runs = f"{self.runs} run" if self.runs == 1 else f"{self.runs} runs"
        count = len(self.problems) or "no"
        problems = "problem" if count == 1 else "problems"
        return (*map(str, self.problems), f"{self.place}: {runs} verified, {count} {problems}")


def verify(store: Store, run_id: str | None = None) -> Verified:
    """Verify a run, or every run of a store.

    Args:
        store: The store.
        run_id: The run, or the unique beginning of its id; None for all.

    Raises:
        InputError: there is no such run.
    """
    if run_id is None:
        return Verified(store.url, len(store.runs()), verify_store(store))
    run = store.run(run_id)
    return Verified(f"run {run.run_id}", 1, verify_run(run))


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
