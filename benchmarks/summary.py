"""Seconds that Assay needs to summarise a grading of a million grade rows in the store."""

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import polars as pl

from assay.evaluators.decision import Decision
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.tasks.prepare_run import PreparedRun, prepare_run
from assay.tasks.store import open_store
from assay.tasks.summarize import summarize_grading

ASSESSMENTS = ("decided", "scored", "measured", "labelled")
ROWS_A_PART = 100_000
SEED = 20_261_130


def cpu_seconds() -> float:
    """User and system CPU seconds of this process."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def prepare(cases: int) -> PreparedRun:
    """A run of so many cases, planned and not executed."""
    lines = (json.dumps({"id": f"case-{n}", "input": n}) for n in range(cases))
    Path("cases.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    grader = "@evaluator(revision='1')\ndef {0}(sample): return True\n"
    source = "from assay import evaluator\n" + "".join(map(grader.format, ASSESSMENTS))
    Path("graders.py").write_text(source, encoding="utf-8")
    suite = "".join(f"  - {{id: {one}, use: 'graders:{one}'}}\n" for one in ASSESSMENTS)
    Path("experiment.yaml").write_text(
        f"name: many\ndataset: cases.jsonl\ntarget: 'graders:{ASSESSMENTS[0]}.function'\n"
        f"suite:\n{suite}",
        encoding="utf-8",
    )
    return prepare_run("experiment.yaml")


def report_of(assessment: str) -> Report:
    """A report whose identities the rows of the assessment name."""
    metric = Metric(name=assessment)
    if assessment == "decided":
        return Report(metric=metric, decision=Decision(policy="assertion", verdict="pass"))
    return Report(metric=metric, measurement=1.0)


def grades(assessment: str, first: int, count: int, source: random.Random) -> pl.DataFrame:
    """Columns of grade rows with drawn outcomes."""
    report = report_of(assessment)
    none: list[None] = [None] * count
    decided, scored = assessment == "decided", assessment == "scored"
    verdicts = [source.choice(("pass", "fail")) if decided else "" for _ in range(count)]
    return pl.DataFrame(
        {
            "case_id": [f"case-{n}" for n in range(first, first + count)],
            "repeat": pl.Series([0] * count, dtype=pl.Int32),
            "assessment_id": [assessment] * count,
            "key": [f"sha256:{n:064x}" for n in range(first, first + count)],
            "status": ["completed"] * count,
            "error_class": pl.Series(none, dtype=pl.String),
            "error": pl.Series(none, dtype=pl.String),
            "evaluator": [report.metric.digest] * count,
            "metric": [report.metric.digest] * count,
            "observation": [report.observation_digest] * count,
            "policy": pl.Series([report.rule_digest] * count, dtype=pl.String),
            "verdict": verdicts,
            "score": [source.random() if scored else None for _ in range(count)],
            "measurement": [
                source.gauss(0, 1) if assessment == "measured" else None for _ in range(count)
            ],
            "label": [
                source.choice("abcd") if assessment == "labelled" else None for _ in range(count)
            ],
            "report": [report.encode()] * count,
            "reply": pl.Series(none, dtype=pl.String),
            "reused_from": pl.Series(none, dtype=pl.String),
            "attempt": pl.Series([1] * count, dtype=pl.Int32),
            "duration_seconds": [0.001] * count,
            "receipt_digest": [f"sha256:{n:064x}" for n in range(first, first + count)],
        },
        schema_overrides={"score": pl.Float64, "measurement": pl.Float64, "label": pl.String},
    )


def make(rows: int) -> None:
    """Write a run with so many grade rows into the store of the current folder."""
    cases = rows // len(ASSESSMENTS)
    prepared = prepare(cases)
    source = random.Random(SEED)  # noqa: S311 - numbers to count, not to keep secret
    with prepared.grading.writer() as writer:
        for assessment in ASSESSMENTS:
            report = report_of(assessment)
            identities = {
                report.metric.digest: ("metric", report.metric.identity),
                report.observation_digest: ("observation", report.observation),
            }
            for first in range(0, cases, ROWS_A_PART):
                count = min(ROWS_A_PART, cases - first)
                table = grades(assessment, first, count, source).to_arrow()
                writer.commit_table_blocking(table, identities)


def main(rows: int) -> None:
    """Summarise the rows that another process wrote, and print one line of JSON."""
    subprocess.run([sys.executable, __file__, "make", str(rows)], check=True)
    store = open_store("./.assay")
    run = store.run(store.runs()[-1].run_id)
    started, wall = cpu_seconds(), time.perf_counter()
    summary = summarize_grading(run, run.gradings()[-1])
    figures = {
        "cpu_s": cpu_seconds() - started,
        "wall_s": time.perf_counter() - wall,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    graded = sum(one.completed for one in summary.assessments)
    if graded != rows // len(ASSESSMENTS) * len(ASSESSMENTS):
        message = f"expected {rows} grades, got {graded}"
        raise SystemExit(message)
    print(json.dumps(figures))


if sys.argv[1] == "make":
    make(int(sys.argv[2]))
else:
    main(int(sys.argv[1]))
