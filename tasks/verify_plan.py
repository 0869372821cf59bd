"""Verifying what was planned: the plan of a run, and its snapshot of the cases."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from assay.evaluators.canonical import decode_stored, digest
from assay.evaluators.case import Case
from assay.evaluators.errors import AssayError
from assay.evaluators.open_map import OpenMap
from assay.tasks.problem import Flaw, Problem, summed_up
from assay.tasks.store import RunStore, StoreError

_COLUMNS = ("case_id", "input", "expected", "metadata", "case_digest", "input_digest", "position")


@dataclass(frozen=True, slots=True)
class PlannedTrials:
    """What a plan says, as far as rows are measured by it.

    Attributes:
        digests: The digest of each case by its id; empty where the snapshot cannot be read.
        repeats: How many trials a case has.
        forgotten: Ids of cases whose payloads were erased.
        is_known: False where the snapshot cannot be read, so that no row can be said not to fit.
    """

    digests: Mapping[str, str]
    repeats: int
    forgotten: frozenset[str]
    is_known: bool

    def has_trial(self, case_id: str, repeat: int) -> bool:
        """True if the trial was planned, as far as one can tell."""
        return not self.is_known or (case_id in self.digests and 0 <= repeat < self.repeats)


def verify_plan(run: RunStore) -> tuple[PlannedTrials, list[Problem]]:
    """What the plan of a run says, and what is wrong with it and its snapshot.

    Raises:
        StoreError: the plan itself cannot be read.
    """
    counts = run.plan.get("counts")
    numbers = counts if isinstance(counts, dict) else {}
    repeats = numbers.get("repeats")
    try:
        cases, forgotten = run.cases(_COLUMNS), run.forgotten_cases()
    except StoreError as error:
        nothing = PlannedTrials({}, 0, frozenset(), is_known=False)
        return nothing, [Problem.of(error, place=run.place)]
    verified = PlannedTrials(
        digests=dict(cases.select("case_id", "case_digest").iter_rows()),
        repeats=repeats if isinstance(repeats, int) else 1,
        forgotten=forgotten,
        is_known=True,
    )
    place = f"{run.place}/cases.parquet"
    flaws = [*verify_cases(cases, forgotten)]
    return verified, [*_head(run, cases, numbers), *summed_up(flaws, place)]


def verify_cases(cases: pl.DataFrame, forgotten: Iterable[str]) -> Iterator[Flaw]:
    """What is wrong with cases: digests, positions, ids that stand twice.

    Args:
        cases: The snapshot, in the order of the dataset.
        forgotten: Ids of cases that have no payload any more.
    """
    erased, seen = frozenset(forgotten), set[str]()
    for place, row in enumerate(cases.iter_rows(named=True)):
        case_id = str(row["case_id"])
        if case_id in seen:
            yield Flaw("duplicate", "a case stands twice", case_id)
        if row["position"] != place:
            yield Flaw("plan", "a case is missing before", case_id)
        if case_id not in erased and not _has_its_digests(row):
            yield Flaw("digest", "what a case says is not what its digest was made of", case_id)
        seen.add(case_id)


def _has_its_digests(row: Mapping[str, object]) -> bool:
    expected = row["expected"]
    try:
        case = Case(
            id=str(row["case_id"]),
            input=decode_stored(str(row["input"])),
            expected=None if expected is None else decode_stored(str(expected)),
            metadata=OpenMap.from_text(str(row["metadata"])),
        )
        return (case.digest, case.input_digest) == (row["case_digest"], row["input_digest"])
    except AssayError:
        return False


def _head(run: RunStore, cases: pl.DataFrame, counts: Mapping[str, object]) -> Iterator[Problem]:
    place = f"{run.place}/plan.json"
    plan = run.plan
    if plan.get("run_id") != run.run_id:
        message = f"expected the plan of run {run.run_id}, got that of {plan.get('run_id')!r:.90}"
        yield Problem("plan", place, f"{message}; give the folder its name back")
    planned = (counts.get("cases"), counts.get("repeats"), counts.get("trials"))
    numbers = [one for one in planned if isinstance(one, int)]
    if len(numbers) != len(planned) or numbers[0] * numbers[1] != numbers[2]:
        yield Problem("plan", place, "expected counts of cases, repeats and trials that agree")
    elif numbers[0] != cases.height:
        message = f"plans {numbers[0]} cases, and the snapshot holds {cases.height}"
        yield Problem("plan", place, message)
    fixture = str(plan.get("fixture_id"))
    if fixture.startswith("sha256:") and fixture != digest("\n".join(cases["case_digest"])):
        message = "the fixture id is not the digest of the cases; restore the plan"
        yield Problem("digest", place, message)
