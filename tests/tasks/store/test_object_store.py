"""Object stores: no rename, PUTs that fail, listings that lag, and S3 itself by a local server."""

import errno
import itertools
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from uuid import uuid4

import fsspec
import polars as pl
import pyarrow as pa
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from moto.server import ThreadedMotoServer

from assay.evaluators.errors import InputError
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.store import ExecutionRow, GradeRow, RunStore, Store, StoreError, open_store
from assay.tasks.store import remote_folder as remote
from assay.tasks.store.location import open_folder
from assay.tasks.verify_store import verify_store

Make = Callable[..., ExecutionRow]


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The address of a bucket on an S3 server of our own."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        environment.setenv("AWS_ACCESS_KEY_ID", "key")
        environment.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        fsspec.filesystem("s3").mkdir("bucket")
        yield "s3://bucket"
        fsspec.filesystem("s3").clear_instance_cache()
    server.stop()


@pytest.fixture
def s3(bucket: str) -> Store:
    """A store in the bucket that nobody has used."""
    return open_store(f"{bucket}/{uuid4()}")


def _outputs(run: RunStore) -> list[str]:
    return sorted(run.executions(["output"])["output"])


def test_a_run_lives_in_a_bucket(
    s3: Store, plan: dict[str, object], cases: pa.Table, receipt: Make
) -> None:
    """Everything that a run needs: plan, receipts, grades, lease, merge, forgetting, summary."""
    run = s3.create_run("r", plan=plan, cases=cases)
    grading = run.create_grading("g", grading={})
    with (
        run.lease("run") as lease,
        run.execution_writer(lease=lease) as executions,
        grading.writer(lease=lease) as grades,
    ):
        for number in range(3):
            executions.commit_blocking(receipt(f"c{number}", output=f'"{number}"'))
            row = GradeRow(f"c{number}", 0, "a", "k", "completed", "e", "r")
            grades.commit_blocking([row], {"e": ("evaluator", "t")})
        with pytest.raises(InputError, match="is being written by process"):
            open_store(s3.url).run("r").lease("resume").acquire()
    run.add_journal({"kind": "note"})
    grading.write_summary(pl.DataFrame({"value": [1.0]}))
    there = open_store(s3.url).run("r")
    for merger in there.mergers():
        merger.merge_all()
    assert _outputs(there) == ['"0"', '"1"', '"2"']
    assert there.gradings()[0].grades(["case_id"]).height == 3
    there.erase(frozenset(["c1"]), guard=lambda: None)
    assert there.executions(["output"])["output"].null_count() == 1
    assert [fact["kind"] for fact in there.journal()] == ["note", "forget", "forgotten"]
    assert [entry.run_id for entry in s3.runs()] == ["r"]


def test_of_two_runs_of_one_id_one_is_made(
    s3: Store, plan: dict[str, object], cases: pa.Table
) -> None:
    """A conditional PUT decides, because a bucket has no lock."""
    s3.create_run("r", plan=plan, cases=cases)
    with pytest.raises(InputError, match="run r exists already"):
        open_store(s3.url).create_run("r", plan=plan, cases=cases)


def test_a_whole_run_on_s3_verifies(
    bucket: str, execute: Callable[..., object], make_plan: Callable[..., Plan]
) -> None:
    """From the plan to the grades, as `assay run --store s3://…` writes them."""
    store = f"{bucket}/{uuid4()}"
    for number in (5, 2):
        execute(prepare_run(make_plan(cases=number), store=store))
    assert verify_store(open_store(store)) == ()
    assert len(open_store(store).runs()) == 2


_WRITER = textwrap.dedent(
    """
    import asyncio, itertools, os, sys
    from assay.tasks.store import ExecutionRow, open_store

    async def main():
        run = open_store(sys.argv[1]).run("r")
        writer = run.execution_writer(in_flight=lambda: 4)

        async def lane(name):
            for number in itertools.count():
                case = f"{name}-{number}"
                await writer.commit(ExecutionRow(case, 0, "receipt", 1, status="completed",
                                                 receipt_digest="sha256:r"))
                os.write(1, (case + "\\n").encode())

        await asyncio.gather(*map(lane, "abcd"))

    asyncio.run(main())
    """
)


