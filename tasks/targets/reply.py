"""What a target outside Python answers: one JSON value."""

from assay.evaluators.canonical import decode
from assay.evaluators.errors import InvalidExecution, MalformedJson, TargetError
from assay.evaluators.execution import Execution

LARGEST_REPLY = 64 * 2**20
"""Bytes of a reply beyond which it is refused, so that one target cannot exhaust the memory."""

_RECEIPT = "execution"


def execution_of(reply: bytes, place: str) -> Execution:
    """The receipt that a reply stands for.

    An object whose only key is `execution` is a receipt; any other JSON value is the output.

    Args:
        reply: Exactly one strict JSON value, white space around it allowed.
        place: Where it came from, for the message.

    Raises:
        TargetError: `malformed_reply`, for anything else and for a receipt that contradicts itself.
    """
    try:
        value = decode(reply)
    except MalformedJson as error:
        msg = f"{place}: expected exactly one JSON value, got {len(reply)} bytes: {error}"
        raise TargetError("malformed_reply", msg) from None
    if not isinstance(value, dict) or set(value) != {_RECEIPT}:
        return Execution(output=value)
    try:
        return Execution.from_value(value[_RECEIPT])
    except InvalidExecution as error:
        raise TargetError("malformed_reply", f"{place}: {error}") from None


def require_size(size: int, place: str) -> None:
    """Raise TargetError (`malformed_reply`) when a reply grows too large."""
    if size > LARGEST_REPLY:
        msg = f"{place}: expected at most {LARGEST_REPLY} bytes"
        raise TargetError("malformed_reply", msg)
