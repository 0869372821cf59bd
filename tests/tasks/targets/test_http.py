"""An HTTP endpoint as a target, asked through a real socket."""

import asyncio
import json
import pickle
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.evaluators.errors import InputError, TargetError
from assay.evaluators.execution import Execution
from assay.tasks.call_target import Failed, Received, call_target
from assay.tasks.mask_secrets import MASK
from assay.tasks.targets import HttpTarget
from assay.tasks.targets.reply import LARGEST_REPLY


@dataclass
class _Reply:
    status: int = 200
    body: bytes = b"null"
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, answer: Callable[[object], _Reply]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.requests: list[tuple[str, str | None]] = []
        self.connections: set[tuple[str, int]] = set()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about a client that hung up."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/answer"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append((body.decode(), self.headers["content-type"]))
        self.server.connections.add(self.client_address)
        reply = self.server.answer(json.loads(body))
        time.sleep(reply.wait)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def _serving(answer: Callable[[object], _Reply]) -> Iterator[_Server]:
    with _Server(answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def _ask(reply: _Reply) -> Execution:
    with _serving(lambda _: reply) as server:
        return asyncio.run(HttpTarget(server.url).run({"q": "é"}))


def _failure(reply: _Reply) -> TargetError:
    with pytest.raises(TargetError) as raised:
        _ask(reply)
    return raised.value


def test_the_input_is_posted_and_the_reply_is_the_output() -> None:
    """The same JSON in and out as for a program."""
    with _serving(lambda given: _Reply(body=json.dumps({"got": given}).encode())) as server:
        execution = asyncio.run(HttpTarget(server.url).run({"q": "é"}))
    assert execution.output == {"got": {"q": "é"}}
    assert server.requests == [('{"q":"é"}', "application/json")]


def test_an_object_of_one_key_execution_is_a_receipt() -> None:
    """An endpoint can tell its usage like any other target."""
    execution = _ask(_Reply(201, b'{"execution":{"output":1,"cost":0.5}}'))
    assert (execution.output, execution.cost) == (1, 0.5)


@pytest.mark.parametrize(
    ("status", "error_class"),
    [
        (400, "invalid_input"),
        (413, "invalid_input"),
        (422, "invalid_input"),
        (401, "internal"),
        (404, "internal"),
        (408, "timeout"),
        (429, "rate_limited"),
        (500, "unavailable"),
        (503, "unavailable"),
        (599, "unavailable"),
        (302, "internal"),
        (600, "internal"),
    ],
)
def test_each_status_has_its_class(status: int, error_class: str) -> None:
    """The class decides whether the trial is tried again, and whether it counts as unknown."""
    error = _failure(_Reply(status, b'"PASSED"', {"location": "http://elsewhere/"}))
    assert error.error_class == error_class
    assert f"got {status}" in str(error)


@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_of_the_server_is_kept(status: int) -> None:
    """Trying again sooner only makes it worse."""
    assert _failure(_Reply(status, headers={"retry-after": "7"})).retry_after == 7
    assert _failure(_Reply(status)).retry_after is None


@pytest.mark.parametrize("body", [b"", b"<html>", b"NaN", b"1 2", b"\xff", b'{"execution":1}'])
def test_a_body_that_is_not_one_json_value_is_a_malformed_reply(body: bytes) -> None:
    """A login page with status 200 is no answer."""
    assert _failure(_Reply(200, body)).error_class == "malformed_reply"


def test_a_body_that_is_not_packed_as_it_says_is_a_malformed_reply() -> None:
    """A proxy in between may garble it."""
    error = _failure(_Reply(200, b"1", {"content-encoding": "gzip"}))
    assert error.error_class == "malformed_reply"


def test_an_endless_body_is_cut_off() -> None:
    """One reply must not take the memory of the run."""
    error = _failure(_Reply(200, b"0" * (LARGEST_REPLY + 1)))
    assert (error.error_class, str(LARGEST_REPLY) in str(error)) == ("malformed_reply", True)


def test_nobody_listening_is_unavailable() -> None:
    """The server may come back, so the trial is worth another attempt."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        target = HttpTarget(f"http://127.0.0.1:{held.getsockname()[1]}/")
        with pytest.raises(TargetError) as raised:
            asyncio.run(target.run(1))
    assert raised.value.error_class == "unavailable"


def test_a_connection_that_breaks_is_unavailable() -> None:
    """As when the server is restarted in the middle of an answer."""
    error = _failure(_Reply(200, b"1", {"content-length": "50", "connection": "close"}))
    assert error.error_class == "unavailable"


def test_the_limit_ends_a_request() -> None:
    """The connection is given up, and nothing runs on."""
    with _serving(lambda _: _Reply(wait=2)) as server:
        attempt = asyncio.run(call_target(HttpTarget(server.url), "1", timeout_seconds=0.2))
    assert isinstance(attempt, Failed)
    assert (attempt.error_class, attempt.abandoned) == ("timeout", False)


def test_calls_share_their_connections_across_runs() -> None:
    """A connection for each trial would cost more than many a trial."""
    with _serving(lambda given: _Reply(body=json.dumps(given).encode())) as server:
        target = HttpTarget(server.url)
        for number in range(5):
            attempt = asyncio.run(call_target(target, str(number)))
            assert isinstance(attempt, Received)
            assert attempt.receipt.texts.output == str(number)
    assert len(server.connections) == 1


def test_many_calls_at_once_do_not_queue_for_a_connection() -> None:
    """How many there are is for the run to bound, and their clocks are running."""
    barrier = threading.Barrier(120, timeout=60)

    def meet(given: object) -> _Reply:
        barrier.wait()
        return _Reply(body=json.dumps(given).encode())

    async def all_at_once(target: HttpTarget) -> list[Execution]:
        return await asyncio.gather(*(target.run(number) for number in range(120)))

    with _serving(meet) as server:
        executions = asyncio.run(all_at_once(HttpTarget(server.url)))
    assert [execution.output for execution in executions] == list(range(120))


def test_a_key_in_the_answer_of_a_server_is_masked() -> None:
    """Servers like to repeat the key that they refuse."""
    key = "sk-" + "a1" * 20
    with _serving(lambda _: _Reply(401, f"bad key {key}".encode())) as server:
        attempt = asyncio.run(call_target(HttpTarget(server.url), "1"))
    assert isinstance(attempt, Failed)
    assert attempt.error.endswith(f"got 401: bad key {MASK}")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "/answer",
        "ftp://host/x",
        "http://",
        "http://host:99999/",
        "http://a b/",
        " http://host/",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_before_the_run(url: str) -> None:
    """Nothing may be written for a run that cannot call its target."""
    with pytest.raises(InputError, match="target http: expected an address such as"):
        HttpTarget(url)


def test_credentials_in_an_address_are_refused_and_not_repeated() -> None:
    """The plan keeps the address for ever."""
    with pytest.raises(InputError, match="without a user name and password") as refused:
        HttpTarget("http://me:hunter22@host/")
    assert "hunter22" not in str(refused.value)


def test_its_identity_is_its_address() -> None:
    """What stands behind it nobody can see, so there is no digest of it."""
    identity = HttpTarget("http://host/a", revision="3").identity
    assert (identity.kind, identity.reference, identity.source) == ("http", "http://host/a", "")


def test_it_travels_to_another_process_without_its_connections() -> None:
    """Shards of trials run elsewhere."""
    with _serving(lambda _: _Reply(body=b"1")) as server:
        target = HttpTarget(server.url)
        asyncio.run(target.run(1))
        copy = pickle.loads(pickle.dumps(target))  # noqa: S301 - what it is about
        assert asyncio.run(copy.run(1)).output == 1
