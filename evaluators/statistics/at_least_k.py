"""Whether enough repeats passed."""

from typing import Literal

from assay.evaluators.statistics.repeats import Repeats
from assay.evaluators.statistics.undefined import Undefined


def at_least_k(repeats: Repeats, k: int) -> Literal["pass", "fail"] | Undefined:
    """`pass` if at least k of the planned repeats passed, `fail` if that can no longer happen.

    Args:
        repeats: Of one case.
        k: At least 1.

    Returns:
        A verdict that no unknown repeat could change; `Undefined` where one could, or where fewer
        than k repeats were planned.

    Raises:
        ValueError: when `k` is below 1.

    Examples:
        >>> at_least_k(Repeats(passed=2, failed=1, unknown=1), 2)
        'pass'
        >>> at_least_k(Repeats(passed=1, failed=1, unknown=1), 2)
        Undefined(reason='1 repeats without a verdict could go either way')
    """
    if k < 1:
        msg = f"expected k to be at least 1, got {k}"
        raise ValueError(msg)
    if k > repeats.planned:
        return Undefined(f"k = {k} needs at least {k} planned repeats, got {repeats.planned}")
    if repeats.passed >= k:
        return "pass"
    if repeats.passed + repeats.unknown < k:
        return "fail"
    return Undefined(f"{repeats.unknown} repeats without a verdict could go either way")
