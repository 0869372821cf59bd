"""How well a ranked list puts what is relevant first, at a cutoff.

The output of the execution is the ranking: a list of identities, best first, possibly empty. The
expected value of the case is the judgments: a mapping from identity to grade, or a list of the
relevant identities, or a list of objects with `identity` and `relevance`. A ranked item without a
judgment counts as not relevant; a judged one that is missing lowers recall, average precision and
nDCG. The ranking is a strict order: ties are broken by whoever made it.
"""

from assay.evaluators.ranking.average_precision import average_precision, average_precision_at_k
from assay.evaluators.ranking.invalid_sample import InvalidSample
from assay.evaluators.ranking.judged_ranking import JudgedRanking
from assay.evaluators.ranking.judgment import Judgment
from assay.evaluators.ranking.ndcg import ndcg, ndcg_at_k
from assay.evaluators.ranking.precision import precision, precision_at_k
from assay.evaluators.ranking.recall import recall, recall_at_k
from assay.evaluators.ranking.reciprocal_rank import reciprocal_rank, reciprocal_rank_at_k

__all__ = [
    "InvalidSample",
    "JudgedRanking",
    "Judgment",
    "average_precision",
    "average_precision_at_k",
    "ndcg",
    "ndcg_at_k",
    "precision",
    "precision_at_k",
    "recall",
    "recall_at_k",
    "reciprocal_rank",
    "reciprocal_rank_at_k",
]
