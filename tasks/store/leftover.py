"""What writers leave that are killed: hidden names, which no reader looks at."""

import time
from uuid import UUID

from assay.tasks.store.uuid7 import uuid7

_ENDING = ".tmp"
_UUID_LENGTH = 36


def hidden_name(name: str) -> str:
    """A name under which a file or folder is made before it appears as `name`."""
    return f".{name}-{uuid7()}{_ENDING}"


def is_leftover(name: str, older_than_seconds: float = 0.0) -> bool:
    """True if it is a hidden name that was given at least so long ago."""
    if not (name.startswith(".") and name.endswith(_ENDING)):
        return False
    try:
        made = UUID(name.removesuffix(_ENDING)[-_UUID_LENGTH:])
    except ValueError:
        return False
    milliseconds = made.int >> 80
    return milliseconds / 1000 <= time.time() - older_than_seconds
