"""What the measures of a ranking share: their settings, and how a formula is applied."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, TypeAlias

from pydantic import Field

from assay.evaluators.cancellation import current_cancellation
from assay.evaluators.guide import Guide
from assay.evaluators.ranking.judged_ranking import JudgedRanking
from assay.evaluators.ready_made import Scored
from assay.evaluators.sample import Sample

Cutoff = Annotated[int, Field(gt=0)]
"""How many of the first items are looked at."""

Threshold = Annotated[float | None, Field(ge=0, le=1)]
"""The least score that passes; None decides nothing."""

Formula: TypeAlias = Callable[[Sequence[str], Mapping[str, float], int], float]
"""A measure: the ranking, the grades of judged items, the cutoff; gives a number in [0, 1]."""


RANKED = Guide(
    yields=("score", "decision"),
    settings={"cutoff": 3, "threshold": 0.3},
    case={"expected": {"a": 1, "b": 2}},
    receipt={"output": ["b", "x", "a"]},
)
"""An example for every measure."""


def scored(formula: Formula, sample: Sample, cutoff: int, threshold: float | None) -> Scored:
    """The score of a measure; a threshold adds a decision and leaves the metric as it is.

    Raises:
        Canceled: when the caller cancelled before.
        InvalidSample: when the ranking or the judgments break a rule.
    """
    current_cancellation().raise_if_canceled()
    judged = JudgedRanking.of(sample)
    return Scored(formula(judged.ranking, judged.grades, cutoff), threshold=threshold)
