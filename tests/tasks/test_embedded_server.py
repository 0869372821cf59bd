"""The embedded Prefect server ends with whoever started it, and says why it cannot start."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.embedded_server import EmbeddedServer

PROGRAM = """
import os
from assay.tasks.embedded_server import EmbeddedServer
server = EmbeddedServer(os.environ, limit_seconds=120)
assert os.getpgid(server.process_id) != os.getpgid(0), "Ctrl-C in our terminal must not reach it"
print(server.process_id, flush=True)
os._exit(0)
"""


def lives(process_id: int) -> bool:
    """True while there is such a process that has not ended."""
    try:
        status = Path(f"/proc/{process_id}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux does")
def test_a_server_ends_with_a_process_that_was_killed(tmp_path: Path) -> None:
    """Nobody would ever find out which of twenty idle servers is still needed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PREFECT_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    process_id = int(done.stdout)
    ends_at = time.monotonic() + 60
    while lives(process_id) and time.monotonic() < ends_at:
        time.sleep(0.1)
    assert not lives(process_id)


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    """Prefect itself would start it again and again, for ever."""
    (tmp_path / "file").touch()
    environ = {**os.environ, "PREFECT_HOME": str(tmp_path / "file" / "home")}
    with pytest.raises(InputError, match=r"ended when it started and said .*OperationalError"):
        EmbeddedServer(environ, limit_seconds=120)


def test_a_server_that_is_late_is_given_up(tmp_path: Path) -> None:
    """A machine that cannot start it in minutes will not run the experiment either."""
    environ = {**os.environ, "PREFECT_HOME": str(tmp_path)}
    with pytest.raises(InputError, match=r"gave no answer within 0 s"):
        EmbeddedServer(environ, limit_seconds=0)
