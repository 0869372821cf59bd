"""Recall at a cutoff."""

from collections.abc import Mapping, Sequence

from assay.evaluators.ranking.measure import RANKED, Cutoff, Threshold, scored
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample


def recall_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """The share of the relevant items that stand in the first `k` places: hits / R.

    R is the number of all relevant items, not capped by `k`, as in trec_eval's `recall_k`.

    Args:
        ranking: Identities, best first; may be empty, which gives 0.
        grades: Relevance of judged items, at least one above 0.
        k: At least 1.

    Returns:
        A number in [0, 1]; 1 only if `k` is at least R.

    References:
        C. D. Manning, P. Raghavan, H. Schütze (2008), Introduction to Information Retrieval,
        section 8.3.

    Examples:
        >>> recall_at_k(["a", "b", "c"], {"b": 3, "x": 1}, 4)
        0.5
    """
    relevant = sum(grade > 0 for grade in grades.values())
    return sum(grades.get(one, 0) > 0 for one in ranking[:k]) / relevant


@ready_made(revision="1", requires=("output",), acceptance=("threshold",), guide=RANKED)
def recall(sample: Sample, *, cutoff: Cutoff, threshold: Threshold = None) -> Scored:
    """The share of all relevant items that stand in the first `cutoff` places, as a score.

    Args:
        sample: Its output is the ranking, its expected value the judgments.
        cutoff: How many places are looked at.
        threshold: The least score that passes; without one nothing is decided.
    """
    return scored(recall_at_k, sample, cutoff, threshold)