def test_a_killed_writer_loses_nothing_that_s3_acknowledged(
    s3: Store, plan: dict[str, object], cases: pa.Table
) -> None:
    """Promise 2 on an object store: a PUT is there as a whole, or not at all."""
    run = s3.create_run("r", plan=plan, cases=cases)
    command = [sys.executable, "-c", _WRITER, s3.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(0.5)
        process.kill()
        rest, _ = process.communicate()
    acknowledged = {line for line in (first + rest).decode().split("\n") if line}
    assert acknowledged
    assert run.damaged() == ()
    assert acknowledged <= set(run.executions(["case_id"])["case_id"])


class _Unreliable(MemoryFileSystem):
    """Memory whose every third PUT fails, by turns before and after it was done; no rename."""

    protocol = "unreliable"
    store: dict[str, object] = {}  # noqa: RUF012 - shared by all instances, as the parent's is
    pseudo_dirs = [""]  # noqa: RUF012
    puts = itertools.count(1)

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: object) -> None:
        """Put, unless it is the third time."""
        number = next(self.puts)
        if number % 6 == 3:
            raise ConnectionError(errno.ECONNRESET, "connection reset")
        super().pipe_file(path, value, mode=mode)
        if number % 6 == 0:
            raise TimeoutError(errno.ETIMEDOUT, "no answer")

    def mv(self, *_: object, **__: object) -> None:
        """Object stores cannot."""
        raise NotImplementedError

    cp_file = mv


class _Full(_Unreliable):
    """Memory without space."""

    protocol = "full"

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: object) -> None:
        """Refuse parts alone, so that there is a run."""
        if "/part-" in path:
            raise OSError(errno.ENOSPC, "No space left on device")
        MemoryFileSystem.pipe_file(self, path, value, mode=mode)


class _Lagging(MemoryFileSystem):
    """Memory whose listings are as old as the last few changes."""

    protocol = "lagging"
    store: dict[str, object] = {}  # noqa: RUF012
    pseudo_dirs = [""]  # noqa: RUF012
    behind = 3
    history: list[dict[str, object]] = []  # noqa: RUF012

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: object) -> None:
        """Put, and remember what a listing would have shown before."""
        self._remember()
        super().pipe_file(path, value, mode=mode)

    def rm_file(self, path: str) -> None:
        """Remove, and remember."""
        self._remember()
        super().rm_file(path)

    def _remember(self) -> None:
        self.history.append(dict(self.store))
        del self.history[: -self.behind]

    def ls(self, path: str, detail: bool = True, **_: object) -> list[object]:  # noqa: FBT001, FBT002 - fsspec's signature
        """The listing of some changes ago; each look lets it catch up by one."""
        old = self.history.pop(0) if self.history else dict(self.store)
        now, type(self).store = type(self).store, old
        try:
            return list(super().ls(path, detail=detail))
        finally:
            type(self).store = now


class _Late(MemoryFileSystem):
    """Memory that lists a new file only at the third look, and a removed one no more."""

    protocol = "late"
    store: dict[str, object] = {}  # noqa: RUF012
    pseudo_dirs = [""]  # noqa: RUF012
    looks: dict[str, int] = {}  # noqa: RUF012

    def ls(self, path: str, detail: bool = True, **_: object) -> list[object]:  # noqa: FBT001, FBT002
        """The files that were looked for often enough."""
        found = list(super().ls(path, detail=True))
        for entry in found:
            self.looks[entry["name"]] = self.looks.get(entry["name"], 0) + 1
        old = [one for one in found if one["type"] != "file" or self.looks[one["name"]] > 2]
        return old if detail else [one["name"] for one in old]


for system in (_Unreliable, _Full, _Lagging, _Late):
    fsspec.register_implementation(system.protocol, system, clobber=True)


