"""The chance that all of k repeats pass."""

from math import comb

from assay.evaluators.statistics.repeats import Repeats
from assay.evaluators.statistics.undefined import Undefined


def pass_hat_k(repeats: Repeats, k: int) -> float | Undefined:
    """pass^k, the chance that k repeats of a case all pass: C(c, k) / C(n, k).

    n is the number of graded repeats, c that of passed ones; it is unbiased. Average it over
    cases, never over repeats.

    Args:
        repeats: Of one case; unknown ones are not part of n.
        k: At least 1.

    Returns:
        A number in [0, 1], 0 if fewer than k passed; `Undefined` where fewer than k repeats are
        graded.

    Raises:
        ValueError: when `k` is below 1.

    References:
        S. Yao et al. (2024), tau-bench: a benchmark for tool-agent-user interaction in real-world
        domains, section 3.

    Examples:
        >>> pass_hat_k(Repeats(passed=3, failed=1), 2)
        0.5
    """
    undefined = repeats.too_few_for(k)
    if undefined is not None:
        return undefined
    return comb(repeats.passed, k) / comb(repeats.graded, k)
