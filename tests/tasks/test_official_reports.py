"""What the official SWE-bench package itself reads and writes is what Assay writes and reads.

The package brings eighty others, so it is no part of the lock file. Install it in an environment of
its own and name that one's interpreter in `SWEBENCH_PYTHON` to run these tests.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from assay.evaluators.swebench import (
    Collection,
    Failure,
    Prediction,
    RunSummary,
    Selection,
    Submission,
    Task,
)
from assay.tasks.collect_artifacts import collect_artifacts
from assay.tasks.write_predictions import write_predictions

PYTHON = os.environ.get("SWEBENCH_PYTHON") or (sys.executable if find_spec("swebench") else "")
SCRIPT = Path(__file__).with_name("write_official_reports.py")
pytestmark = pytest.mark.skipif(
    not PYTHON,
    reason="NOT CHECKED against the official swebench package, which is not installed: "
    "set SWEBENCH_PYTHON to an interpreter that has it",
)


def ran(*lines: str, code: int = 0) -> str:
    """The log of tests that ran."""
    output = [">>>>> Start Test Output", *lines, ">>>>> End Test Output"]
    return "\n".join([*output, f">>>>> Test Exit Code: {code}", ""])


LOGS: dict[str, str | None] = {
    "case-empty": None,
    "case-error": None,
    "case-forged": ran("PASSED test_new", "PASSED test_old", code=1),
    "case-infra": "Cannot allocate memory\n",
    "case-missing": None,
    "case-resolved": ran("PASSED test_new", "PASSED test_old"),
    "case-timeout": ran("Timeout error: 1800 seconds exceeded", "FAILED test_new", code=1),
    "case-unresolved": ran("FAILED test_new - no", "PASSED test_old", code=1),
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """What the package wrote of a submission, laid out as the pinned revision does."""
    folder = tmp_path_factory.mktemp("harness")
    submission = Submission(
        selection=Selection(
            dataset="data",
            revision="0" * 40,
            split="test",
            tasks=[Task(instance_id=name, digest="sha256:" + "0" * 64) for name in LOGS],
        ),
        model="vendor/agent",
        attempt_id="1",
        predictions=[
            Prediction(instance_id=name, patch="" if name == "case-empty" else f"{name}\r\né\n")
            for name in LOGS
            if name != "case-missing"
        ],
    )
    write_predictions(submission, str(folder / "predictions.jsonl"))
    arguments = ("predictions.jsonl", submission.run_id, json.dumps(LOGS))
    subprocess.run([PYTHON, str(SCRIPT), *arguments], cwd=folder, check=True)
    (folder / "logs" / "run_evaluation").rename(folder / "logs" / "evaluation")
    totals = folder / f"vendor__agent.{submission.run_id}.json"
    totals.rename(folder / "logs" / "evaluation" / submission.run_id / "results.json")
    return collect_artifacts(submission, str(folder))


def test_the_official_reports_reconcile_with_the_official_totals(collection: Collection) -> None:
    """Kernel 13.5: every count is the package's own."""
    assert {one.task.instance_id: one.status for one in collection.results} == {
        "case-empty": "empty_patch",
        "case-error": "error",
        "case-forged": "unresolved",
        "case-infra": "unresolved",
        "case-missing": "missing_prediction",
        "case-resolved": "resolved",
        "case-timeout": "unresolved",
        "case-unresolved": "unresolved",
    }
    assert collection.summary == RunSummary(
        total=8,
        submitted=7,
        completed=5,
        resolved=1,
        unresolved=4,
        missing_predictions=1,
        empty_patches=1,
        errors=1,
        infrastructure_failures=1,
        ambiguous_failures=1,
    )


def test_official_advice_is_kept(collection: Collection) -> None:
    """Kernel 13.5: the package's own words."""
    failures = {one.task.instance_id: one.failure for one in collection.results if one.failure}
    assert failures == {
        "case-infra": Failure(kind="infrastructure", reason="out_of_memory"),
        "case-timeout": Failure(kind="ambiguous", reason="tests_timed_out"),
    }


def test_the_exit_status_decides_not_what_the_candidate_prints(collection: Collection) -> None:
    """Fault B46: the log says passed, the exit status 1, and the grade is a zero."""
    [forged] = [one for one in collection.results if one.task.instance_id == "case-forged"]
    assert forged.report().score == 0
