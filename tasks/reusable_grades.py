"""The grades of a run that may be used again, by key: where those lie that are wanted."""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from assay.tasks.store import GradingStore

REUSABLE = ("completed", "skipped", "unverified")
"""Statuses that another look would not change; the others are always computed."""

_PLACE = ("case_id", "repeat", "assessment_id")
_SOUGHT = (*_PLACE, "key", "status", "reused_from")


@dataclass(frozen=True, slots=True)
class ReusableGrades:
    """The gradings of a run, and which of their grades may be used again.

    Attributes:
        gradings: The oldest first.
        before: The newest one that ended, or None.
        continued: Those that an earlier try of the same regrade left, when it was broken off.
        as_they_are: True if a grade of `before` is taken whatever its status is.
    """

    gradings: tuple[GradingStore, ...]
    before: GradingStore | None
    continued: frozenset[str]
    as_they_are: bool

    def find(self, wanted: pl.DataFrame) -> pl.DataFrame:
        """The wanted grades, each with where an older one lies that stands for it.

        Of several, the one that stands at the same place is taken, and of those the newest. For a
        grade that is asked for, only what an earlier try has computed counts.

        Args:
            wanted: With the columns of `WANTED`, and `asked`.

        Returns:
            The same rows in the same order, with `source` (a number of `gradings`), `part`, `row`
            and `moved` (it stands elsewhere there), which are null where nothing was found.

        Raises:
            StoreError: a part cannot be read.
        """
        numbered = wanted.with_row_index("number")
        left = numbered.filter("reusable")
        here, elsewhere = [_NOWHERE], [_NOWHERE]
        for source in self._order():
            if not left.height:
                break
            rows = self._usable(source)
            open_ = left if self._is_continued(source) else left.filter(~pl.col("asked"))
            here.append(_joined(open_, rows, on=[*_PLACE, "key"], source=source, moved=False))
            left = left.join(here[-1], on="number", how="anti")
            open_ = open_.join(here[-1], on="number", how="anti")
            by_key = rows.unique("key", keep="first", maintain_order=True)
            elsewhere.append(_joined(open_, by_key, on=["key"], source=source, moved=True))
        found = pl.concat([*here, *elsewhere]).unique("number", keep="first", maintain_order=True)
        return numbered.join(found, on="number", how="left", maintain_order="left").drop("number")

    def _order(self) -> Iterator[int]:
        """The gradings as they are preferred."""
        numbers = list(range(len(self.gradings) - 1, -1, -1))
        if self.as_they_are and self.before is not None:
            numbers.sort(key=lambda number: not self._is_before(number))
        return iter(numbers)

    def _is_before(self, source: int) -> bool:
        before = self.before
        return before is not None and self.gradings[source].grading_id == before.grading_id

    def _is_continued(self, source: int) -> bool:
        return self.gradings[source].grading_id in self.continued

    def _usable(self, source: int) -> pl.DataFrame:
        rows = self.gradings[source].placed_grades(_SOUGHT)
        if self._is_continued(source):
            rows = rows.filter(pl.col("reused_from").is_null())
        if not (self.as_they_are and self._is_before(source)):
            rows = rows.filter(pl.col("status").cast(pl.String).is_in(REUSABLE))
        return rows.drop("status", "reused_from")


_NOWHERE = pl.DataFrame(
    schema={
        "number": pl.UInt32,
        "source": pl.UInt32,
        "part": pl.String,
        "row": pl.Int64,
        "moved": pl.Boolean,
    }
)


def _joined(
    wanted: pl.DataFrame, rows: pl.DataFrame, *, on: list[str], source: int, moved: bool
) -> pl.DataFrame:
    found = wanted.select("number", *on).join(rows, on=on, how="inner")
    return found.select(
        "number",
        pl.lit(source, pl.UInt32).alias("source"),
        pl.col("part").cast(pl.String),
        pl.col("row").cast(pl.Int64),
        pl.lit(moved).alias("moved"),
    )
