"""Regrading from the command line: what was asked for, what is said, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.flows.terminal import start_prefect
from assay.tasks.store import open_store

Assay = Callable[..., Any]
Finish = Callable[..., Any]

STRICTER = (
    '- {id: same, use: "graders:same"}\n- {id: words, use: "graders:words", with: {limit: 0}}\n'
)


@pytest.fixture
def stricter(folder: Path) -> Path:
    """A suite file."""
    path = folder / "stricter.yaml"
    path.write_text(STRICTER)
    return path


@pytest.mark.usefixtures("stricter")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "expected a run; --all grades every run of the store"),
        (("monday", "--only", "tone"), "--only: expected changed, failed, fail, same, got 'tone'"),
        (("monday", "--only", "same", "--fresh"), "--fresh, --only: expected one of them"),
        (("monday", "--since", "2026-01-01"), "expected --since beside --all only"),
        (("monday", "--dataset", "no.jsonl"), "no.jsonl"),
        (("--all",), "--all: expected --suite FILE"),
        (("monday", "--all", "--suite", "stricter.yaml"), "--all: expected no RUN beside it"),
        (("--all", "--suite", "stricter.yaml", "--only", "same"), "expected no --only beside it"),
        (("--all", "--suite", "stricter.yaml", "--dataset", "x"), "expected no --dataset beside"),
        (("--all", "--suite", "stricter.yaml", "--since", "soon"), "--since: expected a date"),
        (("--all", "--suite", "gone.yaml"), "gone.yaml"),
    ],
)
def test_wrong_use_costs_one_sentence(
    arguments: tuple[str, ...],
    sentence: str,
    assay: Assay,
    finish: Finish,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before Prefect is started, and before a grading is begun."""
    finish("monday")
    monkeypatch.setattr(start_prefect, "start_prefect", lambda: pytest.fail("Prefect was started"))
    said = assay("regrade", *arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert sentence in said.err
    assert len(open_store(str(folder / ".assay")).run("monday").grading_ids()) == 1


@pytest.mark.prefect
def test_a_regrade_says_what_it_did(
    assay: Assay, finish: Finish, folder: Path, stricter: Path
) -> None:
    """What was asked for is computed; what was not, and could not be carried over, is named."""
    finish("monday")
    said = assay("regrade", "monday", "--suite", str(stricter), "--only", "same", "--json")
    answer = said.json()
    assert answer["by_assessment"] == [
        {"id": "same", "reused": 0, "computed": 2, "failed": 0, "not_evaluated": 0},
        {"id": "words", "reused": 0, "computed": 0, "failed": 0, "not_evaluated": 2},
    ]
    assert (answer["carried"], answer["left_out"], answer["flips"]) == ({}, None, [])
    assert said.code == answer["exit_code"] == 3, "trials that nobody graded are unknown"

    (folder / "corrected.jsonl").write_text(
        '{"id": "a", "input": "one", "expected": "two"}\n{"id": "c", "input": "three"}\n'
    )
    said = assay("regrade", "monday", "--dataset", "corrected.jsonl")
    assert "left out, vanished: 1 (b)" in said.out
    assert "left out, new: 1 (c)" in said.out
    assert "left out, changed input: 0" in said.out
    assert "a#0 same: pass -> fail (expected value changed)" in said.out
    assert "target calls: 0" in said.out


@pytest.mark.prefect
def test_all_runs_are_shown_as_a_series(
    assay: Assay, finish: Finish, folder: Path, stricter: Path
) -> None:
    """One row a run, and a reason for each that has none."""
    finish("monday")
    finish("tuesday")
    broken = folder / ".assay" / "runs" / "wednesday"
    broken.mkdir()
    (broken / "plan.json").write_text("{")
    (folder / "calls.log").unlink()
    said = assay("regrade", "--all", "--suite", str(stricter))
    assert said.code == 0
    lines = said.out.splitlines()
    assert [line.split()[-2:] for line in lines if line.endswith(" 2")] == [["2", "2"]] * 2
    assert "skipped: wednesday: " in said.out
    assert lines[-1] == "3 runs: 2 graded, 1 skipped, 0 failed; target calls: 0"
    answer = assay("regrade", "--all", "--suite", str(stricter), "--json").json()
    assert [row["run_id"] for row in answer["runs"]] == ["wednesday", "monday", "tuesday"]
    assert [row["grades"] for row in answer["runs"]] == [
        None,
        {"computed": 0, "reused": 4},
        {"computed": 0, "reused": 4},
    ]
    assert json.dumps(answer["target_calls"]) == "0"
    assert not (folder / "calls.log").exists()
