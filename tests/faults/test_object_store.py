"""An object store that fails every third PUT, before or after doing it."""

from pathlib import Path

import flaky_store
from disturbed import Disturbed, comparable
from fault_table import FaultTable


def test_a_store_that_fails_every_third_put_loses_nothing(
    tmp_path: Path, api_url: str, undisturbed: str, table: FaultTable
) -> None:
    """A PUT is tried again, and one whose answer was lost is no second file of that name."""
    flaky_store.register()
    run = Disturbed(tmp_path / "run", api_url, store=f"flaky://{tmp_path}/store")
    command = run.begin("flaky")
    assert command.wait() in {0, 1, 3}, command.said()
    repeated = run.account_for(command, run.nothing)
    assert comparable(command.payload()) == undisturbed
    known = len(run.acknowledged() | run.returned())
    table.add("every third PUT fails", kills=1, acknowledged=known, lost=0, repeated=repeated)
