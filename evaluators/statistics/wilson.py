"""The Wilson score interval of a proportion."""

import math
from statistics import NormalDist


def wilson_interval(
    successes: int, trials: int, *, confidence: float = 0.95
) -> tuple[float, float] | None:
    """The Wilson score interval of a binomial proportion, or None where there are no trials.

    Args:
        successes: Between 0 and `trials`.
        trials: Independent ones; repeats of one case are not.
        confidence: The two-sided level, in (0, 1).

    Returns:
        Lower and upper limit in [0, 1], without continuity correction. The limit is exactly 0 when
        nothing succeeded, and exactly 1 when everything did.

    Raises:
        ValueError: when an argument is out of its range.

    References:
        E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference;
        R. G. Newcombe (1998), method 3.

    Examples:
        >>> low, high = wilson_interval(81, 263)
        >>> round(low, 4), round(high, 4)
        (0.2553, 0.3662)
    """
    if not 0 <= successes <= trials:
        msg = f"expected successes between 0 and {trials} trials, got {successes}"
        raise ValueError(msg)
    if not 0 < confidence < 1:
        msg = f"expected a confidence between 0 and 1, got {confidence}"
        raise ValueError(msg)
    if not trials:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    proportion = successes / trials
    shrink = z * z / trials
    centre = proportion + shrink / 2
    margin = z * math.sqrt((proportion * (1 - proportion) + shrink / 4) / trials)
    low = 0.0 if successes == 0 else max(0.0, (centre - margin) / (1 + shrink))
    high = 1.0 if successes == trials else min(1.0, (centre + margin) / (1 + shrink))
    return low, high
