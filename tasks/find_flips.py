"""Which verdicts of two gradings of the same receipts differ, and why they could."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import polars as pl

from assay.evaluators.canonical import canonicalize
from assay.tasks.case_snapshot import graded_cases
from assay.tasks.store import GradingStore, RunStore

_PLACE = ["case_id", "repeat", "assessment_id"]
_COMPARED = ["verdict", "status", "evaluator"]
_MEMBERS = ("name", "revision", "method", "configuration", "code")


@dataclass(frozen=True, slots=True)
class Flip:
    """A verdict that differs from the one before, on the same receipt.

    Attributes:
        case_id: The case.
        repeat: Which repeat, from 0.
        assessment_id: The assessment.
        before: The verdict in the older grading; empty where it had none.
        after: The verdict now; empty where there is none.
        reason: Why it could change: `expected value changed`, `metadata changed`, `evaluator
            changed: …` with its members that differ, `was …` or `now …` with a status that has no
            verdict, or `same evaluator, other answer`.
    """

    case_id: str
    repeat: int
    assessment_id: str
    before: str
    after: str
    reason: str

    def payload(self) -> dict[str, object]:
        """The machine form."""
        return asdict(self)


def find_flips(
    run: RunStore, before: GradingStore, after: GradingStore, *, order: Sequence[str]
) -> tuple[Flip, ...]:
    """The verdicts of assessments that stand in both gradings and differ.

    A grade that the newer one left without an evaluation has not flipped.

    Args:
        run: Whose receipts were graded.
        before: The older grading.
        after: The newer one.
        order: The ids of the cases, in the order in which their flips are listed.

    Raises:
        StoreError: when a part cannot be read.
    """
    changed = _changed(before, after, order)
    if not changed.height:
        return ()
    reasons = _Reasons(run, before, after)
    return tuple(
        Flip(
            case_id=row["case_id"],
            repeat=row["repeat"],
            assessment_id=row["assessment_id"],
            before=row["verdict"],
            after=row["verdict_after"],
            reason="; ".join(reasons.of(row)),
        )
        for row in changed.iter_rows(named=True)
    )


def _changed(before: GradingStore, after: GradingStore, order: Sequence[str]) -> pl.DataFrame:
    old, new = (grading.grades([*_PLACE, *_COMPARED]) for grading in (before, after))
    positions = pl.DataFrame({"case_id": order}, schema={"case_id": pl.Categorical})
    return (
        old.join(new, on=_PLACE, how="inner", suffix="_after")
        .filter(pl.col("verdict") != pl.col("verdict_after"))
        .filter(pl.col("status_after").cast(pl.String) != "not_evaluated")
        .join(positions.with_row_index("position"), on="case_id", how="inner")
        .with_columns(pl.col(pl.Categorical).cast(pl.String))
        .sort("position", "repeat", "assessment_id")
    )


class _Reasons:
    """What differs between two gradings, looked up once."""

    def __init__(self, run: RunStore, before: GradingStore, after: GradingStore) -> None:
        self._texts = {**before.identities(), **after.identities()}
        self._cases = _changed_cases(run, before, after)

    def of(self, row: Mapping[str, str]) -> Iterator[str]:
        """Why the verdict of the row could change."""
        found = False
        for reason in (*self._cases.get(row["case_id"], ()), *self._evaluator(row)):
            found = True
            yield reason
        if row["status"] != "completed":
            yield f"was {row['status'].replace('_', ' ')}"
        elif row["status_after"] != "completed":
            yield f"now {row['status_after'].replace('_', ' ')}"
        elif not found:
            yield "same evaluator, other answer"

    def _evaluator(self, row: Mapping[str, str]) -> Iterator[str]:
        digests = (row["evaluator"], row["evaluator_after"])
        if digests[0] == digests[1]:
            return
        old, new = (_members(self._texts.get(digest)) for digest in digests)
        differing = [name for name in _MEMBERS if old.get(name) != new.get(name)]
        yield f"evaluator changed: {', '.join(differing)}" if differing else "evaluator changed"


def _members(identity: tuple[str, str] | None) -> Mapping[str, object]:
    members: object = None if identity is None else json.loads(identity[1])
    return members if isinstance(members, dict) else {}


def _changed_cases(
    run: RunStore, before: GradingStore, after: GradingStore
) -> dict[str, tuple[str, ...]]:
    """For each case that was corrected, what of it."""
    if before.info.get("cases_digest") == after.info.get("cases_digest"):
        return {}
    columns = ["case_id", "case_digest", "expected", "metadata"]
    old, new = (graded_cases(run, grading, columns) for grading in (before, after))
    both = old.join(new, on="case_id", how="inner", suffix="_after")
    changed = both.filter(pl.col("case_digest") != pl.col("case_digest_after"))
    return {row["case_id"]: tuple(_corrections(row)) for row in changed.iter_rows(named=True)}


def _corrections(row: Mapping[str, str | None]) -> Iterator[str]:
    for name, words in (("expected", "expected value"), ("metadata", "metadata")):
        if _meaning(row[name]) != _meaning(row[f"{name}_after"]):
            yield f"{words} changed"


def _meaning(text: str | None) -> str | None:
    return None if text is None else canonicalize(text)
