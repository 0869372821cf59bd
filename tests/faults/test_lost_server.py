"""The Prefect server dies while trials run: no number changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from disturbed import Disturbed, comparable, wait_until
from fault_table import FaultTable
from prefect_server import PrefectServer

_AT_ONCE = {"PREFECT_CLIENT_MAX_RETRIES": "0"}  # the server will not come again


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PrefectServer]:
    """A server of this test's own."""
    one = PrefectServer(tmp_path / "prefect")
    yield one
    one.kill()


def test_a_run_whose_server_dies_ends_with_every_trial(
    server: PrefectServer, tmp_path: Path, undisturbed: str, table: FaultTable
) -> None:
    """Fault B28: Prefect is the monitor, the store is the ledger; the run finishes without it."""
    run = Disturbed(tmp_path / "run", server.url, environ=_AT_ONCE)
    command = run.begin()
    wait_until(lambda: len(run.acknowledged()) >= 30, command)
    server.kill()
    code = command.wait()
    known = len(run.acknowledged())
    repeated = run.account_for(command, before=run.nothing)
    assert code == 0, command.said()
    assert "Traceback" not in command.said()
    assert repeated == 0
    assert comparable(command.payload()) == undisturbed
    table.add("Prefect server killed", kills=1, acknowledged=known, lost=0, repeated=repeated)
