"""Verifying one grading: its head, its cases, its grades and the texts of its identities."""

from collections.abc import Iterator, Mapping

from assay.evaluators.canonical import digest
from assay.tasks.declared_results import DeclaredResults
from assay.tasks.problem import Flaw, Problem, summed_up
from assay.tasks.store import GradingStore, RunStore, StoreError
from assay.tasks.store.erase import GRADE_ERASERS, IDENTITY_ERASERS
from assay.tasks.verify_erasures import ErasuresLeft
from assay.tasks.verify_grades import GradeCheck, GradedWith, KeysOf
from assay.tasks.verify_plan import PlannedTrials, verify_cases
from assay.tasks.verify_receipts import Receipts
from assay.tasks.verify_rows import Rows


def verify_grading(
    run: RunStore,
    grading: GradingStore,
    *,
    planned: PlannedTrials,
    receipts: Receipts,
    keys_of: KeysOf,
) -> list[Problem]:
    """What is wrong with a grading.

    Args:
        run: Its run.
        grading: The grading.
        planned: What the run was planned over.
        receipts: The receipts that there are.
        keys_of: The keys of other gradings' grades.

    Raises:
        StoreError: its head cannot be read.
    """
    digests, problems = _cases(grading, planned)
    given = GradedWith(planned, digests, receipts, DeclaredResults.read(grading), keys_of)
    problems += _head(run, grading)
    check = GradeCheck(given)
    is_whole, found = _grades(run, grading, check, planned)
    problems += found
    if grading.info.get("origin") == "run" and is_whole and receipts.complete:
        problems += summed_up([*check.missing()], grading.place)
    return [*problems, *_identities(grading, check.named, planned)]


def _head(run: RunStore, grading: GradingStore) -> Iterator[Problem]:
    info, place = grading.info, f"{grading.place}/grading.json"
    named = (info.get("run_id"), info.get("grading_id"))
    if named != (run.run_id, grading.grading_id):
        message = f"expected the head of grading {grading.grading_id}, got one of another"
        yield Problem("plan", place, f"{message}; give the folder its name back")
    plans = {run.plan_digest(), *(one.plan_digest for one in run.forgotten())}
    if info.get("plan_digest", run.plan_digest()) not in plans:
        message = "grades what another plan planned; the plan has been changed since"
        yield Problem("digest", place, message)


def _cases(
    grading: GradingStore, planned: PlannedTrials
) -> tuple[Mapping[str, str], list[Problem]]:
    try:
        cases = grading.cases()
    except StoreError as error:
        return {}, [Problem.of(error, place=grading.place)]
    if cases is None:
        return planned.digests, []
    flaws = [*verify_cases(cases, planned.forgotten)]
    digests = dict(cases.select("case_id", "case_digest").iter_rows())
    return digests, summed_up(flaws, f"{grading.place}/cases.parquet")


def _grades(
    run: RunStore, grading: GradingStore, check: GradeCheck, planned: PlannedTrials
) -> tuple[bool, list[Problem]]:
    """Whether all parts can be read, and what is wrong with them and their rows."""
    problems: list[Problem] = []
    left = ErasuresLeft(run.forgotten(), f"gradings/{grading.grading_id}")
    is_whole = True
    for name, part in grading.grade_parts().whole():
        place = f"{grading.place}/{name}"
        if isinstance(part, StoreError):
            problems.append(Problem.of(part, place=place))
            is_whole = False
            continue
        left.note(part.rows)
        flaws = [*Rows(part.rows, planned.forgotten, GRADE_ERASERS).flaws()]
        for row in part.rows.to_pylist():
            flaws += check.flaws(row)
        problems += summed_up(flaws, place)
    problems += left.problems(grading.place) if is_whole else []
    return is_whole, problems


def _identities(grading: GradingStore, named: set[str], planned: PlannedTrials) -> list[Problem]:
    problems: list[Problem] = []
    known: set[str] = set()
    is_whole = True
    for name, part in grading.identity_parts().whole():
        place = f"{grading.place}/{name}"
        if isinstance(part, StoreError):
            problems.append(Problem.of(part, place=place))
            is_whole = False
            continue
        flaws = []
        for row in part.rows.to_pylist():
            known.add(row["digest"])
            if digest(row["text"]) != row["digest"] and not _is_bare(row["text"], planned):
                message = "the text of an identity is not what its digest was made of"
                flaws.append(Flaw("digest", message, row["digest"]))
        problems += summed_up(flaws, place)
    missing = sorted(named - known) if is_whole else []
    unknown = [Flaw("dangling", "grades name an identity that has no text", one) for one in missing]
    return [*problems, *summed_up(unknown, grading.place)]


def _is_bare(text: str, planned: PlannedTrials) -> bool:
    """True if the settings in an identity were forgotten with the case that declared them."""
    return bool(planned.forgotten) and IDENTITY_ERASERS["text"](text) == text
