"""Regrading many receipts: CPU microseconds a receipt and peak memory, by how much has changed.

Run it as `python benchmarks/regrade_many.py [receipts]`. Receipts are of 2 KB, four evaluators look
at each, and each regrade is a process of its own: with nothing changed, with one evaluator of the
four changed, with all of them changed, and with one evaluator alone.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from assay.evaluators.schema import EXECUTIONS
from assay.tasks.prepare_regrade import prepare_regrade
from assay.tasks.prepare_run import prepare_run
from assay.tasks.regrade_chunks import grade_all
from assay.tasks.store import ExecutionRow, open_store
from assay.tasks.store.rows import table_of

SCRIPT = Path(__file__).resolve()
EXPERIMENT = """\
name: retained
dataset: cases.jsonl
target: {http: "http://127.0.0.1:9/never-called"}
suite: suite.yaml
"""
GRADER = """

@evaluator(revision="%s")
def %s(sample):
    return sample.output["answer"] == sample.expected
"""
NAMES = ("same", "second", "third", "fourth")
SCENARIOS = {
    "nothing changed": ("1", "1", "1", "1"),
    "one of four changed": ("1", "1", "1", "2"),
    "all four changed": ("3", "3", "3", "3"),
    "one evaluator alone, changed": ("4",),
}
"""The revisions of the evaluators; the receipts have been graded with revision 1 of each."""


def cpu_seconds() -> float:
    """User and system CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def payload(n: int) -> str:
    """An output of about 2 KB."""
    return json.dumps({"answer": f"answer {n}", "notes": [f"note {n} {k}" * 4 for k in range(40)]})


def write_files(count: int) -> None:
    """The experiment, its cases, and the suites, in the current folder."""
    cases = (
        json.dumps({"id": f"case-{n}", "input": n, "expected": f"answer {n}"}) for n in range(count)
    )
    Path("cases.jsonl").write_text("\n".join(cases) + "\n", encoding="utf-8")
    for revision in ("1", "2", "3", "4"):
        functions = "".join(GRADER % (revision, name) for name in NAMES)
        Path(f"graders_{revision}.py").write_text(f"from assay import evaluator{functions}")
    for file, revisions in {"suite": ("1",) * 4, **SCENARIOS}.items():
        entries = (
            f"- {{id: {name}, use: 'graders_{revision}:{name}'}}\n"
            for name, revision in zip(NAMES, revisions, strict=False)
        )
        Path(f"{file}.yaml").write_text("".join(entries))
    Path("experiment.yaml").write_text(EXPERIMENT, encoding="utf-8")


def retain(count: int) -> None:
    """A run with a receipt of every case, graded once by the old suite."""
    write_files(count)
    prepared = prepare_run("experiment.yaml", run_id="retained")
    now = datetime.now(UTC)
    with prepared.run.execution_writer() as writer:
        for start in range(0, count, 1000):
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
                for n in range(start, min(start + 1000, count))
            ]
            writer.commit_table_blocking(table_of(rows, EXECUTIONS))


def regrade(suite: str) -> dict[str, float]:
    """What one whole regrade without a host costs this process, its imports left out."""
    before = peak_mb()
    started = cpu_seconds()
    prepared = prepare_regrade(open_store("./.assay"), "retained", suite=Path(suite))
    tally = asyncio.run(grade_all(prepared, no_host))
    spent = (cpu_seconds() - started) * 1e6 / tally.receipts
    return {
        "cpu_us": spent,
        "peak_mb": peak_mb(),
        "imports_mb": before,
        "computed": tally.computed.total(),
        "reused": tally.reused.total(),
    }


async def no_host(_step: object) -> None:
    """Leave every step to the regrade itself."""


def peak_mb() -> float:
    """The most memory that this process had at any time."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(*arguments: str) -> dict[str, float]:
    """What a process of this script says in its last line."""
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments], stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def main(count: int) -> None:
    """Measure each scenario in a folder of its own and print one line of JSON."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(json.dumps(figures(count)))
        os.chdir("/")


def figures(count: int) -> dict[str, object]:
    """What each scenario costs, and the floor."""
    # Whatever needs memory runs apart, since a process inherits its parent's peak.
    measured("--retain", str(count))
    measured("--suite", "suite.yaml")
    found = {name: measured("--suite", f"{name}.yaml") for name in SCENARIOS}
    floor = subprocess.run(
        [sys.executable, SCRIPT.with_name("regrade_floor.py"), str(count)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return {**found, "floor": json.loads(floor.stdout)}


match sys.argv[1:]:
    case ["--suite", suite]:
        print(json.dumps(regrade(suite)))
    case ["--retain", count]:
        retain(int(count))
        print("{}")
    case arguments:
        main(int(arguments[0]) if arguments else 100_000)
