"""Grades of an older grading, written into a new one as they are."""

from collections.abc import Iterator

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from typing_extensions import override

from assay.evaluators.schema import GRADES, given_columns
from assay.tasks.grade_columns import Identities
from assay.tasks.regrade_session import RegradeSession
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.store import GradingStore

_BATCH_ROWS = 8192
_COLUMNS = given_columns(GRADES)
_PLACE = ("case_id", "repeat", "assessment_id")
_DIGESTS = ("evaluator", "metric", "observation", "policy")


class CarryOver(RegradeStep):
    """Grades of an older grading that stand in the new one; each says who computed it.

    Args:
        rows: Wanted grades, with `part` and `row` of the older ones and whether they are `moved`.
        source: The older grading.
        session: Of the new one.
    """

    def __init__(self, rows: pl.DataFrame, source: GradingStore, session: RegradeSession) -> None:
        super().__init__(f"grades of {source.grading_id}", session.retries)
        self._rows = rows.sort("part", "row", maintain_order=True)
        self._source = source
        self._session = session

    @override
    async def _attempt(self) -> None:
        texts = self._source.identities()
        for table in self._tables():
            await self._session.writer.commit_table(table, _identities(table, texts))
        self._session.tally.count_reused(self._rows["assessment_id"])

    def _tables(self) -> Iterator[pa.Table]:
        """The rows as the new grading has them; one batch is held at a time."""
        begin = 0
        for batch in self._source.grades_at(self._rows, _COLUMNS, batch_size=_BATCH_ROWS):
            places = self._rows.slice(begin, batch.num_rows)
            begin += batch.num_rows
            yield _carried(pa.Table.from_batches([batch]), places, self._source.grading_id)


def _carried(table: pa.Table, places: pl.DataFrame, grading_id: str) -> pa.Table:
    origin = pc.coalesce(table["reused_from"].cast(pa.string()), pa.scalar(grading_id))
    table = _with(table, "reused_from", origin)
    if places["moved"].any():
        for name in _PLACE:
            values = places[name].cast(pl.String) if name != "repeat" else places[name]
            table = _with(table, name, values.to_arrow().cast(_plain(name)))
    return table


def _with(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    field = GRADES.field(name)
    if pa.types.is_dictionary(field.type):
        values = pc.dictionary_encode(values)
    return table.set_column(table.column_names.index(name), field, values)


def _plain(name: str) -> pa.DataType:
    kind = GRADES.field(name).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _identities(table: pa.Table, texts: Identities) -> Identities:
    """What the digests in the table stand for."""
    used = {digest for name in _DIGESTS for digest in pc.unique(table[name]).to_pylist()}
    return {digest: texts[digest] for digest in used if digest in texts}
