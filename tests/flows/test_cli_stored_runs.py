"""Commands on runs that are in the store: whole ones, damaged ones, and ones that do not fit."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.flows.terminal import start_prefect

Assay = Callable[..., Any]
Finish = Callable[..., Any]


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture(autouse=True)
def _no_prefect(monkeypatch: pytest.MonkeyPatch) -> None:
    def started() -> None:
        pytest.fail("Prefect was started for a command that needs none")

    monkeypatch.setattr(start_prefect, "start_prefect", started)


def refuse(said: object, *parts: str) -> None:
    """Check that a command ended with one sentence that holds the parts."""
    code, out, err = said.code, said.out, said.err
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    for part in parts:
        assert part in err


def test_the_beginning_of_an_id_is_enough(assay: Assay, finish: Finish) -> None:
    """Nobody types a run id to its end."""
    finish("monday-1")
    assert "run      monday-1" in assay("show", "mon").out


def test_an_ambiguous_beginning_names_what_it_fits(assay: Assay, finish: Finish) -> None:
    """Showing one of several runs would show the wrong one half of the time."""
    finish("monday-1")
    finish("monday-2")
    refuse(assay("show", "monday"), "'monday' begins 2 run ids: monday-1, monday-2")
    refuse(assay("compare", "monday-1", "monday"), "'monday' begins 2 run ids")
    refuse(assay("regrade", "monday"), "'monday' begins 2 run ids")
    refuse(assay("show", "g2"), "'g2' begins 2 grading ids")


def test_a_misspelt_id_is_answered_with_a_close_one(assay: Assay, finish: Finish) -> None:
    """The right id is what the user was looking for."""
    finish("monday-1")
    refuse(assay("show", "munday-1"), "did you mean monday-1?")


def test_a_grading_is_shown_by_its_own_id(assay: Assay, finish: Finish) -> None:
    """A run has many gradings, and the newest is not always meant."""
    grading = finish("monday-1").grading_id
    assert f"grading  {grading}" in assay("show", grading).out


def test_going_on_with_another_experiment_is_refused(
    folder: Path, assay: Assay, finish: Finish
) -> None:
    """Two targets in one run would be one average of two things."""
    finish("monday-1")
    (folder / "cases.jsonl").write_text('{"id": "a", "input": "other"}\n')
    said = assay("run", "experiment.yaml", "--run-id", "monday-1")
    assert said.code == 2
    assert "got another dataset" in said.err
    assert "new run id" in said.err


def test_runs_of_other_cases_are_not_compared(folder: Path, assay: Assay, finish: Finish) -> None:
    """A difference between other questions is no difference between answers."""
    one = finish("monday-1").grading_id
    (folder / "cases.jsonl").write_text('{"id": "a", "input": "other"}\n')
    other = finish("tuesday-1").grading_id
    refuse(assay("compare", "monday-1", "tuesday-1"), one, other, "cannot be compared")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- [a\nb: }\n", "stricter.yaml, line 2"),
        ("a: 1\n", "expected a list of assessments, got a mapping"),
        ('- {id: g, use: "gone:g"}\n', "expected a module 'gone'"),
        ('- {id: g, use: "graders:nope"}\n', "found no 'nope'"),
    ],
)
def test_a_broken_suite_begins_no_grading(
    folder: Path, assay: Assay, finish: Finish, text: str, sentence: str
) -> None:
    """An empty grading would be the newest one, and be shown in place of the good one."""
    finish("monday-1")
    gradings = folder / ".assay/runs/monday-1/gradings"
    before = sorted(gradings.iterdir())
    (folder / "stricter.yaml").write_text(text)
    refuse(assay("regrade", "monday-1", "--suite", "stricter.yaml"), sentence)
    assert sorted(gradings.iterdir()) == before


def test_a_suite_whose_module_is_gone_can_be_replaced(
    folder: Path, assay: Assay, finish: Finish
) -> None:
    """The receipts are still there, so the sentence says which module they lack."""
    finish("monday-1")
    (folder / "graders.py").unlink()
    refuse(assay("regrade", "monday-1"), "run monday-1", "expected a module 'graders'")


DAMAGED_PLANS = {
    "cut off": ('{"name": "demo", ', "plan.json: expected a JSON object"),
    "no object": ("[1]", "plan.json: expected a JSON object, got list"),
    "of another version": ('{"name": "demo", "counts": {}}', "expected a plan of this version"),
    "no text": ("\0\0\0\0", "plan.json: expected a JSON object"),
}


@pytest.mark.parametrize(("text", "sentence"), DAMAGED_PLANS.values(), ids=DAMAGED_PLANS)
def test_a_damaged_plan_is_named(
    folder: Path, assay: Assay, finish: Finish, text: str, sentence: str
) -> None:
    """A half-written copy of a store is found out by its first reader."""
    finish("monday-1")
    (folder / ".assay/runs/monday-1/plan.json").write_text(text)
    refuse(assay("show", "monday-1"), "monday-1", sentence)
    refuse(assay("regrade", "monday-1"), "monday-1", sentence)
    refuse(assay("run", "experiment.yaml", "--run-id", "monday-1"), "monday-1", sentence)


def test_a_damaged_run_is_listed_with_its_problem(
    folder: Path, assay: Assay, finish: Finish
) -> None:
    """One bad folder must not hide the good ones."""
    finish("monday-1")
    finish("tuesday-1")
    (folder / ".assay/runs/monday-1/plan.json").write_text("{")
    said = assay("list")
    assert said.code == 0
    assert re.search(r"tuesday-1 +2 +demo", said.out)
    assert "monday-1" in said.out
    assert "plan.json" in " ".join(said.out.split())
    runs = {run["run_id"]: run["problem"] for run in assay("list", "--json").json()["runs"]}
    assert runs["tuesday-1"] is None
    assert "plan.json" in runs["monday-1"]


@pytest.mark.parametrize("table", ["executions", "gradings/*"])
def test_a_torn_part_is_named(folder: Path, assay: Assay, finish: Finish, table: str) -> None:
    """Numbers over what happens to be readable would be wrong without a word."""
    finish("monday-1")
    (part,) = (folder / ".assay/runs/monday-1").glob(f"{table}/part-*")
    part.write_bytes(part.read_bytes()[:-100])
    refuse(assay("show", "monday-1"), part.name)


def test_looking_at_runs_needs_no_prefect(assay: Assay, finish: Finish) -> None:
    """Looking at numbers should take a moment, not the start of a server."""
    finish("monday-1")
    for command in (["list"], ["show", "monday-1"], ["compare", "monday-1", "monday-1"]):
        assert assay(*command).code in (0, 3)
