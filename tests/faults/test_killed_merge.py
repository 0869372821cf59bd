"""Merging part files is killed at one step after the other: every row stays, and none doubles."""

import random

from disturbed import Disturbed, comparable
from fault_table import FaultTable

_LATEST_STEP = 20
_KILLS = 4


def test_a_merge_that_is_killed_loses_and_doubles_nothing(
    seed: int, copy: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """A merged file appears before the parts go that it holds, and readers see either."""
    chance = random.Random(seed)  # noqa: S311 - a seed that can be repeated is wanted
    before, kills = copy.durable(), 0
    for _ in range(_KILLS):
        fault = chance.choice(["kill", "killed"])
        step = chance.randint(1, _LATEST_STEP)
        kills += copy.start("merge", copy.run_id, fault=f"{fault}={step}").wait() == -9
        assert copy.durable() == before
    assert copy.start("merge", copy.run_id).wait() == 0
    assert copy.durable() == before
    assert comparable(copy.show()) == undisturbed
    known = len(before.receipts)
    table.add("merge killed", kills=kills, acknowledged=known, lost=0, repeated=0)
