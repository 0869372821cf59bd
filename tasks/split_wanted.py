"""What becomes of each wanted grade: carried over, computed, or left without one."""

from dataclasses import dataclass

import polars as pl

from assay.tasks.regrade_demand import RegradeDemand
from assay.tasks.reusable_grades import ReusableGrades
from assay.tasks.store import GradingStore
from assay.tasks.wanted_grades import WantedGrades

_CHECKED = ["receipt", "check"]
_PLACE = ["case_id", "repeat", "assessment_id"]


@dataclass(frozen=True, slots=True, eq=False)
class SplitGrades:
    """Wanted grades by what becomes of them.

    Attributes:
        carried: With the columns of `WANTED`, and where the older grade lies.
        computed: `receipt` and `check` of what evaluators are called for.
        absent: The same of what nobody asked for, and no older grade stands for; it stays visible
            without a grade.
    """

    carried: pl.DataFrame
    computed: pl.DataFrame
    absent: pl.DataFrame


def split_wanted(wanted: WantedGrades, demand: RegradeDemand, older: ReusableGrades) -> SplitGrades:
    """The wanted grades by what becomes of them.

    A check with several results is carried over as a whole or not at all.

    Raises:
        StoreError: when older grades cannot be read.
    """
    asked = wanted.rows.with_columns(_asked(wanted, demand, older.before))
    rows = older.find(asked, wanted.checks).with_columns(
        whole=pl.col("source").is_not_null().all().over(_CHECKED)
        if any(check.outputs for check in wanted.checks)
        else pl.col("source").is_not_null()
    )
    rest = rows.filter(~pl.col("whole"))
    is_computed = pl.lit(value=True) if demand.missing else pl.col("asked")
    return SplitGrades(
        carried=rows.filter("whole").drop("asked", "whole"),
        computed=rest.filter(is_computed).select(_CHECKED).unique(maintain_order=True),
        absent=rest.filter(~is_computed).select(_CHECKED).unique(maintain_order=True),
    )


def _asked(wanted: WantedGrades, demand: RegradeDemand, before: GradingStore | None) -> pl.Series:
    """Whether each grade is to be computed, whatever there is."""
    rows = wanted.rows
    if demand.fresh:
        return pl.repeat(value=True, n=rows.height, eager=True).alias("asked")
    named = [
        number
        for number, check in enumerate(wanted.checks)
        if not demand.ids.isdisjoint((check.id, *check.ids))
    ]
    asked = rows["check"].is_in(named)
    again = _again(demand, before)
    if again is not None:
        places = rows.join(again, on=_PLACE, how="semi").select(_CHECKED).unique()
        marked = rows.join(
            places.with_columns(hit=True), on=_CHECKED, how="left", maintain_order="left"
        )
        asked |= marked["hit"].fill_null(value=False)
    return asked.alias("asked")


def _again(demand: RegradeDemand, before: GradingStore | None) -> pl.DataFrame | None:
    """The places whose older status or verdict is one that is computed again."""
    if before is None or not (demand.statuses or demand.verdicts):
        return None
    grades = before.grades([*_PLACE, "status", "verdict"])
    status, verdict = (pl.col(name).cast(pl.String) for name in ("status", "verdict"))
    is_hit = status.is_in(demand.statuses) | verdict.is_in(demand.verdicts)
    return grades.filter(is_hit).select(_PLACE)
