"""The grades of a run that may be used again, by key."""

from collections.abc import Iterable, Sequence

import polars as pl

from assay.evaluators.schema import GRADES, given_columns
from assay.tasks.store import GradingStore

REUSABLE = ("completed", "skipped", "unverified")
"""Statuses that another look would not change; the others are always computed."""


class ReusableGrades:
    """Grades of all gradings of a run, one for each key: the earliest.

    Args:
        gradings: Oldest first.
    """

    def __init__(self, gradings: Sequence[GradingStore]) -> None:
        self._texts: dict[str, tuple[str, str]] = {}
        frames = [self._read(grading) for grading in gradings]
        if frames:
            self._frame = pl.concat(frames).unique("key", keep="first", maintain_order=True)
        else:
            self._frame = pl.DataFrame(schema={"key": pl.String})
        self._keys = frozenset(self._frame["key"].to_list())

    def _read(self, grading: GradingStore) -> pl.DataFrame:
        self._texts.update(grading.identities())
        columns = list(given_columns(GRADES))
        grades = grading.grades(columns)
        origin = pl.coalesce(pl.col("reused_from").cast(pl.String), pl.lit(grading.grading_id))
        return (
            grades.filter(pl.col("status").cast(pl.String).is_in(REUSABLE))
            .with_columns(reused_from=origin)
            .with_columns(pl.col(pl.Categorical).cast(pl.String))
        )

    def __bool__(self) -> bool:
        return bool(self._keys)

    def has_all(self, keys: Sequence[str]) -> bool:
        """True if there is a grade for each of the keys, and there are keys."""
        return bool(keys) and all(key in self._keys for key in keys)

    def carried_over(self, wanted: Iterable[tuple[str, str, int, str]]) -> pl.DataFrame:
        """The grades for (case id, assessment id, repeat, key), under those ids.

        Each says in `reused_from` which grading computed it.
        """
        schema = {
            "case_id": pl.String,
            "assessment_id": pl.String,
            "repeat": pl.Int32,
            "key": pl.String,
        }
        asked = pl.DataFrame(list(wanted), schema=schema, orient="row")
        if not len(asked):
            return asked.clear()
        old = self._frame.drop("case_id", "assessment_id", "repeat")
        return asked.join(old, on="key", how="inner").select(given_columns(GRADES))

    def identities(self, grades: pl.DataFrame) -> dict[str, tuple[str, str]]:
        """What the digests of the grades stand for."""
        names = ("evaluator", "metric", "observation", "policy")
        used = {digest for name in names for digest in grades[name].unique().to_list()}
        return {digest: self._texts[digest] for digest in used if digest in self._texts}
