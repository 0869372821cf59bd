"""Work that is interrupted ends, keeps what it has, and is never waited for without end."""

import asyncio
import contextvars
import os
import signal
import threading
import time
from collections.abc import Callable

import pytest

from assay.flows.terminal import interruption
from assay.flows.terminal.interruption import (
    SIGNALS,
    every_signal_interrupts,
    run_until_interrupted,
)

Heard = list[str]


def send(number: int) -> None:
    """Send a signal to this process."""
    os.kill(os.getpid(), number)


def interrupted(work: Callable[[], object], heard: Heard | None = None) -> bool:
    """Run the work, and say whether it was interrupted."""
    try:
        run_until_interrupted(work, on_signal=lambda: (heard or []).append("heard"))
    except KeyboardInterrupt:
        return True
    return False


def test_the_result_is_that_of_the_coroutine() -> None:
    """Without a signal nothing is different."""

    async def work() -> int:
        await asyncio.sleep(0)
        return 3

    assert run_until_interrupted(work, on_signal=pytest.fail) == 3


def test_an_error_of_the_coroutine_is_raised() -> None:
    """A store that fails must be told by its own name."""

    async def work() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        run_until_interrupted(work, on_signal=pytest.fail)


def test_the_coroutine_sees_the_variables_of_the_caller() -> None:
    """Prefect finds its settings in a context variable."""
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")
    name.set("here")

    async def work() -> str:
        return name.get()

    assert run_until_interrupted(work, on_signal=pytest.fail) == "here"


@pytest.mark.parametrize("number", SIGNALS)
def test_each_signal_cancels_the_work_and_lets_it_clean_up(number: int) -> None:
    """A scheduler's SIGTERM and a closed terminal deserve the same end as Ctrl-C."""
    heard: Heard = ["begun"]

    async def work() -> None:
        try:
            send(number)
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            heard.append("cleaned")

    assert interrupted(work, heard)
    assert sorted(heard) == ["begun", "cleaned", "heard"]


def test_work_that_ends_regularly_was_not_interrupted() -> None:
    """The last trial may return in the very moment of Ctrl-C; then there is a report to show."""

    async def work() -> str:
        send(signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "whole"
        return "never"

    assert run_until_interrupted(work, on_signal=lambda: None) == "whole"


def test_work_that_does_not_end_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C that does not come back is answered with kill -9."""
    monkeypatch.setattr(interruption, "_PATIENCE_SECONDS", 0.2)
    released = threading.Event()

    async def work() -> None:
        send(signal.SIGINT)
        released.wait(60)

    assert interrupted(work)
    released.set()


def test_a_second_signal_shortens_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever presses twice means it."""
    monkeypatch.setattr(interruption, "_PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(interruption, "_IMPATIENCE_SECONDS", 0.2)
    released = threading.Event()
    heard: Heard = ["begun"]

    async def work() -> None:
        for _ in range(2):
            send(signal.SIGINT)
            released.wait(0.1)
        released.wait(60)

    assert interrupted(work, heard)
    assert heard == ["begun", "heard"]
    released.set()


def test_signals_mean_afterwards_what_they_meant_before() -> None:
    """A library that keeps a handler changes the program that uses it."""
    before = [signal.getsignal(number) for number in SIGNALS]

    async def work() -> None:
        assert [signal.getsignal(number) for number in SIGNALS] != before

    run_until_interrupted(work, on_signal=pytest.fail)
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_a_signal_that_is_to_be_ignored_stays_ignored() -> None:
    """A run that was started with nohup goes on when the terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        async def work() -> str:
            send(signal.SIGHUP)
            await asyncio.sleep(0.05)
            return "whole"

        assert run_until_interrupted(work, on_signal=pytest.fail) == "whole"
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_the_work_interrupts_too(number: int) -> None:
    """Reading a large dataset takes a while as well."""

    @every_signal_interrupts()
    def read() -> None:
        send(number)
        time.sleep(5)

    with pytest.raises(KeyboardInterrupt):
        read()


def test_another_thread_can_do_without_signals() -> None:
    """Python tells the main thread alone of signals; a command in another thread still runs."""
    results: list[int] = []

    async def work() -> int:
        return 3

    def run() -> None:
        with every_signal_interrupts():
            results.append(run_until_interrupted(work, on_signal=pytest.fail))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert results == [3]
