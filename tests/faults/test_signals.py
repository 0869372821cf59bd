"""A run that is asked to end, or whose terminal is closed, says how to go on and keeps all."""

import os
import signal
import sys
from pathlib import Path

import pytest
from disturbed import Disturbed, comparable, wait_until
from fault_table import FaultTable

_ENOUGH = 10
_IN_A_TERMINAL = "import pty, sys; pty.spawn(sys.argv[1:])"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_asked_to_end_says_how_to_go_on(
    number: signal.Signals, disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """Exit code 4 and one sentence, as for Ctrl-C; what has returned is kept."""
    command = disturbed.begin()
    wait_until(lambda: len(disturbed.acknowledged()) >= _ENOUGH, command)
    os.kill(command.pid, number)
    assert command.wait() == 4, command.said()
    assert f"assay resume {disturbed.run_id}" in command.said()
    repeated = disturbed.account_for(command, before=disturbed.nothing)
    known = len(disturbed.acknowledged())
    assert comparable(disturbed.finish()) == undisturbed
    table.add(number.name, kills=1, acknowledged=known, lost=0, repeated=repeated)


def test_closing_the_terminal_ends_the_run_and_loses_nothing(
    disturbed: Disturbed, undisturbed: str, table: FaultTable
) -> None:
    """The terminal, and with it every place to print to, is gone while trials are in flight."""
    program = disturbed.program(*disturbed.beginning())
    terminal = disturbed.started([sys.executable, "-c", _IN_A_TERMINAL, *program])
    wait_until(lambda: len(disturbed.acknowledged()) >= _ENOUGH, terminal)
    pid = int(disturbed.lines("called")[0][0])
    terminal.kill()
    assert wait_until(lambda: _has_ended(pid))
    known = len(disturbed.acknowledged())
    assert disturbed.acknowledged() <= disturbed.durable().receipts
    calls, ended = disturbed.calls(), len(disturbed.durable().ended)
    assert comparable(disturbed.finish()) == undisturbed
    repeated = max(0, calls.total() - calls["c03"] - ended)
    table.add("closed terminal", kills=1, acknowledged=known, lost=0, repeated=repeated)


def _has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
