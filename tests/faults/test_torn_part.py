"""A part file that is not what was written: it is named, and never silently left out."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from disturbed import Disturbed, comparable, wait_until
from fault_table import FaultTable

from assay.tasks.find_grading import find_grading
from assay.tasks.run_report import report_run
from assay.tasks.store import Store, StoreError, open_store

_ENOUGH = 20
_DAMAGES = 30


def _cut(part: Path, chance: random.Random) -> None:
    content = part.read_bytes()
    part.write_bytes(content[: -chance.randint(1, len(content) - 1)])


def _flip(part: Path, chance: random.Random) -> None:
    content = bytearray(part.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    part.write_bytes(content)


def test_a_torn_part_is_named_and_its_trials_are_repeated_once_it_is_gone(
    disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """Resuming does not take a part that it cannot read for trials that never ran."""
    command = disturbed.begin()
    wait_until(lambda: len(disturbed.acknowledged()) >= _ENOUGH, command)
    command.kill()
    repeated = disturbed.account_for(command, disturbed.nothing)
    before = disturbed.durable()
    part = max((Path(disturbed.store) / "runs").rglob("executions/part-*"))
    whole = part.read_bytes()
    _cut(part, random.Random(1))  # noqa: S311 - a seed that can be repeated is wanted
    for refused in (disturbed.go_on(), disturbed.start("show", disturbed.run_id)):
        assert refused.wait() == 2
        assert part.name in refused.said()
        assert "Traceback" not in refused.said()
        assert not disturbed.calls(refused.pid)
    part.write_bytes(whole)
    assert disturbed.durable() == before
    known = len(disturbed.acknowledged())
    table.add("torn part, restored", kills=1, acknowledged=known, lost=0, repeated=repeated)
    part.unlink()
    gone = before.ended - disturbed.durable().ended
    assert gone
    assert comparable(disturbed.finish(known_loss=gone)) == undisturbed


@pytest.mark.parametrize("damage", [_cut, _flip])
def test_damage_is_named_or_changes_nothing(
    damage: Callable[[Path, random.Random], None],
    seed: int,
    copy: Disturbed,
    undisturbed: str,
) -> None:
    """Whatever byte of whatever part: one sentence with its name, or the same numbers."""
    chance = random.Random(seed)  # noqa: S311 - a seed that can be repeated is wanted
    store = open_store(copy.store)
    parts = sorted((Path(copy.store) / "runs").rglob("*-*.parquet"))
    for _ in range(_DAMAGES):
        part = chance.choice(parts)
        whole = part.read_bytes()
        damage(part, chance)
        said = _report(store, copy.run_id)
        assert said == undisturbed or part.name in said
        part.write_bytes(whole)


def _report(store: Store, run_id: str) -> str:
    """The report, or why there is none."""
    try:
        return comparable(report_run(*find_grading(store, run_id)).payload())
    except StoreError as error:
        return str(error)
