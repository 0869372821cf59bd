"""What most repeats say."""

from typing import Literal

from assay.evaluators.statistics.at_least_k import at_least_k
from assay.evaluators.statistics.repeats import Repeats
from assay.evaluators.statistics.undefined import Undefined


def majority(repeats: Repeats) -> Literal["pass", "fail"] | Undefined:
    """`pass` if more than half of the planned repeats passed, `fail` if that cannot happen.

    A tie is no majority and fails.

    Args:
        repeats: Of one case.

    Returns:
        A verdict that no unknown repeat could change; `Undefined` where one could, or where no
        repeat was planned.

    Examples:
        >>> majority(Repeats(passed=2, failed=1)), majority(Repeats(passed=2, failed=2))
        ('pass', 'fail')
    """
    if not repeats.planned:
        return Undefined("no repeat was planned")
    return at_least_k(repeats, repeats.planned // 2 + 1)
