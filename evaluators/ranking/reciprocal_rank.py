"""The reciprocal rank of the first relevant item."""

from collections.abc import Mapping, Sequence

from assay.evaluators.ranking.measure import RANKED, Cutoff, Threshold, scored
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample


def reciprocal_rank_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """1 / (place of the first relevant item, from 1), or 0 if the first `k` places have none.

    trec_eval's `recip_rank` is this without a cutoff.

    Args:
        ranking: Identities, best first; may be empty, which gives 0.
        grades: Relevance of judged items; above 0 is relevant, unjudged is not.
        k: At least 1.

    Returns:
        0, or a number in [1/k, 1].

    References:
        E. M. Voorhees (1999), The TREC-8 Question Answering Track Report.

    Examples:
        >>> reciprocal_rank_at_k(["a", "b", "c"], {"b": 3, "x": 1}, 4)
        0.5
    """
    places = (place for place, one in enumerate(ranking[:k], 1) if grades.get(one, 0) > 0)
    first = next(places, None)
    return 0.0 if first is None else 1 / first


@ready_made(revision="1", requires=("output",), acceptance=("threshold",), guide=RANKED)
def reciprocal_rank(sample: Sample, *, cutoff: Cutoff, threshold: Threshold = None) -> Scored:
    """One divided by the place of the first relevant item, 0 without one, as a score.

    Args:
        sample: Its output is the ranking, its expected value the judgments.
        cutoff: How many places are looked at.
        threshold: The least score that passes; without one nothing is decided.
    """
    return scored(reciprocal_rank_at_k, sample, cutoff, threshold)
