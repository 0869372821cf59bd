"""How long a server asks its clients to wait."""

from datetime import UTC, datetime

import pytest

from assay.tasks.targets.retry_after import seconds_to_wait

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 13:00:30 +0100", 30.0),
        ("Mon, 30 Nov 2026 11:59:00 GMT", 0.0),
        ("", None),
        ("-3", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("9" * 400, None),
        ("Mon, 99 Nov 2026 12:00:30 GMT", None),
    ],
)
def test_seconds_and_dates_are_read_and_nothing_else(header: str, seconds: float | None) -> None:
    """RFC 9110 10.2.3 knows both forms; a wait that is made up would stall a run for nothing."""
    assert seconds_to_wait(header, now=NOW) == seconds
