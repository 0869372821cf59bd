"""Verifying the grades of one grading: each by itself, and against the receipts they grade."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from assay.evaluators.schema import GRADES
from assay.tasks.declared_results import DeclaredResults
from assay.tasks.grade_key import grade_keys
from assay.tasks.problem import Flaw, ProblemKind
from assay.tasks.verify_plan import PlannedTrials
from assay.tasks.verify_receipts import Receipts, Trial
from assay.tasks.verify_reports import ReportCells
from assay.tasks.verify_rows import Row, trial_of

_IDENTITIES = ("evaluator", "metric", "observation", "policy")
_ANSWER = ("key", "status", "verdict", "score", "measurement", "label")

KeysOf = Callable[[str], frozenset[str] | None]
"""The keys of the grades of a grading of the run, by its id; None if there is no such grading."""


@dataclass(frozen=True, slots=True)
class GradedWith:
    """What grades are measured by.

    Attributes:
        planned: What the run was planned over.
        digests: The digests of the cases that were graded.
        receipts: The receipts that there are.
        declared: What the grading declares.
        keys_of: The keys of other gradings' grades.
    """

    planned: PlannedTrials
    digests: Mapping[str, str]
    receipts: Receipts
    declared: DeclaredResults
    keys_of: KeysOf


class GradeCheck:
    """Looks at every grade of one grading.

    Attributes:
        named: The digests that grades name.
    """

    def __init__(self, given: GradedWith) -> None:
        self._given = given
        self._reports = ReportCells()
        self._answers: dict[tuple[object, ...], tuple[object, ...]] = {}
        self._results: defaultdict[Trial, set[str]] = defaultdict(set)
        self.named: set[str] = set()

    def flaws(self, found: Row) -> Iterator[Flaw]:
        """What is wrong with a grade, given the columns that its version has."""
        row = dict.fromkeys(GRADES.names) | dict(found)
        self._results[str(row["case_id"]), _whole(row["repeat"])].add(str(row["assessment_id"]))
        self.named.update(str(row[name]) for name in _IDENTITIES if row[name] is not None)
        is_erased = row["case_id"] in self._given.planned.forgotten
        looks: tuple[tuple[ProblemKind, str], ...] = (
            ("unknown_trial", self._unknown_trial(row)),
            ("dangling", self._dangling(row)),
            ("contradiction", self._undeclared(row)),
            ("contradiction", self._reports.contradiction(row, erased=is_erased)),
            ("digest", self._wrong_key(row)),
            ("duplicate", self._double(row)),
        )
        for kind, message in looks:
            if message:
                yield Flaw(kind, message, trial_of(row))

    def missing(self) -> Iterator[Flaw]:
        """Trials of which some results are there and others are not."""
        declared = self._given.declared
        for (case_id, repeat), there in self._results.items():
            if declared.is_known and declared.ids(case_id) - there:
                message = "a trial lacks some of the grades that its grading declares"
                yield Flaw("contradiction", message, f"{case_id}#{repeat}")

    def _unknown_trial(self, row: Row) -> str:
        planned = self._given.planned
        if planned.has_trial(str(row["case_id"]), _whole(row["repeat"])):
            return ""
        return "a grade is of a trial that was not planned"

    def _dangling(self, row: Row) -> str:
        receipts = self._given.receipts
        there = receipts.digests.get((str(row["case_id"]), _whole(row["repeat"])))
        if receipts.complete and there is None:
            return "a grade is of a trial without a receipt"
        if receipts.complete and there is not None and row["receipt_digest"] not in there:
            return "a grade is of another receipt than that of its trial"
        origin = row["reused_from"]
        keys = None if origin is None else self._given.keys_of(str(origin))
        if origin is not None and (keys is None or row["key"] not in keys):
            return "a grade was carried over from a grading that does not have it"
        return ""

    def _undeclared(self, row: Row) -> str:
        declared, result = self._given.declared, str(row["assessment_id"])
        if not declared.is_known:
            return ""
        if result not in declared.ids(str(row["case_id"])):
            return "a grade is of an assessment that its grading does not declare"
        if declared.evaluators.get(result, row["evaluator"]) != row["evaluator"]:
            return "a grade is by another evaluator than its grading declares"
        return ""

    def _wrong_key(self, row: Row) -> str:
        case_digest = self._given.digests.get(str(row["case_id"]))
        if case_digest is None:
            return ""
        outputs = self._given.declared.possible_outputs(str(row["assessment_id"]))
        ends = [f"{row['evaluator']}\n{output}".encode() for output in outputs]
        if row["key"] in grade_keys(str(row["receipt_digest"]), case_digest, ends):
            return ""
        return "a key is not made of the receipt, the case and the evaluator of its grade"

    def _double(self, row: Row) -> str:
        place = tuple(row[name] for name in ("case_id", "repeat", "assessment_id", "attempt"))
        answer = tuple(row[name] for name in _ANSWER)
        if self._answers.setdefault(place, answer) == answer:
            return ""
        return "an assessment has two grades of one attempt that differ"


def _whole(value: object) -> int:
    return value if isinstance(value, int) else -1
