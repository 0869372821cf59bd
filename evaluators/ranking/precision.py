"""Precision at a cutoff."""

from collections.abc import Mapping, Sequence

from assay.evaluators.ranking.measure import RANKED, Cutoff, Threshold, scored
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample


def precision_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """The share of the first `k` places that hold a relevant item: hits / k.

    The denominator is `k` also where fewer items are ranked, as in trec_eval's `P_k`.

    Args:
        ranking: Identities, best first; may be empty, which gives 0.
        grades: Relevance of judged items; above 0 is relevant, unjudged is not.
        k: At least 1.

    Returns:
        A number in [0, 1].

    References:
        C. D. Manning, P. Raghavan, H. Schütze (2008), Introduction to Information Retrieval,
        section 8.4.

    Examples:
        >>> precision_at_k(["a", "b", "c"], {"b": 3, "x": 1}, 4)
        0.25
    """
    return sum(grades.get(one, 0) > 0 for one in ranking[:k]) / k


@ready_made(revision="1", requires=("output",), acceptance=("threshold",), guide=RANKED)
def precision(sample: Sample, *, cutoff: Cutoff, threshold: Threshold = None) -> Scored:
    """The share of the first `cutoff` places that hold a relevant item, as a score.

    Args:
        sample: Its output is the ranking, its expected value the judgments.
        cutoff: How many places are looked at; also the denominator where fewer items are ranked.
        threshold: The least score that passes; without one nothing is decided.
    """
    return scored(precision_at_k, sample, cutoff, threshold)
