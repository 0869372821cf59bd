"""CPU milliseconds that pydantic-evals needs for a case of a trivial async task."""

import asyncio
import json
import resource
import sys

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected


def cpu_seconds() -> float:
    """User and system CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def answer(question: str) -> str:
    """The trivial task."""
    return question.upper()


async def main(count: int) -> None:
    """Evaluate and print one line of JSON."""
    cases = [
        Case(name=f"case-{n}", inputs=f"question {n}", expected_output=f"QUESTION {n}")
        for n in range(count)
    ]
    dataset = Dataset(name="trivial", cases=cases, evaluators=[EqualsExpected()])
    started = cpu_seconds()
    report = await dataset.evaluate(answer, max_concurrency=8, progress=False)
    spent = cpu_seconds() - started
    if len(report.cases) != count:
        message = f"expected {count} cases, got {len(report.cases)}"
        raise SystemExit(message)
    print(json.dumps({"cpu_ms": spent * 1000 / count, "total_ms": cpu_seconds() * 1000 / count}))


asyncio.run(main(int(sys.argv[1])))
