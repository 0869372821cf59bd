"""A Prefect server that a test may kill."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

_PATIENCE_SECONDS = 300.0


class PrefectServer:
    """A server in a process of its own, with a database of its own.

    Args:
        home: Its folder.
    """

    def __init__(self, home: Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/api"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "assay.tasks.embedded_api", str(port), str(os.getpid())],
            env={**os.environ, "PREFECT_HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        ends_at = time.monotonic() + _PATIENCE_SECONDS
        while not self._answers():
            assert time.monotonic() < ends_at, "the server does not start"
            assert self._process.poll() is None, "the server has ended"
            time.sleep(0.1)

    def kill(self) -> None:
        """End it by SIGKILL; killing twice is fine."""
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health", trust_env=False).is_success
        except httpx.TransportError:
            return False
