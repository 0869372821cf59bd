"""Something that happens once, for threads and loops."""

import asyncio
import threading

from assay.tasks.store.signal import Signal


def test_waiters_of_every_kind_go_on() -> None:
    """Trials wait on a loop, bulk grading in threads, and one flush serves both."""
    signal = Signal()
    thread = threading.Thread(target=signal.wait)
    thread.start()

    async def many() -> int:
        waiting = [asyncio.create_task(signal.fired()) for _ in range(100)]
        await asyncio.sleep(0)
        await asyncio.to_thread(signal.fire)
        return len(await asyncio.gather(*waiting))

    assert asyncio.run(many()) == 100
    thread.join(5)
    assert not thread.is_alive()


def test_who_comes_late_does_not_wait() -> None:
    """Otherwise a commit that is durable already would hang."""
    signal = Signal()
    signal.fire()
    signal.wait()
    asyncio.run(signal.fired())


def test_one_waiter_that_gives_up_leaves_the_others_waiting() -> None:
    """A canceled trial must not wake its neighbours before their rows are durable."""

    async def main() -> tuple[bool, bool]:
        signal = Signal()
        given_up, patient = (asyncio.create_task(signal.fired()) for _ in range(2))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.sleep(0)
        before = patient.done()
        signal.fire()
        await patient
        return before, given_up.cancelled()

    assert asyncio.run(main()) == (False, True)


def test_a_closed_loop_disturbs_nobody() -> None:
    """A run that was interrupted has closed its loop before the last flush ends."""
    signal = Signal()

    async def leave() -> None:
        waiting = asyncio.create_task(signal.fired())
        await asyncio.sleep(0)
        waiting.cancel()

    asyncio.run(leave())
    signal.fire()
    signal.wait()
