"""The store could not keep or give back what it was asked to."""

import errno

from assay.evaluators.errors import AssayError, describe
from assay.evaluators.schema import SCHEMA_VERSION

_ADVICE = {
    errno.ENOSPC: "free some space",
    errno.EDQUOT: "free some of the quota",
    errno.EACCES: "give write permission",
    errno.EPERM: "give write permission",
    errno.EROFS: "choose a store that can be written",
}


class StoreError(AssayError):
    """Writing or reading the store failed; the message names the path and what to do.

    Wrong use of the store (a bad address, an unknown run) is an `InputError` instead.
    """

    @classmethod
    def of(cls, error: BaseException, *, place: str, action: str) -> "StoreError":
        """The error to raise when the host refused an action at a place."""
        number = error.errno if isinstance(error, OSError) else None
        reason = (error.strerror if isinstance(error, OSError) else None) or describe(error)
        advice = _ADVICE.get(number) if number is not None else None
        return cls(f"{place}: cannot {action}: {reason}" + (f"; {advice}" if advice else ""))

    @classmethod
    def newer(cls, version: int, *, place: str) -> "StoreError":
        """The error to raise for a file of a version that this program does not know."""
        return cls(
            f"{place}: has schema version {version}, this program reads up to {SCHEMA_VERSION}; "
            "use a newer one"
        )
