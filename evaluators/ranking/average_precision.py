"""Average precision at a cutoff."""

import math
from collections.abc import Mapping, Sequence

from assay.evaluators.ranking.measure import RANKED, Cutoff, Threshold, scored
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample


def average_precision_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """The mean of the precisions at the places of relevant items: Σ (hits up to i) / i / min(R, k).

    The sum goes over the places i of relevant items among the first `k`; one that is not there
    adds 0. R is the number of relevant items. Because of the minimum a perfect ranking scores 1 at
    every cutoff; trec_eval's `map_cut_k` divides by R, so that the two differ where R exceeds `k`.

    Args:
        ranking: Identities, best first; may be empty, which gives 0.
        grades: Relevance of judged items, at least one above 0.
        k: At least 1.

    Returns:
        A number in [0, 1].

    References:
        C. D. Manning, P. Raghavan, H. Schütze (2008), Introduction to Information Retrieval,
        equation 8.8, with the denominator capped by the cutoff.

    Examples:
        >>> average_precision_at_k(["b", "a", "x"], {"b": 3, "x": 1}, 4)
        0.8333333333333333
    """
    hits = [place for place, one in enumerate(ranking[:k], 1) if grades.get(one, 0) > 0]
    relevant = sum(grade > 0 for grade in grades.values())
    return math.fsum(count / place for count, place in enumerate(hits, 1)) / min(relevant, k)


@ready_made(revision="1", requires=("output",), acceptance=("threshold",), guide=RANKED)
def average_precision(sample: Sample, *, cutoff: Cutoff, threshold: Threshold = None) -> Scored:
    """The mean of the precisions at the places of relevant items, as a score.

    Args:
        sample: Its output is the ranking, its expected value the judgments.
        cutoff: How many places are looked at; also the most relevant items that are divided by.
        threshold: The least score that passes; without one nothing is decided.
    """
    return scored(average_precision_at_k, sample, cutoff, threshold)
