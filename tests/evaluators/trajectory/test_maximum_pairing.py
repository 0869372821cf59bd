"""The greatest one-to-one pairing."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.trajectory import maximum_pairing

EDGES = st.lists(st.lists(st.integers(0, 4), max_size=4, unique=True), max_size=5)


@pytest.mark.parametrize(
    ("edges", "pairs"),
    [([], 0), ([[]], 0), ([[0]], 1), ([[0], [0]], 1), ([[0, 1], [0]], 2), ([[0, 1], [0], [1]], 2)],
)
def test_small_pairings_are_known(edges: list[list[int]], pairs: int) -> None:
    """Nothing, one too few, and the one where greedy pairing loses."""
    assert sum(one is not None for one in maximum_pairing(edges)) == pairs


@settings(max_examples=50)
@given(EDGES)
def test_no_other_pairing_has_more_pairs(edges: list[list[int]]) -> None:
    """Against trying every assignment."""
    found = maximum_pairing(edges)
    used = [right for right in found if right is not None]
    assert len(set(used)) == len(used)
    assert all(right is None or right in edges[left] for left, right in enumerate(found))
    most = max(
        sum(right in edges[left] for left, right in enumerate(order))
        for order in itertools.permutations(range(5), len(edges))
    )
    assert len(used) == most
