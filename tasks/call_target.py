"""Calls a target once, under a time limit, and never waits for what does not end."""

import asyncio
import dataclasses
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from assay.evaluators.deadline import GRACE_SECONDS
from assay.evaluators.errors import ErrorClass, TargetError
from assay.evaluators.off_loop import start_off_loop
from assay.evaluators.outcome import Given
from assay.tasks.mask_secrets import NO_SECRETS, Secrets
from assay.tasks.targets.failure import class_of, text_of, wait_of
from assay.tasks.targets.freeze import FrozenReceipt, freeze
from assay.tasks.targets.host_target import HostTarget
from assay.tasks.targets.started_call import Ended, Moment, StartedCall, is_done


@dataclass(frozen=True, slots=True)
class Received:
    """The target left a receipt.

    Attributes:
        receipt: With the time it started and how long it took: as the target recorded them, or else
            as they were measured.
    """

    receipt: FrozenReceipt


@dataclass(frozen=True, slots=True)
class Failed:
    """The target left no usable receipt.

    Attributes:
        error_class: Why.
        error: At most 2,000 characters, without secrets.
        retry_after: Seconds that the provider asked to wait, or None.
        started_at: UTC time of the first instruction.
        duration_seconds: Wall seconds until it failed or was given up on.
        abandoned: True if it still ran when it was given up on.
    """

    error_class: ErrorClass
    error: str
    retry_after: float | None
    started_at: datetime
    duration_seconds: float
    abandoned: bool = False


Attempt = Received | Failed
"""What came of one call of a target."""


async def call_target(
    target: HostTarget,
    input_text: str,
    *,
    timeout_seconds: float | None = None,
    secrets: Secrets = NO_SECRETS,
    on_late: Callable[[Received], None] | None = None,
) -> Attempt:
    """What came of one call; whatever the target raises is a failure, and never raised here.

    The limit counts from the target's first instruction. At the limit the call is cancelled; after
    a grace of 0.1 s it is abandoned, and nothing waits for it, not even the end of the process.

    Args:
        target: What to call.
        input_text: The input as JSON.
        timeout_seconds: The limit, or None.
        secrets: Masked in the receipt and in the error.
        on_late: Called at most once, in a daemon thread, when a call that was given up on leaves a
            usable receipt after all. What else an abandoned call does is dropped.

    Raises:
        asyncio.CancelledError: when the surrounding task is cancelled; the call then is cancelled
            too, and has the grace to end.
    """
    asked = Moment.now()
    try:
        call = target.start(input_text, lambda execution: freeze(execution, secrets))
    except Exception as error:  # noqa: BLE001 - no thread to be had, say: this trial's failure
        return _failed(error, asked, asked.seconds_since(), secrets)
    try:
        ended = await _ended(call, timeout_seconds)
    except asyncio.CancelledError:
        call.cancel()
        await is_done(call.ended, GRACE_SECONDS)
        raise
    if ended is not None:
        return _attempt(call, ended, secrets)
    return await _give_up(call, timeout_seconds or 0.0, secrets, on_late)


async def _ended(
    call: StartedCall[FrozenReceipt], seconds: float | None
) -> Ended[FrozenReceipt] | None:
    """How the call ended, or None if it took longer than the limit."""
    if seconds is None:
        await is_done(call.ended)
        return call.ended.result()
    await is_done(call.begun)
    left = seconds - call.begun.result().seconds_since()
    if not await is_done(call.ended, max(0.0, left)):
        return None
    ended = call.ended.result()
    # This loop may have been late to look: what the call itself took decides.
    return ended if ended.seconds <= seconds else None


async def _give_up(
    call: StartedCall[FrozenReceipt],
    seconds: float,
    secrets: Secrets,
    on_late: Callable[[Received], None] | None,
) -> Attempt:
    call.cancel()
    in_grace = await is_done(call.ended, GRACE_SECONDS)
    if in_grace and call.ended.result().seconds <= seconds:
        return _attempt(call, call.ended.result(), secrets)
    moment = call.begun.result()
    error = TargetError("timeout", f"the target took longer than {seconds:g} s")
    failed = _failed(error, moment, moment.seconds_since(), secrets)
    if on_late is not None:
        call.ended.add_done_callback(lambda _: _report_late(call, on_late))
    return dataclasses.replace(failed, abandoned=not in_grace)


def _attempt(
    call: StartedCall[FrozenReceipt], ended: Ended[FrozenReceipt], secrets: Secrets
) -> Attempt:
    moment = call.begun.result()
    if isinstance(ended.outcome, Given):
        return Received(_timed(ended.outcome.value, moment, ended.seconds))
    return _failed(ended.outcome.error, moment, ended.seconds, secrets)


def _failed(error: BaseException, moment: Moment, seconds: float, secrets: Secrets) -> Failed:
    return Failed(
        error_class=class_of(error),
        error=text_of(error, secrets),
        retry_after=wait_of(error),
        started_at=moment.utc,
        duration_seconds=seconds,
    )


def _timed(receipt: FrozenReceipt, moment: Moment, seconds: float) -> FrozenReceipt:
    texts = receipt.texts
    timed = dataclasses.replace(
        texts,
        started_at=texts.started_at or moment.utc,
        duration_seconds=seconds if texts.duration_seconds is None else texts.duration_seconds,
    )
    return dataclasses.replace(receipt, texts=timed)


def _report_late(call: StartedCall[FrozenReceipt], on_late: Callable[[Received], None]) -> None:
    ended = call.ended.result()
    if not isinstance(ended.outcome, Given):
        return
    received = Received(_timed(ended.outcome.value, call.begun.result(), ended.seconds))
    # Not in the thread in which the call ended, which may be the targets' loop.
    start_off_loop(lambda: _tell(on_late, received))


def _tell(on_late: Callable[[Received], None], received: Received) -> None:
    with suppress(Exception):  # nobody is there any more whom an error could concern
        on_late(received)
