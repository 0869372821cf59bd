"""The cases of a snapshot, held as columns: a case is made when somebody asks for it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import polars as pl
import pyarrow as pa
from typing_extensions import override

from assay.evaluators.assessment import Assessment
from assay.evaluators.retained import CaseTexts
from assay.tasks.planned_case import PlannedCase

CASE_COLUMNS: Final = (
    "case_id",
    "input",
    "expected",
    "metadata",
    "suite",
    "case_digest",
    "input_digest",
)
"""What is read of a snapshot."""


class StoredCases(Mapping[str, PlannedCase]):
    """Cases by id, in the order of the dataset; a hundred thousand of them take little memory.

    Args:
        rows: With `CASE_COLUMNS`.
        own: The assessments of those cases that have some of their own.

    Attributes:
        own: As given.
    """

    def __init__(self, rows: pl.DataFrame, own: Mapping[str, tuple[Assessment, ...]]) -> None:
        self.own = own
        self._digests = rows.select("case_id", "case_digest")
        table = rows.select(CASE_COLUMNS).to_arrow().combine_chunks()
        self._columns: list[pa.Array] = [column.combine_chunks() for column in table.columns]
        ids = rows["case_id"].cast(pl.String).to_list()
        self._places = {case_id: place for place, case_id in enumerate(ids)}

    @override
    def __len__(self) -> int:
        return len(self._places)

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    @override
    def __contains__(self, case_id: object) -> bool:
        return case_id in self._places

    @override
    def __getitem__(self, case_id: str) -> PlannedCase:
        place = self._places[case_id]
        return self._case(tuple(column[place].as_py() for column in self._columns))

    def digests(self) -> pl.DataFrame:
        """`case_id` and `case_digest` of each."""
        return self._digests

    def texts(self, ids: Sequence[str]) -> list[tuple[CaseTexts, str]]:
        """Texts and digest of many cases at once, which is much cheaper than one by one."""
        places = pa.array([self._places[case_id] for case_id in ids], pa.int64())
        taken = [self._columns[number].take(places).to_pylist() for number in (1, 2, 3, 5)]
        return [
            (CaseTexts(case_id, given, expected, metadata), digest)
            for case_id, given, expected, metadata, digest in zip(ids, *taken, strict=True)
        ]

    def _case(self, row: tuple[str, ...]) -> PlannedCase:
        case_id, given, expected, metadata, suite, digest, input_digest = row
        return PlannedCase(
            texts=CaseTexts(case_id, given, expected, metadata),
            digest=digest,
            input_digest=input_digest,
            suite=suite,
            assessments=self.own.get(case_id, ()),
        )


def own_assessments(
    cases: Mapping[str, PlannedCase],
) -> Mapping[str, tuple[Assessment, ...]]:
    """The assessments of those cases that have some of their own."""
    if isinstance(cases, StoredCases):
        return cases.own
    return {name: case.assessments for name, case in cases.items() if case.assessments}
