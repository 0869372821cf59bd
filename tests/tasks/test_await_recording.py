"""Waiting for Prefect's record, never for ever."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_CLIENT_CSRF_SUPPORT_ENABLED,
    PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED,
    temporary_settings,
)

from assay.tasks.await_recording import BackPressure, await_recording

FLOW_RUN = uuid4()


@contextmanager
def _server(counts: list[int | None]) -> Iterator[list[dict[str, object]]]:
    """An API that answers with these counts in turn, the last one for ever; None is an error."""
    asked: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answer a count."""
            length = int(self.headers.get("Content-Length", 0))
            asked.append(json.loads(self.rfile.read(length)))
            count = counts.pop(0) if len(counts) > 1 else counts[0]
            self.send_response(200 if count is not None else 404)
            body = json.dumps(count).encode()
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings = {
            PREFECT_API_URL: f"http://127.0.0.1:{server.server_port}/api",
            PREFECT_CLIENT_CSRF_SUPPORT_ENABLED: False,
            PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED: False,
        }
        with temporary_settings(settings):
            yield asked
        server.shutdown()


def _await(*, sent: int, allowed_behind: int = 0, limit_seconds: float = 10) -> int:
    return asyncio.run(
        await_recording(
            FLOW_RUN, sent=sent, allowed_behind=allowed_behind, limit_seconds=limit_seconds
        )
    )


def test_it_returns_once_everything_is_recorded() -> None:
    """And asks for the ended task runs of that flow run alone."""
    with _server([1, 2, 3]) as asked:
        assert _await(sent=3) == 3
    assert len(asked) == 3
    assert asked[0]["flow_runs"] == {"id": {"any_": [str(FLOW_RUN)]}}


def test_a_record_that_is_near_enough_holds_nobody_back() -> None:
    """While a run goes on, some are always on their way."""
    with _server([7]) as asked:
        assert _await(sent=10, allowed_behind=3) == 7
    assert len(asked) == 1


def test_a_record_that_never_comes_is_given_up_on() -> None:
    """An event that was dropped must not hold up a run whose numbers are safe."""
    with _server([1]):
        started = time.monotonic()
        assert _await(sent=3, limit_seconds=0.8) == 1
        assert 0.8 <= time.monotonic() - started < 5


def test_a_server_that_does_not_answer_has_recorded_nothing() -> None:
    """And is no error of the run."""
    with _server([None]):
        assert _await(sent=3) == 0
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}):
        assert _await(sent=3, limit_seconds=1) == 0


def test_the_record_is_looked_at_after_every_so_many_trials() -> None:
    """However many end between two looks."""

    async def run(pressure: BackPressure) -> None:
        for ended in (0, 499, 501, 502, 1000, 1001, 1002, 2500):
            await pressure.let_catch_up(ended)

    with _server([10**6]) as asked:
        asyncio.run(run(BackPressure(FLOW_RUN)))
    assert len(asked) == 3


def test_without_a_host_there_is_nothing_to_wait_for() -> None:
    """No flow run, no question."""
    with _server([0]) as asked:
        asyncio.run(BackPressure(None).let_catch_up(10**6))
    assert asked == []
