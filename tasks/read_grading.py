"""A grading of the store as the columns that summaries and comparisons read."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from assay.evaluators.grading import KIND, STATUS, TRIALS, USAGE, VERDICT, Grading, grade_columns
from assay.tasks.case_snapshot import graded_cases
from assay.tasks.store import GradingStore, RunStore

_EXECUTION = ("case_id", "repeat", "kind", "error_class", "duration_seconds", "cost", "usage")
_GRADE = (
    "case_id",
    "repeat",
    "assessment_id",
    "status",
    "evaluator",
    "observation",
    "policy",
    "verdict",
    "score",
    "measurement",
    "label",
    "reused_from",
)
_COUNTERS = pl.Struct(dict.fromkeys(USAGE, pl.Int128()))


def read_grading(run: RunStore, grading: GradingStore, *, abandoned: int = 0) -> Grading:
    """The grading, with every planned trial of the cases that it is about, whether it ran or not.

    Args:
        run: The run that was graded.
        grading: One of its gradings.
        abandoned: Calls of this run that ignored their cancellation; the store does not know.

    Raises:
        StoreError: when a part cannot be read.
    """
    repeats = _whole(_mapping(run.plan.get("counts")).get("repeats")) or 1
    cases = graded_cases(run, grading, ["case_id"]).with_row_index("case")
    grades = grading.grades(list(_GRADE))
    plan = _Declared.read(grading.info, cases, grades)
    return Grading(
        fixture_id=str(grading.info.get("fixture_id") or run.plan.get("fixture_id") or ""),
        trials=_trials(cases, repeats, plan, run.executions(list(_EXECUTION))),
        grades=_placed(grades, cases, repeats, plan.ids),
        assessments=plan.ids,
        declared=plan.counts(trials=cases.height * repeats, repeats=repeats),
        identities={digest: text for digest, (_, text) in grading.identities().items()},
        reused=grades["reused_from"].count(),
        late=run.late(["case_id"]).height,
        abandoned=abandoned,
    )


@dataclass(frozen=True, slots=True)
class _Declared:
    """Which result ids a grading declares: for every trial, and for single cases beside them."""

    suite: tuple[str, ...]
    own: Mapping[str, tuple[str, ...]]
    seen: Mapping[str, int]

    @property
    def ids(self) -> tuple[str, ...]:
        """All of them, in order of first appearance."""
        own = (identity for ids in self.own.values() for identity in ids)
        return tuple(dict.fromkeys((*self.suite, *own, *self.seen)))

    @classmethod
    def read(
        cls, info: Mapping[str, object], cases: pl.DataFrame, grades: pl.DataFrame
    ) -> "_Declared":
        """What the head of a grading declares; ids that only its grades name come last."""
        suite = _texts(info.get("assessment_ids"))
        own = _mapping(info.get("case_assessment_ids"))
        planned = cases["case_id"].cast(pl.String) if own else ()
        seen = grades.lazy().group_by("assessment_id").len().collect(engine="streaming")
        return cls(
            suite=suite,
            own={
                case_id: tuple(one for one in _texts(own[case_id]) if one not in suite)
                for case_id in planned
                if case_id in own
            },
            seen=dict(seen.cast({"assessment_id": pl.String}).sort("assessment_id").iter_rows()),
        )

    def counts(self, *, trials: int, repeats: int) -> dict[str, int]:
        """On how many planned trials each id is declared; by its grades alone, on those."""
        own = Counter(identity for ids in self.own.values() for identity in ids)
        return {
            **dict.fromkeys(self.ids, 0),
            **self.seen,
            **{identity: count * repeats for identity, count in own.items()},
            **dict.fromkeys(self.suite, trials),
        }


def _trials(
    cases: pl.DataFrame, repeats: int, plan: _Declared, executions: pl.DataFrame
) -> pl.DataFrame:
    """One row per planned trial, in planned order, with what its execution left."""
    numbers = pl.LazyFrame({"repeat": range(repeats)}, schema={"repeat": pl.Int32})
    planned = cases.lazy().join(numbers, how="cross")
    counters = pl.col("usage").str.json_decode(_COUNTERS)
    spent = _numbered(executions, cases, repeats).drop("case_id", "case", "repeat")
    spent = spent.with_columns(
        counters, pl.col("kind").cast(KIND), pl.col("error_class").cast(pl.String)
    )
    return (
        planned.with_columns(_trial(repeats), _declared(plan))
        .join(spent.unnest("usage"), on="trial", how="left")
        .select(TRIALS.names())
        .sort("trial")
        .collect(engine="streaming")
    )


def _declared(plan: _Declared) -> pl.Expr:
    """How many assessments each trial should have."""
    suite = pl.lit(len(plan.suite), pl.UInt32)
    if plan.own:
        own = {case_id: len(plan.suite) + len(ids) for case_id, ids in plan.own.items()}
        case_id = pl.col("case_id").cast(pl.String)
        suite = case_id.replace_strict(own, default=suite, return_dtype=pl.UInt32)
    return suite.alias("declared")


def _placed(
    grades: pl.DataFrame, cases: pl.DataFrame, repeats: int, ids: tuple[str, ...]
) -> pl.DataFrame:
    """The grades of planned trials, under the trials' numbers."""
    columns = grade_columns(ids)
    assessment = pl.col("assessment_id").cast(columns["assessment"]).alias("assessment")
    order = pl.col("trial").cast(pl.UInt64) * max(1, len(ids)) + assessment.to_physical()
    placed = (
        _numbered(grades, cases, repeats)
        .with_columns(pl.col("status").cast(STATUS))
        .with_columns(assessment, pl.col("verdict").cast(VERDICT))
        .with_columns(order.alias("order"))
    )
    return placed.select(columns.names()).collect(engine="streaming")


def _numbered(rows: pl.DataFrame, cases: pl.DataFrame, repeats: int) -> pl.LazyFrame:
    """The rows of planned trials, with the number of their trial."""
    planned = rows.lazy().filter(pl.col("repeat") < repeats)
    return planned.join(cases.lazy(), on="case_id", how="inner").with_columns(_trial(repeats))


def _trial(repeats: int) -> pl.Expr:
    return (pl.col("case") * repeats + pl.col("repeat")).cast(pl.UInt32).alias("trial")


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list | tuple) else ()


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
