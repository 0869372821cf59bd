"""An HTTP endpoint as a target: the input is posted as JSON, the reply is the output."""

import asyncio
import weakref
from collections.abc import Callable
from typing import TypeVar

import httpx
from typing_extensions import override

from assay.evaluators.canonical import write
from assay.evaluators.errors import ErrorClass, InputError, TargetError
from assay.evaluators.execution import Execution
from assay.tasks.targets.identity import TargetIdentity
from assay.tasks.targets.reply import execution_of, require_size
from assay.tasks.targets.retry_after import seconds_to_wait
from assay.tasks.targets.started_call import StartedCall, result_of
from assay.tasks.targets.target_loop import start_on_loop

T = TypeVar("T")

_CONNECT_SECONDS = 30.0
_LONGEST_EXCERPT = 300
_PORTS = 2**16
_BY_STATUS: dict[int, ErrorClass] = {
    400: "invalid_input",
    408: "timeout",
    413: "invalid_input",
    422: "invalid_input",
    429: "rate_limited",
}
_SERVER_ERRORS = range(500, 600)
_CLIENT_ERRORS = range(400, 500)


class HttpTarget:
    """Posts each input to an address.

    A 2xx reply holds exactly one JSON value: the output, or a receipt in an object with the single
    key `execution`. Anything else is a failure:

    * 429 `rate_limited` and 5xx `unavailable`, with the `Retry-After` that came along,
    * 400, 413 and 422 `invalid_input`: this input is refused; 408 `timeout`,
    * other 4xx (no permission, no such path) and redirections `internal`: the address is wrong,
    * no connection, or one that broke, `unavailable`; a body that is no JSON `malformed_reply`.

    Args:
        url: Where to post to, http or https, without credentials: plans keep it.
        revision: What its owner declared.

    Raises:
        InputError: for an address that cannot be used.
    """

    def __init__(self, url: str, *, revision: str = "") -> None:
        self._url = _checked(url)
        self.identity = TargetIdentity("http", url, revision)
        self._clients = _Clients()

    def start(self, input_text: str, keep: Callable[[Execution], T]) -> StartedCall[T]:
        """One request, on the targets' loop."""
        return start_on_loop(lambda: self._answer(input_text), keep)

    async def run(self, input: object) -> Execution:  # noqa: A002 - the kernel's word
        """The receipt of one request."""
        return await result_of(self.start(write(input), lambda execution: execution))

    async def _answer(self, input_text: str) -> Execution:
        try:
            status, headers, body = await self._post(input_text)
        except httpx.TimeoutException as error:
            raise TargetError("timeout", _said(error)) from error
        except httpx.DecodingError as error:
            raise TargetError("malformed_reply", _said(error)) from error
        except httpx.TransportError as error:
            raise TargetError("unavailable", _said(error)) from error
        if httpx.codes.is_success(status):
            return execution_of(body, "the reply")
        raise _refusal(status, headers, body)

    async def _post(self, input_text: str) -> tuple[int, httpx.Headers, bytes]:
        client = self._clients.of_running_loop()
        headers = {"content-type": "application/json", "accept": "application/json"}
        content = input_text.encode()
        async with client.stream("POST", self._url, content=content, headers=headers) as reply:
            body = bytearray()
            async for chunk in reply.aiter_bytes():
                body += chunk
                require_size(len(body), "the reply")
            return reply.status_code, reply.headers, bytes(body)


class _Clients:
    """A client for each event loop: a connection belongs to the loop that opened it."""

    def __init__(self) -> None:
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = (
            weakref.WeakKeyDictionary()
        )

    def of_running_loop(self) -> httpx.AsyncClient:
        """The client of this loop; its connections are closed when nothing holds this any more."""
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            # How many calls there are at once is the run's to bound, and how long they take too.
            client = httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
            )
            self._clients[loop] = client
            weakref.finalize(self, _close, weakref.ref(loop), client)
        return client

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Connections stay where they are: another process opens its own."""
        return _Clients, ()


def _close(loop_ref: "weakref.ref[asyncio.AbstractEventLoop]", client: httpx.AsyncClient) -> None:
    loop = loop_ref()
    if loop is not None and loop.is_running():
        asyncio.run_coroutine_threadsafe(client.aclose(), loop)


def _refusal(status: int, headers: httpx.Headers, body: bytes) -> TargetError:
    error_class = _BY_STATUS.get(status, "internal")
    if status in _SERVER_ERRORS:
        error_class = "unavailable"
    wait = seconds_to_wait(headers.get("retry-after", ""))
    said = body[: 4 * _LONGEST_EXCERPT].decode("utf-8", "replace").strip()[:_LONGEST_EXCERPT]
    advice = "" if status in _SERVER_ERRORS or status in _CLIENT_ERRORS else _redirection(headers)
    msg = f"expected a 2xx status, got {status}{advice}" + (f": {said}" if said else "")
    return TargetError(error_class, msg, retry_after=wait)


def _redirection(headers: httpx.Headers) -> str:
    return f" to {headers.get('location', 'nowhere')[:200]!r}; give the final address"


def _said(error: httpx.HTTPError) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _checked(url: str) -> httpx.URL:
    place = "target http"
    parsed = _parsed(url)
    if parsed is None or parsed.scheme not in ("http", "https") or not parsed.host:
        msg = f"expected an address such as http://localhost:8000/answer, got {url[:80]!r}"
        raise InputError(msg, place=place, kind="target")
    if parsed.userinfo:
        msg = (
            "expected an address without a user name and password, because the plan keeps it: "
            "send credentials from a function target"
        )
        raise InputError(msg, place=place, kind="target")
    return parsed


def _parsed(url: str) -> httpx.URL | None:
    if any(char.isspace() for char in url):
        return None
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        return None
    return parsed if parsed.port is None or 0 < parsed.port < _PORTS else None
