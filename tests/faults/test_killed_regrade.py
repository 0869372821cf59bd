"""A regrade is killed at one step after the other, and continued: no target call, no grade lost."""

import random

from amount import FIRST_SEED, KILLS
from disturbed import Disturbed, comparable
from fault_table import FaultTable

_KILLS = max(2, KILLS // 20)
_LATEST_STEP = 18


def test_a_killed_regrade_gives_the_report_of_an_undisturbed_one(
    copy: Disturbed, other_copy: Disturbed, table: FaultTable
) -> None:
    """The same command again goes on with it; what it had computed is not computed again."""
    chance = random.Random(FIRST_SEED)  # noqa: S311 - a seed that can be repeated is wanted
    whole = other_copy.start(*other_copy.regrading())
    assert whole.wait() in {0, 1, 3}, whole.said()
    called, kills = copy.calls(), 0
    for _ in range(_KILLS):
        fault = chance.choice(["kill", "killed"])
        step = chance.randint(1, _LATEST_STEP)
        kills += copy.start(*copy.regrading(), fault=f"{fault}={step}").wait() == -9
    before = copy.graded("short")
    last = copy.start(*copy.regrading())
    assert last.wait() in {0, 1, 3}, last.said()
    assert copy.calls() == called
    assert comparable(copy.show()) == comparable(other_copy.show())
    receipts = len(copy.durable().receipts)
    graded_now = [line for line in copy.lines("regraded") if int(line[0]) == last.pid]
    assert len(graded_now) == receipts - before
    table.add("regrade killed", kills=kills, acknowledged=receipts, lost=0, repeated=0)
