"""How long to wait before a trial is tried again."""

from assay.tasks.experiment_settings import RetrySettings

_LONGEST_SECONDS = 300.0


def backoff_seconds(retries: RetrySettings, attempt: int) -> float:
    """The wait after the failed attempt of that number: it doubles from one to the next.

    Args:
        retries: The experiment's settings.
        attempt: From 1.

    Examples:
        >>> [backoff_seconds(RetrySettings(), attempt) for attempt in (1, 2, 3, 99)]
        [1.0, 2.0, 4.0, 300.0]
    """
    if not retries.backoff_seconds:
        return 0.0
    # Beyond some doublings a float would overflow, long after the limit is reached.
    return min(retries.backoff_seconds * 2.0 ** min(attempt - 1, 60), _LONGEST_SECONDS)
