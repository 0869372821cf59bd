"""The harness's folder is read, on a disk or elsewhere, and nothing else happens to it."""

import json
from pathlib import Path

import fsspec
import pytest

from assay.evaluators.swebench import (
    InvalidArtifacts,
    NoGrade,
    Prediction,
    Selection,
    Submission,
    Task,
)
from assay.tasks.collect_artifacts import collect_artifacts

SUBMISSION = Submission(
    selection=Selection(
        dataset="data",
        revision="0" * 40,
        split="test",
        tasks=[Task(instance_id="a", digest="sha256:" + "0" * 64)],
    ),
    model="vendor/agent",
    attempt_id="1",
    predictions=[Prediction(instance_id="a", patch="--- a\r\n+++ é\r\n")],
)
RUN = f"logs/evaluation/{SUBMISSION.run_id}"
STATUS = {
    name: {"success": ["t"], "failure": []}
    for name in ("FAIL_TO_PASS", "PASS_TO_PASS", "FAIL_TO_FAIL", "PASS_TO_FAIL")
}
REPORT = {
    "a": {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": True,
        "resolved": True,
        "infra_failure": False,
        "tests_status": STATUS,
    }
}
KINDS = ("resolved", "unresolved", "infra_failure", "ambiguous_failure", "empty_patch", "error")


def totals(kind: str, *, completed: bool) -> dict[str, object]:
    """The totals of the one task, which is of this kind."""
    lists = {
        "submitted": ["a"],
        "completed": ["a"] if completed else [],
        **{name: ["a"] if name == kind else [] for name in KINDS},
    }
    return {
        "total_instances": 1,
        **{f"{name}_instances": len(ids) for name, ids in lists.items()},
        **{f"{name}_ids": ids for name, ids in lists.items()},
        "incomplete_ids": [],
        "failure_reasons": {},
        "schema_version": 2,
    }


FILES = {
    f"{RUN}/vendor__agent/a/patch.diff": SUBMISSION.predictions[0].patch.encode(),
    f"{RUN}/vendor__agent/a/report.json": json.dumps(REPORT).encode(),
    f"{RUN}/results.json": json.dumps(totals("resolved", completed=True)).encode(),
}


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Put the files below the folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def below(folder: Path) -> dict[str, bytes]:
    """Every file below the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_folder_is_collected_and_left_as_it_is(tmp_path: Path) -> None:
    """Kernel 13.3: the layout, and a view that only reads."""
    write(tmp_path, FILES)
    collection = collect_artifacts(SUBMISSION, str(tmp_path))
    assert [one.status for one in collection.results] == ["resolved"]
    assert below(tmp_path) == FILES


def test_the_folder_may_be_anywhere() -> None:
    """The harness may run on another machine and leave its files in a bucket."""
    memory = fsspec.filesystem("memory")
    for path, content in FILES.items():
        memory.pipe_file(f"/swebench-run/{path}", content)
    collection = collect_artifacts(SUBMISSION, "memory://swebench-run/")
    assert collection.summary.resolved == 1


def test_no_report_is_an_error_without_a_grade(tmp_path: Path) -> None:
    """Kernel 13.3: absence of the report alone is no abort."""
    write(tmp_path, {f"{RUN}/results.json": json.dumps(totals("error", completed=False)).encode()})
    [one] = collect_artifacts(SUBMISSION, str(tmp_path)).results
    assert (one.status, one.completed) == ("error", False)
    assert isinstance(one.error, NoGrade)


@pytest.mark.parametrize("path", FILES)
def test_what_cannot_be_read_aborts_the_collection(tmp_path: Path, path: str) -> None:
    """Kernel 13.3: a folder in the file's place is not its absence."""
    write(tmp_path, {name: content for name, content in FILES.items() if name != path})
    (tmp_path / path).mkdir(parents=True)
    with pytest.raises(InvalidArtifacts, match="expected a readable file") as raised:
        collect_artifacts(SUBMISSION, str(tmp_path))
    assert isinstance(raised.value.__cause__, OSError)


@pytest.mark.parametrize("folder", ["", "nowhere"])
def test_an_empty_folder_has_nothing_to_collect(tmp_path: Path, folder: str) -> None:
    """Kernel 13 example 5: totals that are absent."""
    with pytest.raises(InvalidArtifacts, match=r"expected (text|a file)"):
        collect_artifacts(SUBMISSION, folder and str(tmp_path / folder))
