"""Which grades of two gradings belong together: the same trial, assessment and observation."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from assay.evaluators.canonical import parse, write
from assay.evaluators.errors import InvalidComparison
from assay.evaluators.grading import Grading

_ENTRY = ("assessment", "observation")
_IDENTITIES = ("policy", "evaluator", "verdict")
_VALUES = ("score", "measurement")
_CODE = ("name", "revision", "method", "code")


@dataclass(frozen=True)
class Pairing:
    """Two gradings of the same cases, laid side by side in the order of the baseline.

    Attributes:
        baseline: One side.
        candidate: The other; every difference is candidate minus baseline.
        across_revisions: Whether evaluators of different revisions may be compared.
    """

    baseline: Grading
    candidate: Grading
    across_revisions: bool = False

    @cached_property
    def trials(self) -> pl.DataFrame:
        """For each candidate trial that has a partner: `trial` and `candidate_trial`."""
        place = ("case_id", "repeat")
        left = self.baseline.trials.lazy().select(*place, "trial")
        right = self.candidate.trials.lazy().select(
            *place, pl.col("trial").alias("candidate_trial")
        )
        joined = left.join(right, on=place, how="inner")
        return joined.select("trial", "candidate_trial").collect(engine="streaming")

    @cached_property
    def same_repeats(self) -> bool:
        """True if every trial has a partner."""
        return self.baseline.trials.height == self.trials.height == self.candidate.trials.height

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """Completed grades of the same trial, assessment and observation.

        Columns: `trial`, `assessment`, `observation`, and of each side `policy`, `evaluator`,
        `verdict`, `score`, `measurement`; the candidate's end in `_c`.
        """
        return self._join(self._completed(self.baseline), self._placed(self.candidate))

    @cached_property
    def number_pairs(self) -> pl.DataFrame:
        """The pairs whose scores and measurements are compared: `pairs` for equal repeats.

        Where the repeats differ, `trial` is the case, and the numbers are means within the case.
        """
        if self.same_repeats:
            return self.pairs
        here, there = self._within_cases(self.baseline), self._within_cases(self.candidate)
        return self._join(here, there)

    def count_numbers(self, grading: Grading) -> dict[tuple[str, str], tuple[int, int]]:
        """How many scores and measurements of each observation one side brings to the pairs."""
        frame = self._completed if self.same_repeats else self._within_cases
        counts = [pl.col(name).count() for name in _VALUES]
        table = frame(grading).group_by(_ENTRY).agg(*counts).collect(engine="streaming")
        return {(row[0], row[1]): (row[2], row[3]) for row in table.iter_rows()}

    @cached_property
    def foreign(self) -> frozenset[tuple[str, str]]:
        """Pairs of evaluator identities whose grades must not be compared."""
        met = self.pairs.lazy().select("evaluator", "evaluator_c").unique().drop_nulls().collect()
        return frozenset(pair for pair in met.iter_rows() if not self._akin(*pair))

    def is_foreign(self) -> pl.Expr:
        """True for a pair that evaluators of different code made."""
        if not self.foreign:
            return pl.lit(value=False)
        seen = pl.col("evaluator").cast(pl.String) + pl.col("evaluator_c").cast(pl.String)
        return seen.is_in([first + second for first, second in self.foreign]).fill_null(value=False)

    def _akin(self, first: str, second: str) -> bool:
        if self.across_revisions or first == second:
            return True
        codes = [
            _code_of(side.identities.get(identity))
            for side, identity in ((self.baseline, first), (self.candidate, second))
        ]
        return None not in codes and codes[0] == codes[1]

    @cached_property
    def _ids(self) -> pl.Enum:
        """Every assessment id of either side."""
        both = dict.fromkeys((*self.baseline.assessments, *self.candidate.assessments))
        return pl.Enum(list(both))

    def _completed(self, grading: Grading) -> pl.LazyFrame:
        completed = grading.grades.lazy().filter(pl.col("status") == "completed")
        return completed.select(
            "trial", pl.col("assessment").cast(self._ids), "observation", *_IDENTITIES, *_VALUES
        )

    def _placed(self, grading: Grading) -> pl.LazyFrame:
        """The candidate's grades under the trial numbers of the baseline."""
        graded = self._completed(grading).rename({"trial": "candidate_trial"})
        joined = graded.join(self.trials.lazy(), on="candidate_trial", how="inner")
        return joined.drop("candidate_trial")

    def _within_cases(self, grading: Grading) -> pl.LazyFrame:
        """One row per case, assessment and observation; the baseline numbers the cases."""
        cases = self.baseline.trials.lazy().select("case_id", "case").unique()
        places = grading.trials.lazy().select("trial", "case_id").join(cases, on="case_id")
        graded = self._completed(grading).join(places, on="trial", how="inner")
        table = graded.group_by("case", *_ENTRY).agg(
            pl.first("evaluator"), *(_mean(name) for name in _VALUES)
        )
        return table.rename({"case": "trial"})

    def _join(self, left: pl.LazyFrame, right: pl.LazyFrame) -> pl.DataFrame:
        # One whole number a row joins several times faster than the columns that it stands for.
        key = pl.col("trial").cast(pl.UInt64) * len(self._ids.categories)
        key = (key + pl.col("assessment").to_physical()).alias("key")
        there = right.with_columns(key).drop("trial", "assessment")
        joined = left.with_columns(key).join(there, on="key", how="inner", suffix="_c")
        same = joined.filter(pl.col("observation") == pl.col("observation_c"))
        return same.drop("key", "observation_c").collect(engine="streaming")


def _mean(name: str) -> pl.Expr:
    # Each number is divided before it is summed, so that large ones do not overflow.
    number = pl.col(name)
    mean = (number / number.count()).sum().alias(name)
    return pl.when(number.count() > 0).then(mean).alias(name)


def require_comparable(baseline: Grading, candidate: Grading) -> None:
    """Raise InvalidComparison unless both have the same fixture and the same cases."""
    if not baseline.fixture_id or baseline.fixture_id != candidate.fixture_id:
        msg = (
            f"comparison: expected the same fixture on both sides, got "
            f"{baseline.fixture_id[:80]!r} and {candidate.fixture_id[:80]!r}"
        )
        raise InvalidComparison(msg)
    sides = [side.trials.lazy().select("case_id").unique() for side in (baseline, candidate)]
    for index, side in enumerate(("baseline", "candidate")):
        strangers = sides[index].join(sides[1 - index], on="case_id", how="anti")
        alone = strangers.collect()["case_id"]
        if len(alone):
            first = alone.cast(pl.String).min()
            msg = (
                f"comparison: expected the same cases on both sides, got {len(alone)} of the "
                f"{side} alone, such as {str(first)[:80]!r}"
            )
            raise InvalidComparison(msg)


def _code_of(identity: str | None) -> str | None:
    """What makes an evaluator the same code under any configuration, or None where unknown."""
    tree = parse(identity) if identity is not None else None
    if not isinstance(tree, dict):
        return None
    return write({name: tree[name] for name in _CODE if name in tree})
