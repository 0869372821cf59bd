"""The chance that one of k repeats passes."""

from math import comb

from assay.evaluators.statistics.repeats import Repeats
from assay.evaluators.statistics.undefined import Undefined


def pass_at_k(repeats: Repeats, k: int) -> float | Undefined:
    """pass@k, the chance that at least one of k repeats of a case passes: 1 - C(n-c, k) / C(n, k).

    n is the number of graded repeats, c that of passed ones; it is unbiased. Average it over
    cases, never over repeats.

    Args:
        repeats: Of one case; unknown ones are not part of n.
        k: At least 1.

    Returns:
        A number in [0, 1], 0 if nothing passed; `Undefined` where fewer than k repeats are graded.

    Raises:
        ValueError: when `k` is below 1.

    References:
        M. Chen et al. (2021), Evaluating large language models trained on code, equation 1.

    Examples:
        >>> pass_at_k(Repeats(passed=3, failed=7), 1)
        0.3
        >>> pass_at_k(Repeats(passed=0, failed=2), 5)
        Undefined(reason='k = 5 needs at least 5 graded repeats of a case, got 2')
    """
    undefined = repeats.too_few_for(k)
    if undefined is not None:
        return undefined
    total = comb(repeats.graded, k)
    # In integers, because they are exact where a product of many quotients is not.
    return (total - comb(repeats.failed, k)) / total
