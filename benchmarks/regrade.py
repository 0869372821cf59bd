"""CPU microseconds that Assay needs to grade a retained receipt of 2 KB again."""

import asyncio
import json
import resource
import sys
from datetime import UTC, datetime
from pathlib import Path

from assay.tasks.store import ExecutionRow, open_store

EXPERIMENT = """\
name: retained
dataset: cases.jsonl
target: {http: "http://127.0.0.1:9/never-called"}
suite:
  - {id: same, use: "graders:same"}
"""
GRADERS = """\
from assay import evaluator


@evaluator(revision="%d")
def same(sample):
    return sample.output["answer"] == sample.expected
"""


def cpu_seconds() -> float:
    """User and system CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def payload(n: int) -> str:
    """An output of about 2 KB."""
    return json.dumps({"answer": f"answer {n}", "notes": [f"note {n} {k}" * 4 for k in range(40)]})


def write_experiment(count: int) -> Path:
    """The experiment in the current folder."""
    cases = (
        json.dumps({"id": f"case-{n}", "input": n, "expected": f"answer {n}"}) for n in range(count)
    )
    Path("cases.jsonl").write_text("\n".join(cases) + "\n", encoding="utf-8")
    Path("graders.py").write_text(GRADERS % 1, encoding="utf-8")
    path = Path("experiment.yaml")
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


def retain(count: int) -> str:
    """A run with a receipt of every case; its id."""
    from assay.tasks.prepare_run import prepare_run  # noqa: PLC0415 - a benchmark's own order

    prepared = prepare_run(write_experiment(count))
    with prepared.run.execution_writer() as writer:
        for start in range(0, count, 1000):
            writer.commit_table_blocking(receipts(prepared, start, min(start + 1000, count)))
    return prepared.run.run_id


def receipts(prepared: object, start: int, stop: int) -> object:
    """Rows of executions as columns."""
    from assay.evaluators.schema import EXECUTIONS  # noqa: PLC0415 - a benchmark's own order
    from assay.tasks.store.rows import table_of  # noqa: PLC0415 - a benchmark's own order

    now = datetime.now(UTC)
    rows = [
        ExecutionRow(
            case_id=f"case-{n}",
            repeat=0,
            kind="receipt",
            attempts=1,
            status="completed",
            output_present=True,
            output=payload(n),
            started_at=now,
            duration_seconds=1.0,
            case_digest=prepared.planned.cases[f"case-{n}"].digest,
            receipt_digest=f"sha256:{n:064x}",
        )
        for n in range(start, stop)
    ]
    return table_of(rows, EXECUTIONS)


async def regrade(run_id: str, count: int) -> float:
    """CPU microseconds a receipt of one whole regrade, without a host."""
    from assay.tasks.prepare_regrade import prepare_regrade  # noqa: PLC0415 - a benchmark's order
    from assay.tasks.regrade_chunks import grade_all  # noqa: PLC0415 - imports Prefect

    started = cpu_seconds()
    prepared = prepare_regrade(open_store("./.assay"), run_id)
    tally = await grade_all(prepared, no_host)
    spent = cpu_seconds() - started
    if tally.receipts != count:
        message = f"expected {count} receipts, got {tally.receipts}"
        raise SystemExit(message)
    return spent * 1e6 / count


async def no_host(_step: object) -> None:
    """Leave every step to the regrade itself."""


def main(count: int) -> None:
    """Regrade twice and print one line of JSON."""
    run_id = retain(count)
    changed = asyncio.run(regrade(run_id, count))
    unchanged = asyncio.run(regrade(run_id, count))
    print(json.dumps({"cpu_us": changed, "unchanged_us": unchanged}))


main(int(sys.argv[1]))
