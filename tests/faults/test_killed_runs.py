"""SIGKILL, at any moment, again and again: nothing that was acknowledged is lost."""

import random
import time

from amount import KILLS_A_RUN
from disturbed import Command, Disturbed, comparable, wait_until
from fault_table import FaultTable

_LATEST_STEP = 24
_MOST_CALLS = 8
_LONGEST_DELAY_SECONDS = 0.15
_LATEST_START_SECONDS = 4.0


def _while_it_starts(run: Disturbed, chance: random.Random) -> Command:
    command = run.go_on()
    time.sleep(chance.uniform(0, _LATEST_START_SECONDS))
    command.kill()
    return command


def _while_it_works(run: Disturbed, chance: random.Random) -> Command:
    command, calls = run.go_on(), chance.randint(1, _MOST_CALLS)
    wait_until(lambda: run.calls(command.pid).total() >= calls, command)
    time.sleep(chance.uniform(0, _LONGEST_DELAY_SECONDS))
    command.kill()
    return command


def _while_it_commits(run: Disturbed, chance: random.Random) -> Command:
    fault = chance.choice(["kill", "killed"])
    command = run.go_on(f"{fault}={chance.randint(1, _LATEST_STEP)}")
    command.wait()
    return command


_KILLS = (_while_it_commits, _while_it_works, _while_it_commits, _while_it_works, _while_it_starts)


def test_a_killed_run_gives_the_report_of_an_undisturbed_one(
    seed: int, disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """Promises 1, 2 and 3, whatever the moment: killed five times and then resumed to its end."""
    chance = random.Random(seed)  # noqa: S311 - a seed that can be repeated is wanted
    kills = known = repeated = number = 0
    story = ""
    while kills < KILLS_A_RUN:
        number += 1
        disturbed.run_id = f"run-{number}"
        for kill in chance.sample(_KILLS, KILLS_A_RUN):
            before = disturbed.durable()
            command = kill(disturbed, chance)
            repeated += disturbed.account_for(command, before)
            killed = command.wait() == -9
            kills += killed
            story += f"\n{disturbed.run_id}: {kill.__name__}, {len(disturbed.durable().ended)} kept"
            if not killed or kills == KILLS_A_RUN:
                break
        known += len(disturbed.acknowledged() | disturbed.returned())
        assert comparable(disturbed.finish()) == undisturbed, story
    table.add("SIGKILL", kills=kills, acknowledged=known, lost=0, repeated=repeated)
