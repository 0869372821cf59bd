"""The Prefect server of those who have none: a process of its own that ends with this one.

Prefect would start one by itself, but in this process's group, where Ctrl-C ends it before the
last trials are recorded; and it starts one that cannot start again and again, for ever.
"""

import atexit
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import BinaryIO

import httpx

from assay.evaluators.errors import InputError

_LOOK_EVERY_SECONDS = 0.1
_END_SECONDS = 5.0
_LOG_TAIL_BYTES = 20_000
_LONGEST_REASON = 200
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception)\b.*")


class EmbeddedServer:
    """A Prefect server that has started and answers.

    It has a session of its own, so that a terminal's Ctrl-C does not reach it, and is terminated
    when the interpreter exits, after Prefect has sent what it still holds.

    Args:
        environ: The environment of its process, with the settings that it is to have.
        limit_seconds: How long it may take to answer.

    Raises:
        InputError: when it ends at start-up or does not answer; with the last line of its log.
    """

    def __init__(self, environ: Mapping[str, str], *, limit_seconds: float) -> None:
        self._log: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server
        self._port = _free_port()
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter and a module of ours
            [
                sys.executable,
                "-P",
                "-m",
                "assay.tasks.embedded_api",
                str(self._port),
                str(os.getpid()),
            ],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            env=dict(environ),
            start_new_session=True,
        )
        atexit.register(self.stop)
        self._await_answer(limit_seconds)

    @property
    def api_url(self) -> str:
        """The address for Prefect's settings."""
        return f"http://127.0.0.1:{self._port}/api"

    @property
    def process_id(self) -> int:
        """The id of its process."""
        return self._process.pid

    def stop(self) -> None:
        """End the server; stopping twice is fine."""
        self._process.terminate()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def _await_answer(self, limit_seconds: float) -> None:
        ends_at = time.monotonic() + limit_seconds
        with httpx.Client(trust_env=False) as client:
            while not self._answers(client):
                if self._process.poll() is not None:
                    raise self._refusal("ended when it started")
                if time.monotonic() > ends_at:
                    raise self._refusal(f"gave no answer within {limit_seconds:g} s")
                time.sleep(_LOOK_EVERY_SECONDS)

    def _answers(self, client: httpx.Client) -> bool:
        try:
            return client.get(f"{self.api_url}/health").is_success
        except httpx.TransportError:
            return False

    def _refusal(self, what: str) -> InputError:
        said = self._last_words()
        reason = f" and said {said!r}" if said else ""
        self.stop()
        msg = (
            f"expected Prefect's embedded server to answer, but it {what}{reason}; set "
            "PREFECT_API_URL to a running server, or PREFECT_HOME to a folder that can be written"
        )
        return InputError(msg, place="prefect", kind="prefect")

    def _last_words(self) -> str:
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - _LOG_TAIL_BYTES))
        lines = self._log.read().decode("utf-8", "replace").splitlines()
        errors = [line for line in lines if _EXCEPTION.fullmatch(line)]
        return errors[-1][:_LONGEST_REASON] if errors else ""


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port
