"""`assay resume`: what it says, what it refuses, and that a look changes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.tasks.prepare_run import prepare_run
from assay.tasks.store import open_store

Assay = Callable[..., Any]
Finish = Callable[..., Any]


def _files(folder: Path) -> set[Path]:
    return set((folder / ".assay").rglob("*"))


def test_a_dry_run_says_what_would_be_done_and_does_nothing(folder: Path, assay: Assay) -> None:
    """Exit code 0: nothing was asked of it that it did not do."""
    prepare_run("experiment.yaml", run_id="monday-1")
    before = _files(folder)
    said = assay("resume", "mon", "--dry-run")
    assert (said.code, said.out) == (0, "")
    assert said.err.splitlines() == [
        "run monday-1",
        "2 trials: 0 done, 2 to execute, 0 to grade only",
    ]
    assert _files(folder) == before
    assert not (folder / "calls.log").exists()


@pytest.mark.usefixtures("folder")
def test_a_machine_gets_the_same_as_one_object(assay: Assay, finish: Finish) -> None:
    """A finished run has nothing left, and says so."""
    finish("monday-1")
    assert assay("resume", "monday-1", "--dry-run", "--json").json() == {
        "run_id": "monday-1",
        "experiment": "demo",
        "trials": {
            "planned": 2,
            "to_execute": 0,
            "to_grade": 0,
            "done": 2,
            "failures_kept": 0,
            "failures_retried": 0,
        },
        "grades_kept": 2,
        "warnings": [],
        "exit_code": 0,
    }


def test_a_changed_experiment_is_refused_in_one_sentence(
    folder: Path, assay: Assay, finish: Finish
) -> None:
    """What has changed, and the two ways to go on."""
    finish("monday-1")
    with (folder / "experiment.yaml").open("a") as file:
        file.write("concurrency: 3\n")
    said = assay("resume", "monday-1")
    assert said.code == 2
    assert said.err == (
        "assay: run monday-1: expected the experiment that the run goes by, and something has "
        "changed: concurrency is now 3, not 8; say --use planned or --use current\n"
    )
    assert assay("resume", "monday-1", "--use", "planned", "--dry-run").code == 0
    wrong = assay("resume", "monday-1", "--use", "both")
    assert wrong.code == 2
    assert "--use" in wrong.err


@pytest.mark.prefect
@pytest.mark.parametrize("command", ["resume", "run"])
def test_a_run_that_another_process_writes_is_left_to_it(
    command: str, folder: Path, assay: Assay
) -> None:
    """The sentence says who writes it; the target is not called."""
    prepare_run("experiment.yaml", run_id="monday-1")
    words = ["resume", "monday-1"] if command == "resume" else ["run", "experiment.yaml"]
    flags = [] if command == "resume" else ["--run-id", "monday-1"]
    with open_store(str(folder / ".assay")).run("monday-1").lease("compact"):
        said = assay(*words, *flags, "--json")
    assert said.code == 2
    error = json.loads(said.out)["error"]
    assert error["kind"] == "run"
    assert "run monday-1: is being written by process" in error["message"]
    assert "Traceback" not in said.err
    assert not (folder / "calls.log").exists()


@pytest.mark.prefect
def test_a_run_is_resumed_to_its_end_and_reported(folder: Path, assay: Assay) -> None:
    """Its dataset is not needed any more; the exit code is the run's."""
    prepare_run("experiment.yaml", run_id="monday-1")
    (folder / "cases.jsonl").unlink()
    said = assay("resume", "monday-1", "--json")
    report = said.json()
    assert said.code == report["exit_code"] == 0
    assert report["target_calls"] == report["trials"]["graded"] == 2
    again = assay("resume", "monday-1", "--json").json()
    assert (again["target_calls"], again["grades"]) == (0, {"computed": 0, "reused": 2})
