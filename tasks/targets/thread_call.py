"""Starts calls in daemon threads."""

import contextvars
from collections.abc import Callable
from typing import TypeVar

from assay.evaluators.off_loop import start_off_loop
from assay.tasks.targets.started_call import StartedCall

V = TypeVar("V")
T = TypeVar("T")


def start_in_thread(
    produce: Callable[[StartedCall[T]], V], keep: Callable[[V], T]
) -> StartedCall[T]:
    """The call, started in a daemon thread of its own with this context's variables.

    A cancellation reaches it only as far as the call asks for it with `on_cancel`.

    Args:
        produce: The call; it gets itself.
        keep: Turns its result into what is kept, in the same thread.
    """
    call: StartedCall[T] = StartedCall()
    context = contextvars.copy_context()
    start_off_loop(lambda: context.run(call.run, lambda: produce(call), keep))
    return call
