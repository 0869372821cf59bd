"""Makes sure that a Prefect API answers before anything is written or paid."""

import os
import re

import httpx
from prefect.client.orchestration import get_client
from prefect.context import refresh_global_settings_context
from prefect.exceptions import PrefectHTTPStatusError
from prefect.settings import (
    PREFECT_CLIENT_MAX_RETRIES,
    get_current_settings,
    temporary_settings,
)

from assay.evaluators.errors import InputError, describe
from assay.tasks.embedded_server import EmbeddedServer
from assay.tasks.prepare_prefect import prepare_prefect

_ANSWER_SECONDS = 10.0
_LONGEST_REASON = 200
_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@")


def reach_prefect() -> None:
    """Return once the configured Prefect API answers, or an embedded one does where there is none.

    Flows of this process use the embedded server from then on.

    Raises:
        InputError: the API does not answer or refuses; the message has its address, what came and
            what to do.
    """
    prepare_prefect()
    settings = get_current_settings()
    if settings.api.url is not None:
        _require_answer(settings.api.url)
        return
    if not settings.server.ephemeral.enabled:
        raise _refusal("", "got none, and no leave to start an embedded one")
    environ = {**os.environ, **settings.to_environment_variables(exclude_unset=True)}
    limit = settings.server.ephemeral.startup_timeout_seconds
    server = EmbeddedServer(environ, limit_seconds=limit)
    os.environ["PREFECT_API_URL"] = server.api_url
    refresh_global_settings_context()


def _require_answer(url: str) -> None:
    try:
        # With its retries, a server that is silent would hold up the user for minutes.
        with (
            temporary_settings({PREFECT_CLIENT_MAX_RETRIES: 0}),
            get_client(httpx_settings={"timeout": _ANSWER_SECONDS}, sync_client=True) as client,
        ):
            client.request("POST", "/flows/count", json={})
    except httpx.TimeoutException as error:
        raise _refusal(url, f"got no answer within {_ANSWER_SECONDS:g} s") from error
    except httpx.RequestError as error:
        reason = " ".join(describe(error).split())[:_LONGEST_REASON]
        raise _refusal(url, f"got {reason}") from error
    except PrefectHTTPStatusError as error:
        raise _refusal(url, f"got HTTP status {error.response.status_code}") from error


def _refusal(url: str, got: str) -> InputError:
    msg = (
        f"expected a Prefect API that answers, {got}; start that server, correct PREFECT_API_URL "
        "and PREFECT_API_KEY, or unset them for an embedded server"
    )
    return InputError(msg, place=_CREDENTIALS.sub("", url) or "prefect", kind="prefect")
