"""A run from its store alone: what the store keeps is enough, or the sentence says what is not."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.recall_run import current_run, recall_run
from assay.tasks.stored_plan import plan_in_force

_SECRET = "hush-hush-hush"  # noqa: S105 - it opens nothing


def test_a_recalled_run_is_the_one_that_was_planned(graded_folder: Path) -> None:
    """Cases, suite, target and settings: nothing of it is read from the dataset."""
    first = prepare_run(graded_folder / "experiment.yaml", store=str(graded_folder / "store"))
    (graded_folder / "cases.jsonl").unlink()
    for recall in (recall_run, current_run):
        again = recall(first.run, plan_in_force(first.run))
        planned = first.planned
        assert [case.texts for case in again.cases.values()] == [
            case.texts for case in planned.cases.values()
        ]
        assert again.settings == planned.settings
        assert again.target.identity == planned.target.identity
        assert (again.fixture_id, again.counts()) == (planned.fixture_id, planned.counts())
        assert [one.evaluator.descriptor for one in again.suite.assessments] == [
            one.evaluator.descriptor for one in planned.suite.assessments
        ]
        assert again.origin == planned.origin


def test_the_error_policy_of_the_run_stays(graded_folder: Path) -> None:
    """A regrade computes all of a suite; a run that is to fail fast goes on to."""
    with (graded_folder / "experiment.yaml").open("a", encoding="utf-8") as file:
        file.write("error_policy: fail_fast\n")
    first = prepare_run(graded_folder / "experiment.yaml", store=str(graded_folder / "store"))
    assert recall_run(first.run, plan_in_force(first.run)).suite.error_policy == "fail_fast"


def test_without_its_file_the_current_run_is_the_planned_one(graded_folder: Path) -> None:
    """There is nothing else to go by."""
    path = graded_folder / "experiment.yaml"
    first = prepare_run(path, store=str(graded_folder / "store"))
    path.unlink()
    assert current_run(first.run, plan_in_force(first.run)).settings == first.planned.settings


def test_arguments_with_a_secret_need_the_experiment_file(
    graded_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan has them masked, and a masked key opens nothing."""
    monkeypatch.setenv("BOT_KEY", _SECRET)
    path = graded_folder / "experiment.yaml"
    path.write_text(
        "name: graded\ndataset: cases.jsonl\nsuite: suite.yaml\nsecrets: [BOT_KEY]\n"
        f"target: {{command: [{sys.executable}, bot.py, {_SECRET}]}}\n",
        encoding="utf-8",
    )
    first = prepare_run(path, store=str(graded_folder / "store"), run_id="r")
    with pytest.raises(InputError, match=r"hold a secret.*go on with: assay run .* --run-id r"):
        recall_run(first.run, plan_in_force(first.run))
    assert current_run(first.run, plan_in_force(first.run)).counts()["trials"] == 4


def test_assessments_made_in_python_are_resumed_by_their_program(
    address: str, make_plan: Callable[..., Plan]
) -> None:
    """Neither they nor the target can be loaded from a plan."""
    first = prepare_run(make_plan(), store=address)
    with pytest.raises(InputError, match="made in Python"):
        recall_run(first.run, plan_in_force(first.run))
