"""Synchronous work beside an event loop."""

import asyncio
import os
import threading
import time
from contextvars import ContextVar

import pytest

from assay.evaluators.off_loop import outcome_of, run_off_loop, threads_of
from assay.evaluators.outcome import Given, Raised, raised_by, value_of

NOTE: ContextVar[str] = ContextVar("note", default="none")


def test_a_function_gives_or_raises() -> None:
    """Neither leaves the loop waiting, and an exit is an outcome as any other."""
    error = SystemExit(3)

    def leave() -> None:
        raise error

    async def main() -> None:
        assert await run_off_loop(lambda: 1) == Given(1)
        assert await run_off_loop(leave) == Raised(error)

    asyncio.run(main())


def test_the_function_sees_the_callers_context_and_keeps_its_own() -> None:
    """What it sets stays in its thread."""

    def look() -> str:
        before = NOTE.get()
        NOTE.set("theirs")
        return before

    async def main() -> None:
        NOTE.set("mine")
        assert await run_off_loop(look) == Given("mine")
        assert await run_off_loop(NOTE.get) == Given("mine")

    asyncio.run(main())


def test_threads_are_used_again() -> None:
    """A hundred short calls need no hundred threads."""

    async def main() -> set[object]:
        return {await run_off_loop(threading.get_ident) for _ in range(100)}

    assert len(asyncio.run(main())) <= 2


def test_calls_run_at_the_same_time() -> None:
    """There are as many threads as there are calls: the caller bounds them."""
    meeting = threading.Barrier(20)

    async def main() -> None:
        outcomes = await asyncio.gather(*(run_off_loop(lambda: meeting.wait(5)) for _ in range(20)))
        assert sorted(value_of(one) for one in outcomes) == list(range(20))

    asyncio.run(main())


def test_a_caller_that_stops_waiting_leaves_the_thread_to_itself() -> None:
    """Also when its loop is gone by the time the function ends."""
    free, ended = threading.Event(), threading.Event()

    def work() -> None:
        free.wait(5)
        ended.set()

    async def main() -> None:
        with threads_of() as threads:
            task = asyncio.create_task(run_off_loop(work))
            await asyncio.sleep(0.01)
            assert len(threads) == 1
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert len(threads) == 1
            running.append(threads)

    running: list[set[object]] = []
    asyncio.run(main())
    free.set()
    assert ended.wait(5)
    for _ in range(500):
        if not running[0]:
            break
        time.sleep(0.01)
    assert running == [set()]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # from Python 3.12 on
def test_a_forked_child_starts_threads_of_its_own() -> None:
    """It has none of its parent's: a call handed to one of those would never end."""
    asyncio.run(run_off_loop_twice())
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(asyncio.wait_for(run_off_loop_twice(), 5))
        except BaseException:  # noqa: BLE001 - the child tells by its exit code alone
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


async def run_off_loop_twice() -> None:
    """Run two calls, so that a thread is used again."""
    for _ in range(2):
        assert await run_off_loop(lambda: 1) == Given(1)


def test_an_outcome_is_taken_where_the_function_runs() -> None:
    """For callers that are in a thread already."""
    error = MemoryError()

    def fail() -> None:
        raise error

    assert outcome_of(lambda: 1) == Given(1)
    assert outcome_of(fail) == Raised(error)
    assert value_of(Given(1)) == 1
    with pytest.raises(MemoryError):
        value_of(Raised(error))


def test_an_interrupt_is_the_users_only_in_the_main_thread() -> None:
    """No signal reaches another, so there it is something that the function raised."""
    with pytest.raises(KeyboardInterrupt):
        raised_by(KeyboardInterrupt())
    found: list[Raised] = []
    thread = threading.Thread(target=lambda: found.append(raised_by(KeyboardInterrupt())))
    thread.start()
    thread.join()
    assert isinstance(found[0].error, RuntimeError)
    assert isinstance(found[0].error.__cause__, KeyboardInterrupt)
