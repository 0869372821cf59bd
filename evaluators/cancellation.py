"""A token that says that somebody outside wants the work to stop."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from assay.evaluators.errors import Canceled


class Cancellation:
    """Set once, and asked at any time: has the caller cancelled, and why?

    A derived token is cancelled with its parent and can be cancelled without it. Nothing is killed:
    started work is expected to notice.
    """

    def __init__(self, parent: "Cancellation | None" = None) -> None:
        self._cause: BaseException | None = None
        self._parent = parent

    def cancel(self, cause: BaseException | None = None) -> None:
        """Ask for the end; the first cause stays."""
        if self._cause is None:
            self._cause = Canceled("canceled by the caller") if cause is None else cause

    @property
    def cause(self) -> BaseException | None:
        """Why the work should stop, or None while it may go on."""
        if self._cause is not None:
            return self._cause
        return self._parent.cause if self._parent is not None else None

    @property
    def canceled(self) -> bool:
        """True once the work should stop."""
        return self.cause is not None

    def raise_if_canceled(self) -> None:
        """Raise Canceled, with the cause, once the work should stop."""
        error = self.error()
        if error is not None:
            raise error

    def error(self) -> Canceled | None:
        """The error that stands for the cancellation, or None."""
        cause = self.cause
        if cause is None or isinstance(cause, Canceled):
            return cause
        error = Canceled("canceled from outside")
        error.__cause__ = cause
        return error


_current: ContextVar[Cancellation | None] = ContextVar("assay_cancellation", default=None)


def current_cancellation() -> Cancellation:
    """The token that governs the running evaluator or target; one that is never set outside."""
    return _current.get() or Cancellation()


@contextmanager
def governed_by(token: Cancellation) -> Iterator[None]:
    """Make the token the current one for the block, and for what it starts."""
    reset = _current.set(token)
    try:
        yield
    finally:
        _current.reset(reset)
