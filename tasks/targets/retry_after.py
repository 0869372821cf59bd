"""Reads how long a server asks its clients to wait."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")


def seconds_to_wait(header: str, *, now: datetime | None = None) -> float | None:
    """Seconds that a `Retry-After` header asks for, from now, or None where it asks for nothing.

    Args:
        header: Seconds, or an HTTP date; a date that has passed is 0 seconds.
        now: UTC; the clock's time by default.

    Examples:
        >>> seconds_to_wait("2"), seconds_to_wait("soon")
        (2.0, None)
    """
    text = header.strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
