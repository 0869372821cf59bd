"""What a row says about a call of a target that left no receipt."""

from assay.evaluators.errors import (
    ErrorClass,
    InvalidExecution,
    classify,
    describe,
    retry_after_of,
)
from assay.tasks.mask_secrets import Secrets
from assay.tasks.targets.retry_after import seconds_to_wait

LONGEST_ERROR = 2000
_HEAD = 300
_CUT = " … "


def class_of(error: BaseException) -> ErrorClass:
    """The error class of whatever a target raised, however broken the exception is.

    Beyond `errors.classify`, an exception with a `response` (requests, httpx) has the class of its
    status. A receipt that contradicts itself is a `malformed_reply`.
    """
    try:
        if isinstance(error, InvalidExecution):
            return "malformed_reply"
        found = classify(error)
        response = getattr(error, "response", None)
        if found != "internal" or response is None:
            return found
        return classify(_WithStatus(response.status_code))
    except BaseException:  # noqa: BLE001 - the properties of a foreign exception may raise anything
        return "internal"


def wait_of(error: BaseException) -> float | None:
    """Seconds that the provider asked to wait: on the exception, or in its response's headers."""
    try:
        wait = retry_after_of(error)
        if wait is None:
            return seconds_to_wait(str(error.response.headers["retry-after"]))  # type: ignore[attr-defined]
    except BaseException:  # noqa: BLE001 - as above; mostly there is just no response
        return None
    return wait


def text_of(error: BaseException, secrets: Secrets) -> str:
    """The error in at most 2,000 characters, secrets masked before anything is cut off."""
    text = secrets.mask(_whole(error))
    if len(text) <= LONGEST_ERROR:
        return text
    return text[:_HEAD] + _CUT + text[len(text) - LONGEST_ERROR + _HEAD + len(_CUT) :]


def _whole(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
        return text.encode("utf-8", "replace").decode("utf-8") if str(error) else describe(error)
    except BaseException:  # noqa: BLE001 - it cannot be printed, which `describe` can say
        return describe(error)


class _WithStatus(Exception):
    def __init__(self, status_code: object) -> None:
        super().__init__()
        self.status_code = status_code
