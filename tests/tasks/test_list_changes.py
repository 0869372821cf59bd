"""What of an experiment has changed since a run was planned, in phrases."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.tasks.list_changes import changed_code, changed_file, changed_source
from assay.tasks.plan import Plan
from assay.tasks.plan_run import plan_run
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.stored_plan import StoredPlan, plan_in_force

_SHOUT = "def answer(given):\n    return given.upper()\n"


@pytest.fixture
def first(graded_folder: Path) -> PreparedRun:
    """A run that is planned."""
    return prepare_run(graded_folder / "experiment.yaml", store=str(graded_folder / "store"))


@pytest.fixture
def plan(first: PreparedRun) -> StoredPlan:
    """What it goes by."""
    return plan_in_force(first.run)


def test_nothing_has_changed_at_first(
    graded_folder: Path, first: PreparedRun, plan: StoredPlan
) -> None:
    """A file that was touched, commented or spelled otherwise is no other experiment."""
    path = graded_folder / "experiment.yaml"
    path.write_text(f"# a comment\n{path.read_text()}concurrency:   8\nstore: elsewhere\n")
    assert changed_file(plan) == ()
    assert changed_code(plan, first.planned, "r") == ()
    assert changed_source(plan, first.planned) == ()


def test_a_file_that_is_gone_or_never_was_has_not_changed(
    graded_folder: Path, plan: StoredPlan, address: str, make_plan: Callable[..., Plan]
) -> None:
    """Then the plan is all that there is."""
    (graded_folder / "experiment.yaml").unlink()
    assert changed_file(plan) == ()
    assert changed_file(plan_in_force(prepare_run(make_plan(), store=address).run)) == ()


def test_each_changed_setting_is_named_with_both_values(
    graded_folder: Path, plan: StoredPlan
) -> None:
    """Long ones are cut, so that the sentence stays one."""
    path = graded_folder / "experiment.yaml"
    path.write_text(f"{path.read_text()}repeats: 3\ngates: ['pass_rate >= 0.{'1' * 60}']\n")
    repeats, gates = changed_file(plan)
    assert repeats == "repeats is now 3, not 1"
    assert gates.startswith("gates is now [")
    assert len(gates) < 80


def test_a_file_that_cannot_be_read_has_changed(graded_folder: Path, plan: StoredPlan) -> None:
    """Whoever resumes in the middle of an edit is told."""
    (graded_folder / "experiment.yaml").write_text("name: [")
    (said,) = changed_file(plan)
    assert said.startswith("the experiment file cannot be used (")


def test_an_edited_target_is_a_warning_and_another_revision_a_change(
    graded_folder: Path, plan: StoredPlan
) -> None:
    """A digest may change with a comment; a revision is what its owner says."""
    (graded_folder / "bot.py").write_text(f"# edited\n{_SHOUT}")
    edited = plan_run(graded_folder / "experiment.yaml")
    assert len(changed_source(plan, edited)) == 1
    assert changed_code(plan, edited, "r") == ()
    with (graded_folder / "experiment.yaml").open("a") as file:
        file.write("target_revision: v2\n")
    revised = plan_run(graded_folder / "experiment.yaml")
    assert changed_code(plan, revised, "r") == (
        "the target is now bot:answer at revision v2, not bot:answer",
    )


def test_another_evaluator_behind_an_id_is_named(graded_folder: Path, plan: StoredPlan) -> None:
    """Its settings count, as its code does."""
    suite = graded_folder / "suite.yaml"
    suite.write_text(
        suite.read_text().replace('"graders:long"', '"graders:long", with: {minimum: 3}')
    )
    now = plan_run(graded_folder / "experiment.yaml")
    assert changed_code(plan, now, "r") == ("assessment long is graded by another evaluator",)
    assert changed_file(plan) == ("the suite file suite.yaml has other assessments or settings",)
