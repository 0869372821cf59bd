"""The grades that a regrade should have, each with its key, before any evaluator runs."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from assay.evaluators.assessment import Assessment
from assay.evaluators.suite import Suite
from assay.tasks.grade_key import grade_keys, key_end

RECEIPTS = pl.Schema(
    {
        "case_id": pl.Categorical(),
        "repeat": pl.Int32(),
        "receipt_digest": pl.String(),
        "case_digest": pl.String(),
    }
)
"""Columns of receipts that are graded: where each belongs, and what its keys are made of."""

WANTED = pl.Schema(
    {
        "receipt": pl.UInt32(),
        "check": pl.UInt32(),
        "case_id": pl.Categorical(),
        "repeat": pl.Int32(),
        "assessment_id": pl.Categorical(),
        "key": pl.String(),
    }
)
"""Columns of wanted grades: the row of the receipt, the number of the check, where the grade is to
stand, and its key; that is null where no older grade can stand for it, whatever the key is."""


@dataclass(frozen=True, slots=True, eq=False)
class WantedGrades:
    """The grades that a regrade should have.

    Attributes:
        receipts: With the columns of `RECEIPTS`.
        checks: The suite's assessments, then those of single cases.
        rows: With the columns of `WANTED`; the results of a check lie side by side.
    """

    receipts: pl.DataFrame
    checks: tuple[Assessment, ...]
    rows: pl.DataFrame


def wanted_grades(
    receipts: pl.DataFrame,
    suite: Suite,
    own: Mapping[str, tuple[Assessment, ...]],
    *,
    known: Container[str],
) -> WantedGrades:
    """Every grade of the receipts by the suite and by the assessments of their cases.

    Args:
        receipts: The columns of `RECEIPTS`, one row a receipt.
        suite: Grades every receipt.
        own: The assessments of those cases that have some of their own.
        known: Identities of evaluators that have graded before; others need no keys.
    """
    shared = _results(suite.assessments, known, first=0)
    old = [result for result in shared if result.end is not None]
    new = [result for result in shared if result.end is None]
    of_cases = _OwnChecks(own, known, first=len(suite.assessments))
    rows = [
        _shared(receipts, old, _keys(receipts, old)),
        _shared(receipts, new, None),
        pl.DataFrame(list(of_cases.rows(receipts)), schema=WANTED, orient="row"),
    ]
    return WantedGrades(receipts, (*suite.assessments, *of_cases.checks), pl.concat(rows))


@dataclass(frozen=True, slots=True)
class _Result:
    """One result id of a check; without the end of its keys where none is needed."""

    check: int
    identity: str
    end: bytes | None


def _results(
    assessments: Iterable[Assessment], known: Container[str], *, first: int
) -> list[_Result]:
    results = []
    for check, assessment in enumerate(assessments, first):
        descriptor = assessment.evaluator.descriptor
        is_known = descriptor.reusable and descriptor.identity in known
        for identity, output in zip(assessment.ids, assessment.outputs or ("",), strict=True):
            end = key_end(descriptor, output) if is_known else None
            results.append(_Result(check, identity, end))
    return results


def _keys(receipts: pl.DataFrame, results: Sequence[_Result]) -> pl.Series:
    """The keys of the results of every receipt, receipt by receipt."""
    ends = [result.end for result in results if result.end is not None]
    digests = receipts.select("receipt_digest", "case_digest").iter_rows() if ends else ()
    keys = [key for receipt, case in digests for key in grade_keys(receipt, case, ends)]
    return pl.Series("key", keys, dtype=pl.String)


def _shared(
    receipts: pl.DataFrame, results: Sequence[_Result], keys: pl.Series | None
) -> pl.DataFrame:
    """The grades that every receipt should have, receipt by receipt."""
    columns = pl.DataFrame(
        {
            "check": pl.Series([one.check for one in results], dtype=pl.UInt32),
            "assessment_id": pl.Series([one.identity for one in results], dtype=pl.Categorical),
        }
    )
    rows = receipts.with_row_index("receipt").join(
        columns, how="cross", maintain_order="left_right"
    )
    filled = rows.with_columns(pl.lit(None, pl.String).alias("key") if keys is None else keys)
    return filled.select(WANTED.names())


class _OwnChecks:
    """The assessments of single cases, numbered."""

    def __init__(
        self, own: Mapping[str, tuple[Assessment, ...]], known: Container[str], *, first: int
    ) -> None:
        self.checks: list[Assessment] = []
        self._results: dict[str, list[_Result]] = {}
        for case_id, assessments in own.items():
            number = first + len(self.checks)
            self._results[case_id] = _results(assessments, known, first=number)
            self.checks += assessments

    def rows(self, receipts: pl.DataFrame) -> Iterator[tuple[object, ...]]:
        """The grades that receipts of those cases should have beside the others."""
        if not self.checks:
            return
        rows = receipts.select(RECEIPTS.names()).iter_rows()
        for number, (case_id, repeat, receipt_digest, case_digest) in enumerate(rows):
            for one in self._results.get(case_id, ()):
                ends = () if one.end is None else (one.end,)
                key = next(iter(grade_keys(receipt_digest, case_digest, ends)), None)
                yield number, one.check, case_id, repeat, one.identity, key
