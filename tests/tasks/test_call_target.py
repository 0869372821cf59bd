"""One call of a target: what it leaves, how it fails, and that it never holds anything up."""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import pytest

from assay.evaluators.errors import TargetError
from assay.evaluators.execution import Execution
from assay.tasks.call_target import Attempt, Failed, Received, call_target
from assay.tasks.mask_secrets import MASK, Secrets
from assay.tasks.targets import CommandTarget, FunctionTarget

SECRET = Secrets(["hunter22"])


def _call(
    function: Callable[[object], object],
    *,
    timeout_seconds: float | None = None,
    on_late: Callable[[Received], None] | None = None,
) -> Attempt:
    return asyncio.run(
        call_target(
            FunctionTarget.of(function),
            '{"n":[1]}',
            timeout_seconds=timeout_seconds,
            secrets=SECRET,
            on_late=on_late,
        )
    )


def _received(attempt: Attempt) -> Received:
    assert isinstance(attempt, Received), attempt
    return attempt


def _failed(attempt: Attempt) -> Failed:
    assert isinstance(attempt, Failed), attempt
    return attempt


def _until(condition: Callable[[], object]) -> None:
    """Return once the condition holds; fail after half a minute."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("it never happened")


def test_a_receipt_knows_when_it_began_and_how_long_it_took() -> None:
    """From the first instruction of the target, in UTC."""
    before = datetime.now(UTC)
    texts = _received(_call(lambda given: time.sleep(0.05) or given)).receipt.texts
    assert texts.output == '{"n":[1]}'
    assert texts.started_at is not None
    assert texts.duration_seconds is not None
    assert before <= texts.started_at <= datetime.now(UTC)
    assert texts.duration_seconds >= 0.05


def test_what_the_target_timed_itself_wins() -> None:
    """It knows what of the call was its own work."""
    at = datetime(2030, 1, 1, tzinfo=UTC)
    texts = _received(
        _call(lambda _: Execution(output=1, duration_seconds=7.5, started_at=at))
    ).receipt.texts
    assert (texts.duration_seconds, texts.started_at) == (7.5, at)


class _Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


class _Status(Exception):
    def __init__(self, status_code: object, retry_after: object = None) -> None:
        super().__init__("refused")
        self.status_code = status_code
        self.retry_after = retry_after


class _Broken(Exception):
    @property
    def status_code(self) -> int:
        raise SystemExit

    @property
    def retry_after(self) -> int:
        raise RuntimeError


class _Response:
    status_code = 429
    headers = MappingProxyType({"retry-after": "3"})


class _WithResponse(Exception):
    response = _Response()


def _recurse(given: object) -> object:
    return _recurse(given)


@pytest.mark.parametrize(
    ("error", "error_class"),
    [
        (ValueError("no"), "internal"),
        (SystemExit(3), "internal"),
        (KeyboardInterrupt(), "internal"),
        (GeneratorExit(), "internal"),
        (asyncio.CancelledError(), "canceled"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "unavailable"),
        (_Status(429), "rate_limited"),
        (_Status(503), "unavailable"),
        (_Status("429"), "internal"),
        (_Unprintable(), "internal"),
        (_Broken(), "internal"),
        (_WithResponse(), "rate_limited"),
        (TargetError("refused", "no"), "refused"),
        (ExceptionGroup("many", [ValueError()]), "internal"),
        (MemoryError(), "internal"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__ + str(id(value)),
)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_whatever_a_target_raises_is_its_own_failure(
    error: BaseException, error_class: str, *, asynchronous: bool
) -> None:
    """Nothing that one trial does may end the others."""

    def fail(_: object) -> None:
        raise error

    async def fail_later(_: object) -> None:
        await asyncio.sleep(0)
        raise error

    failed = _failed(_call(fail_later if asynchronous else fail))
    assert failed.error_class == error_class
    assert type(error).__name__ in failed.error
    assert not failed.abandoned


def test_endless_recursion_is_a_failure_like_any_other() -> None:
    """It must not take the thread down with it."""
    assert "RecursionError" in _failed(_call(_recurse)).error


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        (TargetError("rate_limited", "slow down", retry_after=2.5), 2.5),
        (_Status(429, 4), 4.0),
        (_Status(429, "4"), None),
        (_Status(429, float("nan")), None),
        (_WithResponse(), 3.0),
        (_Broken(), None),
        (ValueError(), None),
    ],
    ids=lambda value: f"{type(value).__name__}{id(value)}",
)
def test_the_wait_that_a_provider_asks_for_is_kept(error: Exception, wait: float | None) -> None:
    """The host waits it out before the next attempt."""

    def fail(_: object) -> None:
        raise error

    assert _failed(_call(fail)).retry_after == wait


def test_secrets_are_masked_in_errors_before_they_are_cut() -> None:
    """A cut through the middle of a secret would leave half of it."""

    def fail(_: object) -> None:
        raise ValueError("x" * 280 + "hunter22" * 1000 + "y" * 1995 + "hunter22")

    error = _failed(_call(fail)).error
    assert "hunt" not in error
    assert MASK in error
    assert len(error) <= 2000


@pytest.mark.parametrize("output", [b"x", {"a": float("inf")}, object()], ids=str)
def test_what_json_cannot_hold_is_a_failure_of_the_target(output: object) -> None:
    """Grading it now would see something else than grading it again."""
    failed = _failed(_call(lambda _: output))
    assert failed.error_class == "invalid_input"
    assert "output: " in failed.error


def test_a_contradictory_receipt_is_a_malformed_reply() -> None:
    """There is no usable receipt, and trying again would give no other."""
    bad = Execution.model_construct(status="completed", reason="but why", output=1)
    assert _failed(_call(lambda _: bad)).error_class == "malformed_reply"


def test_the_limit_ends_a_coroutine() -> None:
    """It is cancelled, and has ended before the grace is over: nothing is abandoned."""
    failed = _failed(_call(lambda _: asyncio.sleep(600), timeout_seconds=0.2))
    assert failed.error_class == "timeout"
    assert "longer than 0.2 s" in failed.error
    assert failed.duration_seconds >= 0.2


async def _wait(_: object) -> None:
    await asyncio.sleep(600)


async def _swallow(_: object) -> None:
    while True:
        with contextlib.suppress(BaseException):
            await asyncio.sleep(600)


async def _block(_: object) -> None:
    time.sleep(600)  # noqa: ASYNC251 - the target in question


def test_a_coroutine_that_honours_its_cancellation_is_not_abandoned() -> None:
    """Only what still runs is worth counting."""
    assert not _failed(_call(_wait, timeout_seconds=0.2)).abandoned


@pytest.mark.parametrize("target", [_swallow, lambda _: time.sleep(600)], ids=["async", "sync"])
def test_a_target_that_ignores_its_cancellation_is_abandoned(
    target: Callable[[object], object],
) -> None:
    """Its slot is freed at once, whatever it goes on doing."""
    started = time.monotonic()
    failed = _failed(_call(target, timeout_seconds=0.2))
    assert (failed.error_class, failed.abandoned) == ("timeout", True)
    assert time.monotonic() - started < 60


def test_a_coroutine_that_blocks_its_loop_holds_up_no_later_call() -> None:
    """Its loop is given up on, and calls that waited there begin on another one."""

    async def two() -> list[Attempt]:
        blocked = asyncio.create_task(
            call_target(FunctionTarget.of(_block), "1", timeout_seconds=0.2)
        )
        await asyncio.sleep(0.1)
        waiting = asyncio.create_task(call_target(FunctionTarget.of(_quick), "1"))
        return [await blocked, await waiting, await call_target(FunctionTarget.of(_quick), "2")]

    async def _quick(given: object) -> object:
        await asyncio.sleep(0)
        return given

    first, second, third = asyncio.run(two())
    assert _failed(first).abandoned
    assert _received(second).receipt.texts.output == "1"
    assert _received(third).receipt.texts.output == "2"


def test_a_task_that_a_target_started_cannot_stop_the_loop() -> None:
    """SystemExit in a task ends an event loop; the other targets need it."""

    async def careless(_: object) -> None:
        async def leave() -> None:
            raise SystemExit(3)

        await asyncio.create_task(leave())

    async def fine(_: object) -> str:
        await asyncio.sleep(0)
        return "fine"

    assert _failed(_call(careless)).error.startswith("SystemExit")
    assert _received(_call(fine)).receipt.texts.output == '"fine"'


def test_the_limit_counts_from_the_first_instruction() -> None:
    """Thirty calls of 0.3 s at once all make a limit of 5 s, however long they queue (B24)."""

    async def crowd() -> list[Attempt]:
        target = FunctionTarget.of(lambda _: time.sleep(0.3))
        return await asyncio.gather(
            *(call_target(target, "1", timeout_seconds=5) for _ in range(30))
        )

    assert all(isinstance(attempt, Received) for attempt in asyncio.run(crowd()))


def test_a_result_that_was_in_time_counts_however_late_the_host_looks() -> None:
    """A busy event loop of the host must not turn answers into timeouts."""

    async def busy() -> Attempt:
        target = FunctionTarget.of(lambda _: time.sleep(0.05))
        task = asyncio.create_task(call_target(target, "1", timeout_seconds=0.4))
        await asyncio.sleep(0.01)
        time.sleep(1)  # noqa: ASYNC251 - the busy host in question
        return await task

    assert isinstance(asyncio.run(busy()), Received)


def _late_async(free: threading.Event) -> Callable[[object], Awaitable[str]]:
    async def late(_: object) -> str:
        while not free.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue
        return "late hunter22"

    return late


def _late_sync(free: threading.Event) -> Callable[[object], str]:
    def late(_: object) -> str:
        free.wait(60)
        return "late hunter22"

    return late


@pytest.mark.parametrize("make", [_late_async, _late_sync])
def test_a_late_result_is_reported_once_after_the_loop_has_gone(
    make: Callable[[threading.Event], Callable[[object], object]],
) -> None:
    """It was paid for, so it is kept, masked like any other; but the trial has long failed."""
    free = threading.Event()
    reported: list[tuple[Received, str]] = []
    failed = _failed(
        _call(
            make(free),
            timeout_seconds=0.1,
            on_late=lambda late: reported.append((late, threading.current_thread().name)),
        )
    )
    assert failed.abandoned
    assert not reported
    free.set()
    _until(lambda: reported)
    time.sleep(0.1)
    ((late, thread),) = reported
    assert late.receipt.texts.output == f'"late {MASK}"'
    assert late.receipt.texts.duration_seconds is not None
    assert late.receipt.texts.duration_seconds > 0.1
    assert thread == "assay-worker", "not on a loop: the callback may block"


def test_a_late_exception_is_dropped_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    """Nobody asked for it any more."""
    free = threading.Event()
    ended = threading.Event()

    def fail(_: object) -> None:
        free.wait(60)
        try:
            raise ValueError
        finally:
            ended.set()

    reported: list[Received] = []
    with caplog.at_level(logging.DEBUG):
        assert _failed(_call(fail, timeout_seconds=0.1, on_late=reported.append)).abandoned
        free.set()
        assert ended.wait(60)
        time.sleep(0.1)
    assert not reported
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_callback_that_fails_harms_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The run that would care may be over."""
    called = threading.Event()

    def refuse(_: Received) -> None:
        called.set()
        raise ValueError

    _call(lambda _: time.sleep(0.3), timeout_seconds=0.05, on_late=refuse)
    assert called.wait(60)
    time.sleep(0.05)
    assert not caplog.records


