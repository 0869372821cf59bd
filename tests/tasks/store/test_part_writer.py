"""The writer of executions."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from assay.evaluators.schema import EXECUTIONS
from assay.tasks.store import ExecutionRow, PartWriter, StoreError
from assay.tasks.store.folder import Folder
from assay.tasks.store.local_folder import LocalFolder
from assay.tasks.store.part_kind import EXECUTION_PARTS
from assay.tasks.store.parts import Parts
from assay.tasks.store.rows import table_of

Make = Callable[..., ExecutionRow]


def _case_ids(folder: Folder) -> list[str]:
    ids: list[str] = Parts(folder, EXECUTIONS).table(["case_id"])["case_id"].to_pylist()
    return ids


def test_a_row_is_readable_when_its_commit_returns(folder: Folder, receipt: Make) -> None:
    """Promise 2: a trial that has returned is durable."""

    async def main() -> None:
        async with PartWriter[ExecutionRow](folder, EXECUTION_PARTS) as writer:
            for number in range(5):
                await writer.commit(receipt(f"c{number}"))
                assert f"c{number}" in _case_ids(folder)

    asyncio.run(main())


def test_trials_that_wait_together_share_a_part(folder: Folder, receipt: Make) -> None:
    """The number of files stays small under load."""

    async def main() -> None:
        async with PartWriter[ExecutionRow](
            folder, EXECUTION_PARTS, in_flight=lambda: 20
        ) as writer:
            await asyncio.gather(*(writer.commit(receipt(f"c{number}")) for number in range(20)))

    asyncio.run(main())
    assert len(folder.names()) == 1
    assert len(_case_ids(folder)) == 20


def test_tables_and_rows_go_through_one_writer(folder: Folder, receipt: Make) -> None:
    """Bulk work brings columns, and none of its rows becomes a Python object."""
    table = table_of([receipt("t0"), receipt("t1")], EXECUTIONS)

    async def main() -> None:
        async with PartWriter[ExecutionRow](folder, EXECUTION_PARTS) as writer:
            await asyncio.gather(writer.commit_table(table), writer.commit(receipt("r0")))
            await asyncio.to_thread(writer.commit_table_blocking, table)
            await asyncio.to_thread(writer.commit_blocking, receipt("r1"))

    asyncio.run(main())
    assert sorted(_case_ids(folder)) == ["r0", "r1", "t0", "t0", "t1", "t1"]


def test_a_table_that_does_not_fit_is_refused_without_harm(folder: Folder, receipt: Make) -> None:
    """The writer goes on for everybody else."""
    with PartWriter[ExecutionRow](folder, EXECUTION_PARTS) as writer:
        with pytest.raises(StoreError, match="cannot be stored: ValueError: columns missing"):
            writer.commit_table_blocking(pa.table({"x": [1]}))
        writer.commit_blocking(receipt("c0"))
    assert _case_ids(folder) == ["c0"]


def test_two_writers_of_one_folder_never_meet(folder: Folder, receipt: Make) -> None:
    """Every worker process has its own writer into the shared store."""

    def work(name: str) -> None:
        with PartWriter[ExecutionRow](folder, EXECUTION_PARTS) as writer:
            for number in range(20):
                writer.commit_blocking(receipt(f"{name}{number}"))

    threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(_case_ids(folder))) == 60


def test_a_folder_that_is_lost_meanwhile_is_named(tmp_path: Path, receipt: Make) -> None:
    """Fault B25: an error while saving ends the run aloud, and what was saved before stays."""
    folder = LocalFolder(tmp_path / "executions")
    writer = PartWriter[ExecutionRow](folder, EXECUTION_PARTS)
    writer.commit_blocking(receipt("c0"))
    (tmp_path / "executions").rename(tmp_path / "moved")
    (tmp_path / "executions").write_bytes(b"")
    for _ in range(2):
        with pytest.raises(StoreError, match=rf"^{tmp_path}/executions/part-.*: cannot write it"):
            writer.commit_blocking(receipt("c1"))
    with pytest.raises(StoreError):
        writer.close_blocking()
    assert _case_ids(LocalFolder(tmp_path / "moved")) == ["c0"]
