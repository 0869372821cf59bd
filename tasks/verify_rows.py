"""Verifying rows of parts: that each says what its digest was made of, or was erased by rights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from assay.evaluators.schema import SCHEMA_VERSION
from assay.tasks.problem import Flaw
from assay.tasks.store.erase import Erasers, erase_rows, rows_where
from assay.tasks.store.stamp import row_digests

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one part.

    Attributes:
        table: All columns of the part's own version.
        forgotten: Ids of cases whose payloads were erased.
        erasers: What an erased payload looks like, by column.
    """

    table: pa.Table
    forgotten: frozenset[str]
    erasers: Erasers

    def flaws(self) -> Iterator[Flaw]:
        """Rows that do not say what their digest was made of, and payloads that should be gone."""
        stored = self.table["row_digest"].to_pylist()
        made = row_digests(self.table).to_pylist()
        versions = self.table["schema_version"].to_pylist()
        for index, (is_erased, is_bare) in enumerate(self._erasures()):
            if is_erased and not is_bare:
                message = "a forgotten payload is here again; run assay forget again"
                yield Flaw("forgotten", message, self._trial(index))
            elif not is_erased and stored[index] != made[index]:
                message = "a row is not what its digest was made of; restore the file"
                yield Flaw("digest", message, self._trial(index))
            if not 0 <= versions[index] <= SCHEMA_VERSION:
                message = "a row has a schema version that does not exist"
                yield Flaw("damaged", message, self._trial(index))

    def _trial(self, index: int) -> str:
        return trial_of(self.table.slice(index, 1).to_pylist()[0])

    def _erasures(self) -> Iterator[tuple[bool, bool]]:
        """For each row, whether its case was forgotten, and whether it is as erasing leaves it."""
        chosen = rows_where(self.table, "case_id", self.forgotten)
        forgotten = chosen.to_pylist()
        if not any(forgotten):
            yield from ((False, False) for _ in forgotten)
            return
        bare = erase_rows(self.table, chosen, self.erasers)
        same = [
            [one == other for one, other in zip(before, after, strict=True)]
            for before, after in _pairs(self.table, bare, self.erasers)
        ]
        for index, is_erased in enumerate(forgotten):
            yield is_erased, all(column[index] for column in same)


def _pairs(
    before: pa.Table, after: pa.Table, erasers: Erasers
) -> Iterator[tuple[list[object], list[object]]]:
    for name in before.column_names:
        if name in erasers:
            yield before[name].to_pylist(), after[name].to_pylist()


def trial_of(row: Row) -> str:
    """What a row is of, for messages."""
    text = f"{row['case_id']}#{row['repeat']}"
    assessment = row.get("assessment_id")
    return text if assessment is None else f"{text} {assessment}"
