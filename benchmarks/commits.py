"""Receipts a second and milliseconds until a receipt is acknowledged, beside the bare disk.

P producers each commit a receipt of 2 KB, wait until it is durable, and commit the next. The bare
disk writes, syncs and renames one file of the same 2 KB after the other in the same run.
"""

import asyncio
import json
import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from assay.tasks.store import ExecutionRow, case_table, open_store

PAYLOAD = json.dumps({"answer": "x" * 2000})
RAW_FILES = 200


def percentile(values: list[float], share: float) -> float:
    """The nearest-rank percentile."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * int(share * 100) // 100) - 1)]


def row(number: int) -> ExecutionRow:
    """A receipt of about 2 KB."""
    return ExecutionRow(
        case_id=f"case-{number}",
        repeat=0,
        kind="receipt",
        attempts=1,
        status="completed",
        output_present=True,
        output=PAYLOAD,
        started_at=datetime.now(UTC),
        duration_seconds=0.1,
        case_digest="sha256:case",
        receipt_digest=f"sha256:{number:064x}",
    )


def raw_milliseconds(folder: Path) -> list[float]:
    """How long the bare disk needs for a file: write, sync, rename, sync of the folder."""
    spent = []
    handle = os.open(folder, os.O_RDONLY)
    for number in range(RAW_FILES):
        started = time.perf_counter()
        with (folder / ".new").open("wb") as file:
            file.write(PAYLOAD.encode())
            file.flush()
            os.fsync(file.fileno())
        (folder / ".new").rename(folder / f"{number}")
        os.fsync(handle)
        spent.append((time.perf_counter() - started) * 1000)
    os.close(handle)
    return spent


async def commit_all(folder: Path, producers: int, rows: int) -> dict[str, float]:
    """Receipts a second and acknowledgement times of so many producers."""
    counts = {"cases": 0, "repeats": 1, "trials": 0}
    run = open_store(str(folder)).create_run(
        f"run-{producers}", plan={"name": "commits", "counts": counts}, cases=case_table([])
    )
    spent: list[float] = []
    numbers = iter(range(rows))

    async def produce() -> None:
        for number in numbers:
            started = time.perf_counter()
            await writer.commit(row(number))
            spent.append((time.perf_counter() - started) * 1000)

    async with run.execution_writer(in_flight=lambda: producers) as writer:
        started = time.perf_counter()
        await asyncio.gather(*(produce() for _ in range(producers)))
        seconds = time.perf_counter() - started
    if run.executions(["case_id"]).height != rows:
        message = f"expected {rows} rows"
        raise SystemExit(message)
    return {
        "per_second": rows / seconds,
        "p50_ms": percentile(spent, 0.5),
        "p99_ms": percentile(spent, 0.99),
    }


def main() -> None:
    """Measure and print one line of JSON."""
    with tempfile.TemporaryDirectory(dir=".") as text:
        folder = Path(text).resolve()
        (folder / "raw").mkdir()
        raw = raw_milliseconds(folder / "raw")
        figures = {"raw_p50_ms": percentile(raw, 0.5), "raw_p99_ms": percentile(raw, 0.99)}
        for producers, rows in ((1, 300), (16, 3_000), (128, 12_000)):
            found = asyncio.run(commit_all(folder / "store", producers, rows))
            figures |= {f"{name}_{producers}": value for name, value in found.items()}
    print(json.dumps(figures))


main()
