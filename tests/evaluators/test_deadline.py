"""Calls of foreign code: contained, and given up on at their limit."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.evaluators.deadline import GRACE_SECONDS, abandoned_calls, call_within
from assay.evaluators.outcome import Expired, Given, Raised

SOURCES = Path(__file__).resolve().parents[2] / "src"


async def give(value: int, after: float = 0.0) -> int:
    """Return the value after some seconds."""
    await asyncio.sleep(after)
    return value


async def fail(error: BaseException) -> int:
    """Raise the error."""
    raise error


@pytest.mark.parametrize("seconds", [None, 5.0])
def test_a_call_gives_or_raises(seconds: float | None) -> None:
    """With and without a limit."""
    error = SystemExit(3)

    async def main() -> None:
        assert await call_within(lambda: give(1), seconds) == Given(1)
        assert await call_within(lambda: fail(error), seconds) == Raised(error)

    asyncio.run(main())


def test_making_the_awaitable_may_fail_as_well() -> None:
    """A function that raises before its first await, or gives nothing to await."""

    def break_down() -> "asyncio.Future[int]":
        raise OSError

    async def main() -> None:
        broken = await call_within(break_down, None)
        assert isinstance(broken, Raised)
        assert isinstance(broken.error, OSError)
        nothing = await call_within(lambda: 1, None)  # type: ignore[arg-type, return-value]
        assert isinstance(nothing, Raised)
        assert isinstance(nothing.error, TypeError)

    asyncio.run(main())


def test_a_call_is_given_up_on_at_its_limit() -> None:
    """It is cancelled, and has ended when we go on."""
    ended: list[bool] = []

    async def slow() -> int:
        try:
            return await give(1, after=60)
        finally:
            ended.append(True)

    async def main() -> None:
        assert await call_within(slow, 0.02) == Expired(0.02, abandoned=False)
        assert ended == [True]

    asyncio.run(main())


def test_a_call_that_ignores_its_end_is_abandoned_and_counted() -> None:
    """After the grace, and until it ends by itself; the loop does not wait for it."""
    before, free = abandoned_calls(), asyncio.Event()

    async def stubborn() -> int:
        while not free.is_set():
            try:
                await free.wait()
            except asyncio.CancelledError:
                continue
        return 1

    async def main() -> None:
        started = time.perf_counter()
        assert await call_within(stubborn, 0.02) == Expired(0.02, abandoned=True)
        assert GRACE_SECONDS <= time.perf_counter() - started < 5
        assert abandoned_calls() == before + 1
        free.set()
        await asyncio.sleep(0.01)
        assert abandoned_calls() == before

    asyncio.run(main())


def test_a_cancelled_caller_ends_its_call() -> None:
    """Within the grace, whether the call heeds it or not."""
    ended: list[str] = []

    async def heeds() -> int:
        try:
            return await give(1, after=60)
        finally:
            ended.append("heeds")

    async def ignores() -> int:
        try:
            return await give(1, after=60)
        except asyncio.CancelledError:
            return await give(1, after=60)

    async def main() -> None:
        for call in (heeds, ignores):
            task = asyncio.create_task(call_within(call, None))
            await asyncio.sleep(0.01)
            started = time.perf_counter()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.perf_counter() - started < 5

    asyncio.run(main())
    assert ended == ["heeds"]


def test_the_surrounding_timeout_of_asyncio_works() -> None:
    """A host may put a limit of its own around everything."""

    async def main() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await call_within(lambda: give(1, after=60), None)

    asyncio.run(main())


PROGRAM = """
import asyncio, sys, threading, time
from assay.evaluators.assess import assess
from assay.evaluators.assessment import Assessment
from assay.evaluators.cancellation import Cancellation
from assay.evaluators.function import evaluator
from assay.evaluators.limits import Limits

def blocks(sample):
    time.sleep(3600)

def spins(sample):
    while True:
        time.sleep(0.001)

async def swallows(sample):
    while True:
        try:
            await asyncio.sleep(3600)
        except BaseException:
            pass

async def late_error(sample):
    try:
        await asyncio.sleep(3600)
    finally:
        raise ValueError("too late")

async def very_late_error(sample):
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        await asyncio.sleep(0.15)
        raise ValueError("much too late")

def leaves(sample):
    sys.exit(3)

async def main():
    functions = (blocks, spins, swallows, late_error, very_late_error, leaves)
    work = [
        assess(Assessment("x", evaluator(name="n", revision="1")(one)), "s", Cancellation(),
               Limits(timeout_seconds=0.05))
        for one in functions
    ]
    for (result,) in await asyncio.gather(*work):
        print(result.status, result.error_class)
    await asyncio.sleep(0.2)

asyncio.run(main())
print("left")
"""


def test_a_process_with_abandoned_calls_leaves_at_once_and_without_a_word() -> None:
    """No thread, no coroutine and no "never retrieved" holds it up or speaks at the end."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": str(SOURCES), "PYTHONASYNCIODEBUG": "0"},
    )
    expected = ["failed timeout"] * 5 + ["failed internal", "left"]
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == (expected, "", 0)
    assert time.perf_counter() - started < 30