@pytest.mark.parametrize("target", [_wait, _swallow, lambda _: time.sleep(600)])
def test_cancellation_from_outside_is_prompt(target: Callable[[object], object]) -> None:
    """Ctrl-C must not wait for a target."""

    async def cancel() -> float:
        task = asyncio.create_task(call_target(FunctionTarget.of(target), "1"))
        await asyncio.sleep(0.1)
        task.cancel()
        started = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(cancel()) < 30


def test_a_program_is_killed_at_the_limit(tmp_path: Path) -> None:
    """Unlike a thread, it really ends."""
    target = CommandTarget([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path)
    failed = _failed(asyncio.run(call_target(target, "1", timeout_seconds=1)))
    assert (failed.error_class, failed.abandoned) == ("timeout", False)


def test_standard_error_of_a_program_is_masked_and_bounded(tmp_path: Path) -> None:
    """Tools print their environment when they crash."""
    code = "import sys; sys.stderr.write('hunter22 ' * 50_000 + 'the end'); sys.exit(1)"
    target = CommandTarget([sys.executable, "-c", code], tmp_path)
    error = _failed(asyncio.run(call_target(target, "1", secrets=SECRET))).error
    assert error.startswith("TargetError: the program ended with exit code 1")
    assert error.endswith("the end")
    assert "hunter" not in error
    assert len(error) <= 2000


@pytest.mark.parametrize("kind", ["swallow", "block", "thread"])
def test_no_abandoned_target_delays_the_end_of_the_process(kind: str, tmp_path: Path) -> None:
    """Nothing waits for it, not even the interpreter's exit, and nothing is printed about it."""
    script = tmp_path / "leave.py"
    script.write_text(
        textwrap.dedent(f"""
            import asyncio, time
            from assay.tasks.call_target import call_target
            from assay.tasks.targets import FunctionTarget

            async def swallow(given):
                while True:
                    try:
                        await asyncio.sleep(600)
                    except BaseException:
                        pass

            async def block(given):
                time.sleep(600)

            def thread(given):
                time.sleep(600)

            target = FunctionTarget.of({kind})
            attempt = asyncio.run(call_target(target, "1", timeout_seconds=0.2))
            print(attempt.error_class, attempt.abandoned)
        """)
    )
    finished = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ},
    )
    assert finished.stdout == "timeout True\n"
    assert finished.stderr == ""
