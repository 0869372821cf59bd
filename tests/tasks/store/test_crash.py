"""Writers that are killed: what they acknowledged is there, and nothing is torn."""

import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pyarrow as pa

from assay.evaluators.schema import EXECUTIONS
from assay.tasks.store import ExecutionRow, RunStore, new_grading_id, open_store
from assay.tasks.store.rows import table_of
from assay.tasks.store.stamp import row_digests

_WRITER = textwrap.dedent(
    """
    import asyncio, itertools, os, sys
    from assay.tasks.store import ExecutionRow, GradeRow, open_store

    url, grading_id, name = sys.argv[1:]

    async def main():
        run = open_store(url).run("r")
        executions = run.execution_writer(in_flight=lambda: 8)
        grades = run.grading(grading_id).writer(in_flight=lambda: 8)

        async def trial(lane):
            for number in itertools.count():
                case = f"{name}-{lane}-{number}"
                await executions.commit(ExecutionRow(
                    case, 0, "receipt", 1, status="completed", output_present=True,
                    output='"' + case * 20 + '"', receipt_digest="sha256:" + case))
                await grades.commit(
                    [GradeRow(case, 0, one, "k", "completed", "e", "r") for one in "ab"],
                    {f"{case}": ("metric", case)})
                os.write(1, (case + "\\n").encode())

        await asyncio.gather(*map(trial, range(8)))

    asyncio.run(main())
    """
)


def _killed(url: str, grading_id: str, *, writers: int, seconds: float) -> list[str]:
    """The trials that several processes had acknowledged when they were killed together."""
    command = [sys.executable, "-c", _WRITER, url, grading_id]
    processes = [
        subprocess.Popen([*command, f"w{number}"], stdout=subprocess.PIPE)
        for number in range(writers)
    ]
    acknowledged = []
    for process in processes:
        assert process.stdout is not None
        acknowledged.append(process.stdout.readline())
    time.sleep(seconds)
    for process in processes:
        process.kill()
    for process in processes:
        rest, _ = process.communicate()
        acknowledged.append(rest)
    lines = b"".join(acknowledged).decode().split("\n")
    return [line for line in lines if line]


def _stored(run: RunStore) -> set[str]:
    batches = list(run.iter_receipts())
    table = pa.Table.from_batches(batches)
    assert row_digests(table).to_pylist() == table["row_digest"].to_pylist()
    return set(table["case_id"].to_pylist())


def test_killed_writers_lose_nothing_that_they_acknowledged(
    tmp_path: Path, plan: dict[str, object], cases: pa.Table
) -> None:
    """Promise 2, with SIGKILL at a random moment, twice, two processes writing into one run."""
    run = open_store(str(tmp_path)).create_run("r", plan=plan, cases=cases)
    grading = run.create_grading(new_grading_id(), grading={})
    moments = random.Random()  # noqa: S311 - any moment will do
    for _ in range(2):
        seconds = moments.uniform(0.05, 0.6)
        acknowledged = _killed(str(tmp_path), grading.grading_id, writers=2, seconds=seconds)
        assert len(acknowledged) > 0
        assert run.damaged() == grading.damaged() == ()
        assert set(acknowledged) <= _stored(run)
        graded = grading.grades(["case_id", "assessment_id", "metric"])
        assert graded.height % 2 == 0
        assert {(case, one) for case in acknowledged for one in "ab"} <= set(
            graded.select("case_id", "assessment_id").rows()
        )
        assert set(acknowledged) <= set(grading.identities())


_KEEPER = textwrap.dedent(
    """
    import sys
    from assay.tasks.store import merge, open_store

    merge._FULL_BYTES, merge._PIECE_BYTES, merge._BATCH_ROWS = 40_000, 40_000, 50
    run = open_store(sys.argv[1]).run("r")
    print("ready", flush=True)
    with run.lease("compact") as lease:
        for merger in run.mergers(lease.require_held):
            merger.merge_all()
    """
)


def test_killed_compactions_lose_nothing(
    tmp_path: Path, plan: dict[str, object], cases: pa.Table
) -> None:
    """SIGKILL while parts are merged, several times in a row; the next one takes the lease over."""
    run = open_store(str(tmp_path)).create_run("r", plan=plan, cases=cases)
    ids = [f"c{number:04d}" for number in range(600)]
    for start in range(0, len(ids), 10):
        with run.execution_writer() as writer:
            rows = [
                ExecutionRow(one, 0, "failure", 1, error=one) for one in ids[start : start + 10]
            ]
            writer.commit_table_blocking(table_of(rows, EXECUTIONS))
    before = run.executions().sort("row_digest")
    moments = random.Random()  # noqa: S311 - any moment will do
    for _ in range(4):
        command = [sys.executable, "-c", _KEEPER, str(tmp_path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(moments.uniform(0.0, 0.25))
            process.kill()
        assert run.executions().sort("row_digest").equals(before)
        assert run.damaged() == ()
    with run.lease("compact") as lease:
        for merger in run.mergers(lease.require_held):
            merger.merge_all()
    assert run.executions().sort("row_digest").equals(before)
    assert run.execution_parts().table(["case_id"]).num_rows == len(before)
