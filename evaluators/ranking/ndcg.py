"""Normalised discounted cumulative gain at a cutoff."""

import math
from collections.abc import Iterable, Mapping, Sequence

from assay.evaluators.ranking.measure import RANKED, Cutoff, Threshold, scored
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample


def ndcg_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Discounted cumulative gain of the first `k` places, divided by that of the ideal order.

    DCG = Σ grade(i) / log2(i + 1) over places i from 1 to `k`. The gain is the grade itself
    (linear, as in trec_eval's `ndcg_cut_k`; not 2^grade - 1). The ideal order has all relevant
    items by falling grade, ranked or not. An unjudged item gains nothing.

    Args:
        ranking: Identities, best first; may be empty, which gives 0.
        grades: Relevance of judged items, finite, at least one above 0; only ratios matter.
        k: At least 1.

    Returns:
        A number in [0, 1].

    References:
        K. Järvelin, J. Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques, with
        the discount log2(i + 1) of trec_eval.

    Examples:
        >>> round(ndcg_at_k(["missing", "a"], {"a": 1}, 2), 6)
        0.63093
    """
    # Divided by the greatest grade first, so that neither the greatest nor the smallest floats
    # leave their range.
    top = max(grades.values())
    gains = (max(grades.get(one, 0.0), 0.0) / top for one in ranking[:k])
    ideal = sorted((grade / top for grade in grades.values() if grade > 0), reverse=True)
    return min(1.0, _discounted(gains) / _discounted(ideal[:k]))


def _discounted(gains: Iterable[float]) -> float:
    return math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(gains, 1))


@ready_made(revision="1", requires=("output",), acceptance=("threshold",), guide=RANKED)
def ndcg(sample: Sample, *, cutoff: Cutoff, threshold: Threshold = None) -> Scored:
    """The discounted gain of the first `cutoff` places against that of the ideal order, as a score.

    Args:
        sample: Its output is the ranking, its expected value the judgments.
        cutoff: How many places are looked at.
        threshold: The least score that passes; without one nothing is decided.
    """
    return scored(ndcg_at_k, sample, cutoff, threshold)
