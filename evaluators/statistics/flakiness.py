"""How much the repeats of a case disagree."""

from assay.evaluators.statistics.repeats import Repeats
from assay.evaluators.statistics.undefined import Undefined


def flakiness(repeats: Repeats) -> float | Undefined:
    """The chance that two repeats of a case disagree: 2 c (n - c) / (n (n - 1)).

    n is the number of graded repeats, c that of passed ones. A case is called flaky where this is
    above 0, that is, where some of its repeats passed and some failed.

    Args:
        repeats: Of one case; unknown ones are not part of n.

    Returns:
        0 where all agree; at most n / (2 (n - 1)), which falls from 1 for two repeats towards 1/2;
        `Undefined` where fewer than two repeats are graded, which cannot disagree.

    References:
        The unbiased estimate of 2 p (1 - p), the Gini-Simpson index of a verdict; E. H. Simpson
        (1949), Measurement of diversity.

    Examples:
        >>> flakiness(Repeats(passed=3, failed=1)), flakiness(Repeats(passed=4, failed=0))
        (0.5, 0.0)
    """
    n = repeats.graded
    if n < 2:  # noqa: PLR2004 - it takes two to disagree
        return Undefined(f"it takes two graded repeats to disagree, got {n}")
    return 2 * repeats.passed * repeats.failed / (n * (n - 1))
