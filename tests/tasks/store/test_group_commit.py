"""Group commit: when a flush begins, who may wait, and who learns of a failure."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import override

from assay.tasks.store import CommitLimits, StoreError
from assay.tasks.store.group_commit import GroupCommit

_PATIENT = CommitLimits(patience_seconds=30)


class _Journal(GroupCommit[int, tuple[int, ...]]):
    """Writes numbers to a list; odd ones in the hundreds cannot be written."""

    def __init__(
        self, in_flight: Callable[[], int] | None = None, limits: CommitLimits | None = None
    ) -> None:
        super().__init__(place="/journal", in_flight=in_flight, limits=limits)
        self.flushes: list[tuple[int, ...]] = []
        self.threads: set[int] = set()
        self.gate = threading.Event()
        self.gate.set()
        self.error: BaseException | None = None

    async def commit(self, item: int) -> None:
        await self._submit(item)

    def commit_blocking(self, item: int) -> None:
        self._submit_blocking(item)

    @override
    def _prepare(self, items: Sequence[int]) -> tuple[int, ...]:
        if any(item >= 100 and item % 2 for item in items):
            message = "odd"
            raise ValueError(message)
        return tuple(items)

    @override
    def _write(self, payload: tuple[int, ...]) -> None:
        self.gate.wait(10)
        if self.error is not None:
            raise self.error
        self.threads.add(threading.get_ident())
        self.flushes.append(payload)


async def _all(journal: _Journal, items: Sequence[int]) -> list[BaseException | None]:
    return await asyncio.gather(*map(journal.commit, items), return_exceptions=True)


@settings(max_examples=25)
@given(st.lists(st.integers(0, 99), max_size=300), st.integers(0, 8))
def test_every_item_is_written_once_before_its_caller_returns(
    items: list[int], flying: int
) -> None:
    """The law of the ledger, whatever the load and however wrong the number in flight."""

    async def main() -> None:
        journal = _Journal(lambda: flying, CommitLimits(8, 0.002, 32))

        async def one(item: int) -> None:
            await journal.commit(item)
            assert any(item in flush for flush in journal.flushes)

        async with journal:
            await asyncio.gather(*map(one, items))
        assert sorted(item for flush in journal.flushes for item in flush) == sorted(items)
        assert all(len(flush) <= 32 for flush in journal.flushes)

    asyncio.run(main())


def test_a_flush_begins_when_every_trial_in_flight_waits() -> None:
    """Nobody else can come, so waiting longer would only cost time."""

    async def main() -> list[tuple[int, ...]]:
        async with _Journal(lambda: 3, _PATIENT) as journal:
            await _all(journal, [1, 2, 3])
            return journal.flushes

    assert asyncio.run(main()) == [(1, 2, 3)]


def test_a_flush_begins_when_enough_wait() -> None:
    """With thousands in flight a part still does not grow without end."""

    async def main() -> list[tuple[int, ...]]:
        async with _Journal(lambda: 10_000, CommitLimits(4, 30, 8)) as journal:
            await _all(journal, range(4))
            return journal.flushes

    assert asyncio.run(main()) == [(0, 1, 2, 3)]


def test_a_flush_begins_when_the_first_has_waited_long_enough() -> None:
    """Slow neighbours must not hold a receipt back."""

    async def main() -> float:
        begin = time.monotonic()
        async with _Journal(lambda: 2, CommitLimits(patience_seconds=0.05)) as journal:
            await journal.commit(1)
            return time.monotonic() - begin

    assert 0.05 <= asyncio.run(main()) < 5


def test_a_trial_that_leaves_without_a_commit_holds_nobody() -> None:
    """The number in flight falls without any commit telling so."""
    flying = 2

    async def main() -> None:
        nonlocal flying
        async with _Journal(lambda: flying, _PATIENT) as journal:
            waiting = asyncio.create_task(journal.commit(1))
            await asyncio.sleep(0.01)
            assert not waiting.done()
            flying = 1
            await asyncio.wait_for(waiting, 5)

    asyncio.run(main())


def test_more_than_the_limit_wait_for_room() -> None:
    """What a crash can cost is bounded, also when the disk is slow."""

    async def main() -> None:
        journal = _Journal(limits=CommitLimits(2, 0.001, 4))
        journal.gate.clear()
        waiting = [asyncio.create_task(journal.commit(item)) for item in range(10)]
        await asyncio.sleep(0.05)
        assert journal.waiting == 4
        journal.gate.set()
        await asyncio.gather(*waiting)
        await journal.close()
        assert sorted(item for flush in journal.flushes for item in flush) == list(range(10))

    asyncio.run(main())


def test_two_writers_do_not_wait_for_each_other_s_trials() -> None:
    """A trial that waits for its grades cannot bring a receipt at the same time."""
    flying = 5

    async def trial(number: int, receipts: _Journal, grades: _Journal) -> None:
        nonlocal flying
        if number < 3:
            await receipts.commit(number)
        await grades.commit(number)
        flying -= 1

    async def main() -> list[int]:
        receipts = _Journal(lambda: flying - grades.waiting, _PATIENT)
        grades = _Journal(lambda: flying - receipts.waiting, _PATIENT)
        async with receipts, grades:
            trials = [trial(number, receipts, grades) for number in range(5)]
            await asyncio.wait_for(asyncio.gather(*trials), 10)
        return [sum(map(len, one.flushes)) for one in (receipts, grades)]

    assert asyncio.run(main()) == [3, 5]


def test_flushing_stays_off_the_loop() -> None:
    """A slow disk must not stop the targets of other trials."""

    async def main() -> None:
        async with _Journal() as journal:
            await _all(journal, range(50))
        assert journal.threads.isdisjoint({threading.get_ident()})
        assert len(journal.threads) == 1

    asyncio.run(main())


def test_threads_and_a_loop_share_one_writer() -> None:
    """Bulk grading runs in threads beside the loop of the trials."""

    async def main() -> None:
        journal = _Journal()
        with ThreadPoolExecutor(4) as pool:
            threads = [pool.submit(journal.commit_blocking, item) for item in range(50)]
            await _all(journal, range(50, 100))
        for thread in threads:
            thread.result()
        await journal.close()
        assert sorted(item for flush in journal.flushes for item in flush) == list(range(100))

    asyncio.run(main())


def test_an_item_that_cannot_be_written_harms_only_its_caller() -> None:
    """One strange output must not fail sixty neighbours."""

    async def main() -> list[BaseException | None]:
        async with _Journal(lambda: 4, _PATIENT) as journal:
            answers = await _all(journal, [1, 101, 2, 103])
            assert journal.flushes == [(1, 2)]
            await asyncio.wait_for(_all(journal, [4, 5, 6, 7]), 5)
            return answers

    answers = asyncio.run(main())
    assert [type(one) for one in answers] == [type(None), StoreError, type(None), StoreError]
    assert str(answers[1]) == "/journal: a row cannot be stored: ValueError: odd"


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), RuntimeError("bug"), SystemExit(3)]
)
def test_a_failed_flush_reaches_everyone_who_waits_or_comes(error: BaseException) -> None:
    """Nobody hangs, nobody believes that a lost row is safe, and closing says so again."""

    async def main() -> None:
        journal = _Journal(limits=CommitLimits(2, 0.001, 4))
        journal.gate.clear()
        journal.error = error
        waiting = [asyncio.create_task(journal.commit(item)) for item in range(9)]
        await asyncio.sleep(0.02)
        journal.gate.set()
        answers = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 5)
        assert all(isinstance(one, StoreError) for one in answers)
        assert all("/journal: cannot write a part: " in str(one) for one in answers)
        with pytest.raises(StoreError):
            await journal.commit(1)
        with pytest.raises(StoreError):
            await journal.close()
        assert journal.flushes == []

    asyncio.run(main())


def test_a_full_disk_says_what_to_do() -> None:
    """The sentence that a person sees at three in the morning."""
    journal = _Journal()
    journal.error = OSError(28, "No space left on device")
    with pytest.raises(StoreError, match=r"No space left on device; free some space$"):
        journal.commit_blocking(1)


def test_closing_flushes_the_rest_and_ends() -> None:
    """A canceled wait does not take its row back."""

    async def main() -> None:
        journal = _Journal(lambda: 5, _PATIENT)
        waiting = asyncio.create_task(journal.commit(1))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await journal.close()
        await journal.close()
        assert journal.flushes == [(1,)]
        with pytest.raises(StoreError, match="has been closed"):
            await journal.commit(2)

    asyncio.run(main())


def test_a_writer_that_never_wrote_closes_at_once() -> None:
    """A run that is refused early has opened one."""
    with _Journal() as journal:
        pass
    assert journal.flushes == []
