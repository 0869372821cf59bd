"""The grades of a run that may be used again, by key: where those lie that are wanted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from assay.evaluators.assessment import Assessment
from assay.tasks.store import GradingStore

REUSABLE = ("completed", "skipped", "unverified")
"""Statuses that another look would not change; the others are always computed."""

_PLACE = ("case_id", "repeat", "assessment_id")
_SOUGHT = (*_PLACE, "key", "status", "reused_from")


@dataclass(frozen=True, eq=False)
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

    @cached_property
    def known(self) -> frozenset[str]:
        """The identities of all evaluators that have graded, and perhaps others.

        Raises:
            StoreError: a part cannot be read.
        """
        return frozenset().union(*self._known)

    @cached_property
    def _known(self) -> list[frozenset[str]]:
        """The evaluators of each grading: a look at its grades would cost much more."""
        return [
            frozenset(
                digest for digest, (kind, _) in grading.identities().items() if kind == "evaluator"
            )
            for grading in self.gradings
        ]

    def find(self, wanted: pl.DataFrame, checks: Sequence[Assessment]) -> pl.DataFrame:
        """The wanted grades, each with where an older one lies that stands for it.

        Of several, the one that stands at the same place is taken, and of those the newest. For a
        grade that is asked for, only what an earlier try has computed counts.

        Args:
            wanted: With the columns of `WANTED`, and `asked`.
            checks: What their numbers stand for.

        Returns:
            The same rows in the same order, with `source` (a number of `gradings`), `part`, `row`
            and `moved` (it stands elsewhere there), which are null where nothing was found.

        Raises:
            StoreError: a part cannot be read.
        """
        identities = [check.evaluator.descriptor.identity for check in checks]
        numbered = wanted.with_row_index("number")
        left = numbered.filter(pl.col("key").is_not_null())
        here, elsewhere = [_NOWHERE], [_NOWHERE]
        for source in self._order():
            there = self._known[source]
            numbers = [number for number, one in enumerate(identities) if one in there]
            sought = left.filter(pl.col("check").is_in(numbers))
            if not self._is_continued(source):
                sought = sought.filter(~pl.col("asked"))
            if sought.height:
                found = self._look_through(source, sought)
                here.append(found.filter(~pl.col("moved")))
                elsewhere.append(found.filter("moved"))
                left = left.join(here[-1], on="number", how="anti")
        best = pl.concat([*here, *elsewhere]).unique("number", keep="first", maintain_order=True)
        return numbered.join(best, on="number", how="left", maintain_order="left").drop("number")

    def _look_through(self, source: int, sought: pl.DataFrame) -> pl.DataFrame:
        """What of the sought grades lies in a grading, at the same place or elsewhere."""
        rows = self._usable(source)
        here = _joined(sought, rows, on=[*_PLACE, "key"], source=source, moved=False)
        if here.height == sought.height:
            return here
        rest = sought.join(here, on="number", how="anti")
        by_key = rows.unique("key", keep="first", maintain_order=True)
        return pl.concat([here, _joined(rest, by_key, on=["key"], source=source, moved=True)])

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