def test_puts_that_fail_now_and_then_lose_nothing(
    plan: dict[str, object], cases: pa.Table, receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a PUT that was not done, nor one that was done and not answered."""
    monkeypatch.setattr(remote, "_FIRST_WAIT_SECONDS", 0.001)
    store = open_store(f"unreliable:///{uuid4()}")
    run = store.create_run("r", plan=plan, cases=cases)
    grading = run.create_grading("g", grading={})
    with run.lease("run") as lease, run.execution_writer(lease=lease) as executions:
        for number in range(100):
            executions.commit_blocking(receipt(f"c{number}"))
    with grading.writer() as grades:
        for number in range(20):
            row = GradeRow(f"c{number}", 0, "a", "k", "completed", "e", "r")
            grades.commit_blocking([row], {f"d{number}": ("metric", "t")})
    for merger in run.mergers():
        merger.merge_all()
    there = open_store(store.url).run("r")
    assert there.damaged() == ()
    ids = [str(row["case_id"]) for batch in there.iter_receipts() for row in batch.to_pylist()]
    assert sorted(ids) == sorted(f"c{number}" for number in range(100))
    assert there.grading("g").grades(["case_id"]).height == 20
    assert len(there.grading("g").identities()) == 20


def test_a_new_file_whose_answer_was_lost_is_not_taken_for_somebody_else_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second attempt finds the name taken: by the first one."""
    monkeypatch.setattr(remote, "_FIRST_WAIT_SECONDS", 0.001)
    folder = open_folder(f"unreliable:///{uuid4()}")
    for name in ("x", "y", "z"):
        monkeypatch.setattr(_Unreliable, "puts", itertools.count(6))  # done, and not answered
        folder.add(name, b"mine")
        with pytest.raises(FileExistsError):
            folder.add(name, b"another's")
    assert folder.names() == ("x", "y", "z")


def test_a_store_without_space_says_so_and_keeps_what_it_has(
    plan: dict[str, object], cases: pa.Table, receipt: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence with the place and what to do; the run can be resumed."""
    monkeypatch.setattr(remote, "_FIRST_WAIT_SECONDS", 0.001)
    run = open_store(f"full:///{uuid4()}").create_run("r", plan=plan, cases=cases)
    writer = run.execution_writer()
    with pytest.raises(
        StoreError, match=r"^full://.*part-.*: cannot write it: No space.*free some"
    ):
        writer.commit_blocking(receipt("c0"))
    with pytest.raises(StoreError, match="free some space"):
        writer.close_blocking()
    assert run.executions().height == 0
    assert run.cases().height == 3


def test_what_was_acknowledged_is_seen_though_the_listing_lags(
    plan: dict[str, object], cases: pa.Table, receipt: Make
) -> None:
    """Whoever was told that a receipt is durable must not execute its trial again."""
    store = open_store(f"lagging:///{uuid4()}")
    run = store.create_run("r", plan=plan, cases=cases)
    assert [entry.run_id for entry in store.runs()] == ["r"]
    with run.execution_writer() as writer:
        for number in range(9):
            writer.commit_blocking(receipt(f"c{number}"))
            assert run.executions(["case_id"]).height == number + 1
            assert run.receipt(f"c{number}", 0) is not None


def test_a_merge_under_a_lagging_listing_loses_nothing(
    plan: dict[str, object], cases: pa.Table, receipt: Make
) -> None:
    """Nobody counts fewer rows, whether it sees the old listing or the new one."""
    run = open_store(f"lagging:///{uuid4()}").create_run("r", plan=plan, cases=cases)
    with run.execution_writer() as writer:
        for number in range(9):
            writer.commit_blocking(receipt(f"c{number}"))
    for merger in run.mergers():
        merger.merge_all()
    other = open_store(run.place.removesuffix("/runs/r")).run("r")
    assert other.executions(["case_id"]).height == 9
    assert run.executions(["case_id"]).height == 9
    with other.lease("resume") as lease:
        lease.require_held()


def test_parts_go_only_when_others_see_what_took_their_place(
    plan: dict[str, object], cases: pa.Table, receipt: Make
) -> None:
    """Else a reader would find neither, and resume what had long been executed."""
    run = open_store(f"late:///{uuid4()}").create_run("r", plan=plan, cases=cases)
    with run.execution_writer() as writer:
        for number in range(4):
            writer.commit_blocking(receipt(f"c{number}"))
    for _ in range(3):
        assert run.executions(["case_id"]).height == 4
    for merger in run.mergers():
        merger.merge_all()
    other = RunStore(open_folder(run.place), run_id="r")
    assert other.executions(["case_id"]).height == 4


def test_a_lease_does_not_depend_on_listings(plan: dict[str, object], cases: pa.Table) -> None:
    """Two resumes that both see an empty listing must not both hold the run."""
    store = open_store(f"lagging:///{uuid4()}")
    run = store.create_run("r", plan=plan, cases=cases)
    with run.lease("run"):
        _Lagging.history[:] = [{}] * 9
        with pytest.raises(InputError, match="is being written by process"):
            RunStore(open_folder(run.place), run_id="r").lease("resume").acquire()
    _Lagging.history.clear()
