"""Prefect is reached before anything is written, or one sentence says why it is not."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_SERVER_EPHEMERAL_ENABLED,
    temporary_settings,
)

from assay.evaluators.errors import InputError
from assay.tasks import reach_prefect as module
from assay.tasks.reach_prefect import reach_prefect


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes a request and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/api"


@pytest.fixture
def closed() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return f"http://127.0.0.1:{port}/api"


@contextmanager
def answering(status: int) -> Iterator[str]:
    """The address of a server that answers everything with this status."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.end_headers()

        do_GET = do_POST  # noqa: N815 - the name is the server's

        def log_message(self, *_: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/api"
        finally:
            server.shutdown()


def refusal(url: str) -> InputError:
    """The error that an API at this address ends with."""
    with temporary_settings({PREFECT_API_URL: url}), pytest.raises(InputError) as caught:
        reach_prefect()
    assert caught.value.kind == "prefect"
    return caught.value


def test_a_dead_server_is_named_with_what_to_do(closed: str) -> None:
    """A forgotten PREFECT_API_URL is the usual cause, and the address shows it."""
    error = refusal(closed)
    assert error.place == closed
    assert "Connection refused" in str(error)
    assert "unset them for an embedded server" in str(error)


def test_a_silent_server_is_not_waited_for(silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With Prefect's own retries it would take minutes to learn that nobody is there."""
    monkeypatch.setattr(module, "_ANSWER_SECONDS", 0.2)
    assert "got no answer within 0.2 s" in str(refusal(silent))


@pytest.mark.parametrize("status", [401, 404, 500])
def test_something_else_at_the_address_is_told_by_its_status(status: int) -> None:
    """A wrong key and a wrong path look alike in a traceback."""
    with answering(status) as url:
        assert f"got HTTP status {status}" in str(refusal(url))


def test_a_password_in_the_address_is_not_repeated(closed: str) -> None:
    """Sentences end in logs."""
    error = refusal(closed.replace("127.0.0.1", "user:secret@127.0.0.1"))
    assert "secret" not in str(error)


def test_no_address_and_no_leave_to_embed_is_refused() -> None:
    """Nothing is started that the user has forbidden."""
    settings = {PREFECT_API_URL: None, PREFECT_SERVER_EPHEMERAL_ENABLED: False}
    with temporary_settings(settings), pytest.raises(InputError, match="no leave to start"):
        reach_prefect()


@pytest.mark.prefect
def test_a_server_that_answers_is_taken() -> None:
    """With PREFECT_API_URL set, no other server is started."""
    before = dict(os.environ)
    reach_prefect()
    assert dict(os.environ) == before
