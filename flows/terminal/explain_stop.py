"""Says what is kept, and how to go on, where work on Prefect stopped early."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
from prefect.exceptions import PrefectException

from assay.evaluators.errors import AssayError, InputError, describe
from assay.flows.terminal.failures import Interrupted

STOPPING = "stopping; what is in flight has a moment to end"
"""What to say when the user asks for the end."""

_LONGEST_REASON = 200


@contextmanager
def explained_stop(what_is_kept: Callable[[], str]) -> Iterator[None]:
    """Turn an interruption, and a Prefect that fails, into one sentence that ends with this.

    Raises:
        Interrupted: the user stopped the work.
        InputError: Prefect failed.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted: {_told(what_is_kept)}") from None
    except (PrefectException, httpx.HTTPError) as error:
        reason = " ".join(describe(error).split())[:_LONGEST_REASON]
        msg = f"Prefect failed with {reason}; {_told(what_is_kept)}"
        raise InputError(msg, kind="prefect") from error


def _told(what_is_kept: Callable[[], str]) -> str:
    try:
        return what_is_kept()
    except AssayError as error:  # the store is the next thing that may have failed
        return f"what had returned is kept, but {error}"
