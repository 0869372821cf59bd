"""Four processes write receipts of the same trials into one run, and two of them are killed."""

import os
import random
import subprocess
import sys
from pathlib import Path

import polars as pl
from disturbed import TRIALS
from fault_table import FaultTable

from assay.tasks.store import case_table, open_store

_WRITER = Path(__file__).with_name("writer.py")
_WRITERS = 4


def test_four_writers_lose_nothing_and_no_trial_counts_twice(
    seed: int, tmp_path: Path, table: FaultTable
) -> None:
    """They take part in one lease; of the receipts of a trial the earliest durable one counts."""
    chance = random.Random(seed)  # noqa: S311 - a seed that can be repeated is wanted
    plan = {"name": "faults", "counts": {"cases": 30, "repeats": 2, "trials": TRIALS}}
    run = open_store(str(tmp_path)).create_run("shared", plan=plan, cases=case_table([]))
    with run.lease("run") as lease:
        writers = [
            subprocess.Popen(
                [sys.executable, str(_WRITER), str(tmp_path), "shared", lease.token, f"w{number}"],
                stdout=subprocess.PIPE,
                env=os.environ,
            )
            for number in range(_WRITERS)
        ]
        doomed, printed = {0: chance.randint(1, TRIALS), 1: chance.randint(1, TRIALS)}, {}
        for number, writer in enumerate(writers):
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(doomed.get(number, 0))]
            if number in doomed:
                writer.kill()
            rest, _ = writer.communicate()
            printed[f'"w{number}"'] = [*lines, *rest.splitlines(keepends=True)]
    stored = pl.concat(pl.read_parquet(part) for part in tmp_path.rglob("executions/*.parquet"))
    for output, lines in printed.items():
        rows = stored.filter(pl.col("output") == output).select("case_id", "repeat").rows()
        acknowledged = {(case, int(repeat)) for case, repeat in map(bytes.split, lines)}
        assert {(case.decode(), repeat) for case, repeat in acknowledged} <= set(rows)
        assert len(rows) == len(set(rows))
    known = sum(map(len, printed.values()))
    counted = run.executions(["case_id", "repeat", "output", "committed_at"])
    assert counted.height == TRIALS
    earliest = stored.group_by("case_id", "repeat").agg(pl.col("committed_at").min())
    joined = counted.join(earliest, on=["case_id", "repeat", "committed_at"])
    assert joined.height == TRIALS
    table.add("four writers at once", kills=len(doomed), acknowledged=known, lost=0, repeated=0)
