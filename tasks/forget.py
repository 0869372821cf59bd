"""Forgetting a case or a run: what was said goes from every file, digests and numbers stay."""

from contextlib import ExitStack
from dataclasses import dataclass
from difflib import get_close_matches

import polars as pl

from assay.evaluators.errors import AssayError, InputError
from assay.tasks.store import Erased, GradingStore, RunStore, Store

_PURPOSE = "forget"


@dataclass(frozen=True, slots=True)
class Forgot:
    """What was forgotten.

    Attributes:
        case_id: The case; None where all cases of a run were forgotten.
        runs: What was erased, by run id.
        problems: One sentence for each run in which it could not be; do it again there.
    """

    case_id: str | None
    runs: dict[str, Erased]
    problems: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 if nothing is left to be forgotten, else 2."""
        return 2 if self.problems else 0

    def payload(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {
            "case_id": self.case_id,
            "runs": [
                {
                    "run_id": run_id,
                    "executions": one.executions,
                    "grades": one.grades,
                    "files": one.files,
                }
                for run_id, one in self.runs.items()
            ],
            "problems": list(self.problems),
            "exit_code": self.exit_code,
        }

    def lines(self) -> tuple[str, ...]:
        """One line a run for people, and the problems."""
        what = "every case" if self.case_id is None else f"case {self.case_id[:80]!r}"
        done = (
            f"run {run_id}: forgot {what}: {one.executions} executions, {one.grades} grades, "
            f"{one.files} files changed; digests and numbers are kept"
            for run_id, one in self.runs.items()
        )
        return (*done, *self.problems)


def forget_case(store: Store, case_id: str) -> Forgot:
    """Erase what a case and its trials say, in every run of the store that has the case.

    Args:
        store: Where to look.
        case_id: The id of the case, whole.

    Raises:
        InputError: no run here has such a case, or the store cannot be written.
    """
    store.require_writable()
    store.remove_leftovers()
    runs: dict[str, Erased] = {}
    problems: list[str] = []
    known: set[str] = set()
    for entry in store.runs():
        try:
            run = store.run(entry.run_id)
            ids = run.cases(["case_id"])["case_id"].cast(pl.String)
            known.update(ids)
            if case_id in set(ids):
                runs[run.run_id] = _erase(run, frozenset([case_id]))
        except AssayError as error:
            problems.append(str(error))
    if not runs and not problems:
        raise _unknown(case_id, known, store)
    return Forgot(case_id, runs, tuple(problems))


def forget_run(store: Store, run_id: str) -> Forgot:
    """Erase what all cases and trials of a run say.

    Args:
        store: Where the run is.
        run_id: The run, or the unique beginning of its id.

    Raises:
        InputError: there is no such run, somebody writes it, or the store cannot be written.
        StoreError: a file of it is damaged; do it again once that is restored or removed.
    """
    store.require_writable()
    store.remove_leftovers()
    run = store.run(run_id)
    return Forgot(None, {run.run_id: _erase(run, None)})


def _erase(run: RunStore, cases: frozenset[str] | None) -> Erased:
    with ExitStack() as leases:
        # A regrade holds receipts in memory: nobody may write what is about to be forgotten.
        writers: tuple[RunStore | GradingStore, ...] = (run, *run.gradings())
        held = [leases.enter_context(one.lease(_PURPOSE)) for one in writers]

        def guard() -> None:
            for lease in held:
                lease.require_held()

        return run.erase(cases, guard=guard)


def _unknown(case_id: str, known: set[str], store: Store) -> InputError:
    close = get_close_matches(case_id, known, n=3, cutoff=0.5)
    hint = f"; did you mean {', '.join(close)}?" if close else ""
    message = f"no run here has a case {case_id[:80]!r}{hint}"
    return InputError(message, place=store.url, kind="case")
