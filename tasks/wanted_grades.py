"""The grades that a regrade should have, each with its key, before any evaluator runs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from assay.evaluators.assessment import Assessment
from assay.evaluators.suite import Suite
from assay.tasks.grade_key import grade_keys, key_end
from assay.tasks.planned_case import PlannedCase

WANTED = pl.Schema(
    {
        "receipt": pl.UInt32(),
        "check": pl.UInt32(),
        "case_id": pl.Categorical(),
        "repeat": pl.Int32(),
        "assessment_id": pl.Categorical(),
        "key": pl.String(),
        "reusable": pl.Boolean(),
    }
)
"""Columns of wanted grades: the row of the receipt, the number of the check, where the grade is to
stand, its key, and whether the evaluator's identity says enough to use an older grade again."""


@dataclass(frozen=True, slots=True, eq=False)
class WantedGrades:
    """The grades that a regrade should have.

    Attributes:
        receipts: `case_id`, `repeat` and `receipt_digest` of each receipt that is graded.
        checks: The suite's assessments, then those of single cases.
        rows: With the columns of `WANTED`; the results of a check lie side by side.
    """

    receipts: pl.DataFrame
    checks: tuple[Assessment, ...]
    rows: pl.DataFrame


def wanted_grades(
    receipts: pl.DataFrame, suite: Suite, cases: Mapping[str, PlannedCase]
) -> WantedGrades:
    """Every grade of the receipts by the suite and by the assessments of their cases.

    Args:
        receipts: `case_id`, `repeat` and `receipt_digest`, in this order, one row a receipt.
        suite: Grades every receipt.
        cases: By id; receipts of other cases are left out.
    """
    known = pl.Series(list(cases), dtype=pl.Categorical).implode()
    graded = receipts.filter(pl.col("case_id").is_in(known))
    own = _OwnChecks(cases, first=len(suite.assessments))
    rows = [_shared(graded, suite.assessments, cases)]
    if own.checks:
        rows.append(_frame(own.rows(graded)))
    return WantedGrades(graded, (*suite.assessments, *own.checks), pl.concat(rows))


@dataclass(frozen=True, slots=True)
class _Result:
    """One result id of a check."""

    check: int
    identity: str
    end: bytes
    reusable: bool

    @classmethod
    def of(cls, check: int, assessment: Assessment) -> "list[_Result]":
        """The results of an assessment, side by side."""
        descriptor = assessment.evaluator.descriptor
        outputs = zip(assessment.ids, assessment.outputs or ("",), strict=True)
        return [
            cls(check, identity, key_end(descriptor, output), descriptor.reusable)
            for identity, output in outputs
        ]


def _shared(
    receipts: pl.DataFrame, assessments: Sequence[Assessment], cases: Mapping[str, PlannedCase]
) -> pl.DataFrame:
    """The grades that every receipt should have."""
    results = [each for check, one in enumerate(assessments) for each in _Result.of(check, one)]
    ends = [result.end for result in results]
    keys = [
        key
        for case_id, receipt_digest in receipts.select("case_id", "receipt_digest").iter_rows()
        for key in grade_keys(receipt_digest, cases[case_id].digest, ends)
    ]
    columns = pl.DataFrame(
        {
            "check": pl.Series([one.check for one in results], dtype=pl.UInt32),
            "assessment_id": pl.Series([one.identity for one in results], dtype=pl.Categorical),
            "reusable": pl.Series([one.reusable for one in results], dtype=pl.Boolean),
        }
    )
    return (
        receipts.with_row_index("receipt")
        .join(columns, how="cross", maintain_order="left_right")
        .with_columns(pl.Series("key", keys, dtype=pl.String))
        .select(WANTED.names())
    )


class _OwnChecks:
    """The assessments of single cases, numbered."""

    def __init__(self, cases: Mapping[str, PlannedCase], *, first: int) -> None:
        self.checks: list[Assessment] = []
        self._cases = cases
        self._results: dict[str, list[_Result]] = {}
        for case_id, case in cases.items():
            for assessment in case.assessments:
                results = _Result.of(first + len(self.checks), assessment)
                self._results.setdefault(case_id, []).extend(results)
                self.checks.append(assessment)

    def rows(self, receipts: pl.DataFrame) -> Iterator[tuple[object, ...]]:
        """The grades that receipts of those cases should have beside the others."""
        for number, (case_id, repeat, receipt_digest) in enumerate(receipts.iter_rows()):
            results = self._results.get(case_id, ())
            ends = [result.end for result in results]
            keys = grade_keys(receipt_digest, self._cases[case_id].digest, ends) if ends else []
            for result, key in zip(results, keys, strict=True):
                place = (case_id, repeat, result.identity)
                yield number, result.check, *place, key, result.reusable


def _frame(rows: Iterable[tuple[object, ...]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=WANTED, orient="row")
