"""A pairing of two sides that leaves as few as possible alone."""

from collections import deque
from collections.abc import Sequence


def maximum_pairing(edges: Sequence[Sequence[int]]) -> list[int | None]:
    """For every left place the right place that it is paired with, or None.

    No other one-to-one pairing has more pairs. Taking for each left place the first right place
    that is free would not do: a later one may fit nowhere else.

    Args:
        edges: For every left place the right places that it may be paired with.

    References:
        C. Berge (1957), Two theorems in graph theory: a pairing is greatest if and only if no
        augmenting path is left. Found breadth first, O(places x edges).

    Examples:
        >>> maximum_pairing([[0, 1], [0]])
        [1, 0]
    """
    chosen: list[int | None] = [None] * len(edges)
    owner: dict[int, int] = {}
    for left in range(len(edges)):
        _augment(left, edges, chosen, owner)
    return chosen


def _augment(
    start: int, edges: Sequence[Sequence[int]], chosen: list[int | None], owner: dict[int, int]
) -> None:
    reached_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        left = waiting.popleft()
        for right in edges[left]:
            if right in reached_from:
                continue
            reached_from[right] = left
            if right not in owner:
                _flip(right, reached_from, chosen, owner)
                return
            waiting.append(owner[right])


def _flip(
    end: int, reached_from: dict[int, int], chosen: list[int | None], owner: dict[int, int]
) -> None:
    right: int | None = end
    while right is not None:
        left = reached_from[right]
        owner[right], chosen[left], right = left, right, chosen[left]
