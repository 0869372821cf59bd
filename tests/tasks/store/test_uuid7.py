"""Names that sort by time."""

from uuid import RFC_4122, UUID

from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.store.uuid7 import uuid7

_MOMENTS = st.integers(0, 2**48 * 10**6 - 1)


def test_the_layout_is_that_of_the_standard() -> None:
    """The example of RFC 9562 A.6: other tools can read the time of a part from its name."""
    bits = 0x2E4F8B0A1CDE3F42 & ((1 << 62) - 1)
    made = UUID(uuid7(clock=lambda: 0x017F22E279B0 * 10**6, random_bits=lambda _: bits))
    assert made.version == 7
    assert made.variant == RFC_4122
    assert made.int >> 80 == 0x017F22E279B0
    assert made.int & ((1 << 62) - 1) == bits


@given(_MOMENTS, _MOMENTS)
def test_order_is_the_order_of_time(one: int, other: int) -> None:
    """A listing of parts is then a listing in time; below a quarter microsecond it may not be."""
    first, second = sorted((one, other))
    early = uuid7(clock=lambda: first, random_bits=lambda _: 0)
    late = uuid7(clock=lambda: second, random_bits=lambda _: 0)
    assert early <= late
    if second - first >= 245:
        assert early < late


def test_names_of_one_moment_differ() -> None:
    """Two processes that write in the same instant must not meet."""
    assert len({uuid7(clock=lambda: 1) for _ in range(1000)}) == 1000
