"""The lease: one writer at a time, known to be gone when it is, and stopped when it has lost."""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.store import StoreError
from assay.tasks.store.claim import Claim, Claims
from assay.tasks.store.folder import Folder
from assay.tasks.store.holder import Holder, this_process
from assay.tasks.store.lease import Lease, LeaseTimes

_QUICK = LeaseTimes(beat_seconds=0.02, silent_seconds=0.5, watch_seconds=0.2)


def _lease(folder: Folder, purpose: str = "resume", token: str | None = None) -> Lease:
    return Lease(folder, what="run r", purpose=purpose, token=token, times=_QUICK)


def _eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def _is_lost(lease: Lease) -> bool:
    try:
        lease.require_held()
    except StoreError:
        return True
    return False


_ELSEWHERE = Holder("far", "another machine", 1, "1")


def test_a_second_writer_is_told_who_writes(folder: Folder) -> None:
    """Two resumes of one run would call the target twice for each trial."""
    with _lease(folder, "compact") as held:
        held.require_held()
        pattern = rf"^run r: is being written by process \d+ on {socket.gethostname()} \(compact, "
        with pytest.raises(InputError, match=pattern) as refused:
            _lease(folder).acquire()
        assert refused.value.kind == "run"


def test_a_lease_that_was_given_back_is_free(folder: Folder) -> None:
    """One after the other is what it is for; and what was given back allows nothing."""
    with _lease(folder) as first:
        pass
    with _lease(folder) as second:
        second.require_held()
        with pytest.raises(StoreError, match="run r: the lease to write it is not held"):
            first.require_held()


def test_of_many_contenders_one_wins(folder: Folder) -> None:
    """All of them look before any of them claims."""
    leases = [_lease(folder) for _ in range(8)]
    start = threading.Barrier(len(leases))
    won: list[Lease] = []

    def contend(lease: Lease) -> None:
        start.wait()
        try:
            lease.acquire()
        except InputError:
            return
        won.append(lease)

    threads = [threading.Thread(target=contend, args=[lease]) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    won[0].release()


def test_a_killed_holder_of_this_machine_is_known_to_be_gone_at_once(folder: Folder) -> None:
    """Whoever resumes after `kill -9` must not have to wait."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        gone = Holder(socket.gethostname(), this_process().machine, process.pid, "0")
    Claims(folder).make(1, Claim("run", holder=gone))
    begun = time.monotonic()
    with _lease(folder) as lease:
        lease.require_held()
    assert time.monotonic() - begun < _QUICK.watch_seconds


def test_a_later_process_of_the_same_id_is_not_the_holder(folder: Folder) -> None:
    """Process ids come round again, after a reboot at the latest."""
    me = this_process()
    if not me.started:
        pytest.skip("this system does not tell when a process started")
    Claims(folder).make(1, Claim("run", holder=replace(me, started="1")))
    with _lease(folder) as lease:
        lease.require_held()


def test_a_silent_holder_elsewhere_is_replaced_and_a_living_one_is_not(folder: Folder) -> None:
    """Clocks of machines differ, so that the sign of life decides, not the time it bears."""
    claims = Claims(folder)
    old = Claim("run", holder=_ELSEWHERE)
    claim = replace(old, beat_at=old.beat_at.replace(year=2000))
    claims.make(1, claim)
    end = threading.Event()

    def beat() -> None:
        sign = claim
        while not end.wait(0.02):
            sign = replace(sign, beat=sign.beat + 1)
            claims.rewrite(1, sign)

    holder = threading.Thread(target=beat)
    holder.start()
    with pytest.raises(InputError, match="process 1 on far"):
        _lease(folder).acquire()
    end.set()
    holder.join()
    with _lease(folder) as lease:
        lease.require_held()


def test_a_holder_elsewhere_that_was_heard_lately_is_left_alone(folder: Folder) -> None:
    """Nothing is concluded from the seconds between two signs."""
    Claims(folder).make(1, Claim("run", holder=_ELSEWHERE))
    with pytest.raises(InputError, match=r"once it gives no sign for 0\.5 s"):
        _lease(folder).acquire()


def test_a_holder_that_was_replaced_stops(folder: Folder) -> None:
    """It may have been suspended for an hour while another process went on with the run."""
    with _lease(folder, "run") as lease:
        Claims(folder).make(2, Claim("resume", holder=_ELSEWHERE))
        assert _eventually(lambda: _is_lost(lease))
        with pytest.raises(StoreError, match=r"lost the lease .* to process 1 on far \(resume"):
            lease.require_held()
    _, newest = Claims(folder).newest()
    assert newest is not None
    assert not newest.released


def test_the_holder_gives_signs_of_life(folder: Folder) -> None:
    """Without them a long run would be taken for dead."""
    with _lease(folder):
        _, first = Claims(folder).newest()
        assert _eventually(lambda: Claims(folder).newest()[1] != first)


def test_writers_on_several_machines_share_a_lease_by_its_token(folder: Folder) -> None:
    """Shards of one run are written by many, while nobody else resumes it."""
    with _lease(folder, "run") as lease, _lease(folder, "shard", lease.token) as shard:
        shard.require_held()
        assert (lease.joined, shard.joined) == (False, True)
        with pytest.raises(InputError, match="has ended, or somebody else"):
            _lease(folder, "shard", "another token").acquire()
        Claims(folder).make(2, Claim("resume", holder=_ELSEWHERE))
        assert _eventually(lambda: _is_lost(shard))


def test_a_lease_is_taken_and_given_back_beside_an_event_loop(folder: Folder) -> None:
    """The command line holds it around a flow."""

    async def hold() -> str:
        async with _lease(folder) as lease:
            lease.require_held()
            return lease.token

    token = asyncio.run(hold())
    _, claim = Claims(folder).newest()
    assert claim is not None
    assert (claim.token, claim.released) == (token, True)


def test_a_torn_claim_is_named(folder: Folder) -> None:
    """Guessing that nobody holds it could let two write."""
    folder.add("000001.json", b'{"purpose": "ru')
    with pytest.raises(
        StoreError, match=r"000001\.json: expected the claim .* remove it if nobody"
    ):
        _lease(folder).acquire()


def test_foreign_files_beside_claims_do_not_count(folder: Folder) -> None:
    """A file manager may leave some anywhere."""
    folder.add(".DS_Store", b"x")
    folder.add("notes.json", b"x")
    with _lease(folder) as lease:
        lease.require_held()
