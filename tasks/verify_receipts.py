"""Verifying the executions of a run: each row by itself, and all of them against the plan."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, get_args

from assay.evaluators.errors import ERROR_CLASSES
from assay.evaluators.execution import ExecutionStatus
from assay.evaluators.schema import EXECUTIONS
from assay.tasks.problem import Flaw, Problem, summed_up
from assay.tasks.receipt_rows import execution_texts
from assay.tasks.store import RunStore, StoreError
from assay.tasks.store.erase import EXECUTION_ERASERS
from assay.tasks.targets.freeze import receipt_digest
from assay.tasks.verify_erasures import ErasuresLeft
from assay.tasks.verify_plan import PlannedTrials
from assay.tasks.verify_rows import Row, Rows, trial_of

_STATUSES: Final = get_args(ExecutionStatus)
_KINDS: Final = ("receipt", "failure", "late")

Trial = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Receipts:
    """The receipts that there are.

    Attributes:
        digests: By trial, the receipt digests of its receipts.
        complete: False where a receipt may be there that was not seen: in a part that cannot be
            read, or written since.
    """

    digests: Mapping[Trial, frozenset[str]]
    complete: bool


def verify_receipts(run: RunStore, planned: PlannedTrials) -> tuple[Receipts, list[Problem]]:
    """The receipts of a run, and what is wrong with its executions."""
    parts = run.execution_parts()
    problems: list[Problem] = []
    rows_of: defaultdict[Trial, dict[str, str]] = defaultdict(dict)
    left = ErasuresLeft(run.forgotten(), "executions")
    complete = not run.writer()
    for name, part in parts.whole():
        place = f"{parts.folder.place}/{name}"
        if isinstance(part, StoreError):
            problems.append(Problem.of(part, place=place))
            complete = False
            continue
        left.note(part.rows)
        flaws = [*Rows(part.rows, planned.forgotten, EXECUTION_ERASERS).flaws()]
        for found in part.rows.to_pylist():
            row = dict.fromkeys(EXECUTIONS.names) | found  # an older version lacks columns
            flaws += _flaws(row, planned)
            if row["kind"] == "receipt":
                trial = (str(row["case_id"]), int(row["repeat"]))
                rows_of[trial][str(row["row_digest"])] = str(row["receipt_digest"])
        problems += summed_up(flaws, place)
    problems += summed_up([*_doubles(rows_of)], parts.folder.place)
    problems += left.problems(parts.folder.place) if complete else []
    digests = {trial: frozenset(rows.values()) for trial, rows in rows_of.items()}
    return Receipts(digests, complete), problems


def _flaws(row: Row, planned: PlannedTrials) -> Iterator[Flaw]:
    trial, case_id, repeat = trial_of(row), str(row["case_id"]), row["repeat"]
    if not (isinstance(repeat, int) and planned.has_trial(case_id, repeat)):
        yield Flaw("unknown_trial", "a row is of a trial that was not planned", trial)
    elif planned.is_known and row["case_digest"] not in {"", planned.digests[case_id]}:
        yield Flaw("dangling", "a row is of a case that said something else", trial)
    if message := _contradiction(row):
        yield Flaw("contradiction", message, trial)
    if case_id not in planned.forgotten and not _has_its_digest(row):
        yield Flaw("digest", "a receipt is not what its receipt digest was made of", trial)


def _has_its_digest(row: Row) -> bool:
    return row["kind"] == "failure" or receipt_digest(execution_texts(row)) == row["receipt_digest"]


def _contradiction(row: Row) -> str:
    return next((message for message, holds in _RULES.items() if not holds(row)), "")


_RULES: Final[Mapping[str, Callable[[Row], bool]]] = {
    f"expected a kind out of {', '.join(_KINDS)}": lambda row: row["kind"] in _KINDS,
    "a receipt digest belongs to receipts alone, and to each of them": lambda row: (
        (row["kind"] != "failure") == (row["receipt_digest"] is not None)
    ),
    "an error class belongs to failures alone, and to each of them": lambda row: (
        (row["kind"] == "failure") == (row["error_class"] is not None)
    ),
    f"expected an error class out of {', '.join(ERROR_CLASSES)}": lambda row: (
        row["error_class"] in {None, *ERROR_CLASSES}
    ),
    f"expected a status out of {', '.join(_STATUSES)}": lambda row: (
        row["kind"] == "failure" or row["status"] in _STATUSES
    ),
    "expected at least one attempt": lambda row: (
        isinstance(row["attempts"], int) and row["attempts"] >= 1
    ),
    "an output is there that is said to be absent": lambda row: (
        row["output"] is None or row["output_present"] is True
    ),
}
"""What holds for every execution, by what to say of one for which it does not."""


def _doubles(rows_of: Mapping[Trial, Mapping[str, str]]) -> Iterator[Flaw]:
    # Copies of one row are what an interrupted merge leaves; they count once everywhere.
    for (case_id, repeat), rows in rows_of.items():
        if len(rows) > 1:
            message = "a trial has several receipts, of which the earliest counts"
            yield Flaw("duplicate", message, f"{case_id}#{repeat}")
