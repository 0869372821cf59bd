"""CPU milliseconds that Assay needs for a trial: one Prefect task run, one durable receipt each."""

import asyncio
import json
import resource
import sys
from pathlib import Path

from assay.tasks.prepare_prefect import prepare_prefect

EXPERIMENT = """\
name: trivial
dataset: cases.jsonl
target: target:answer
suite:
  - {id: exact, use: text.equals_expected}
"""
TARGET = """\
async def answer(question):
    return question.upper()
"""


def cpu_seconds() -> float:
    """User and system CPU seconds of this process; a server in another one is not counted."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def write_experiment(count: int) -> Path:
    """The experiment in the current folder."""
    cases = (
        json.dumps({"id": f"case-{n}", "input": f"question {n}", "expected": f"QUESTION {n}"})
        for n in range(count)
    )
    Path("cases.jsonl").write_text("\n".join(cases) + "\n", encoding="utf-8")
    Path("target.py").write_text(TARGET, encoding="utf-8")
    path = Path("experiment.yaml")
    path.write_text(EXPERIMENT, encoding="utf-8")
    return path


async def main(count: int) -> None:
    """Run the experiment and print one line of JSON."""
    prepare_prefect()
    from prefect.client.orchestration import get_client  # noqa: PLC0415 - after its settings

    from assay.flows.evaluate import evaluate_prepared  # noqa: PLC0415 - imports Prefect
    from assay.tasks.prepare_run import prepare_run  # noqa: PLC0415 - its CPU is counted as start

    async with get_client() as client:  # starts the embedded server, which is not a trial's cost
        await client.hello()
    prepared = prepare_run(write_experiment(count))
    started = cpu_seconds()
    report = await evaluate_prepared(prepared)
    spent = cpu_seconds() - started
    if report.summary.trials.graded != count:
        message = f"expected {count} graded trials, got {report.summary.trials.graded}"
        raise SystemExit(message)
    figures = {
        "cpu_ms": spent * 1000 / count,
        "total_ms": cpu_seconds() * 1000 / count,
        "recorded": report.recorded,
    }
    print(json.dumps(figures))


asyncio.run(main(int(sys.argv[1])))
