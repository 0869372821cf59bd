"""What a regrade says that it changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.tally import Tally

Execute = Callable[..., Tally]
Regrade = Callable[..., RegradeReport]


@pytest.fixture
def ran(graded_folder: Path, execute: Execute, address: str) -> PreparedRun:
    """The experiment of the folder, run: `c0` and `c1` match, `c2` and `c3` do not."""
    prepared = prepare_run(graded_folder / "experiment.yaml", store=address)
    execute(prepared)
    return prepared


def _suite(folder: Path, *entries: str) -> Path:
    path = folder / "other.yaml"
    path.write_text("".join(f"- {entry}\n" for entry in entries), encoding="utf-8")
    return path


def test_flips_are_listed_in_the_order_of_the_cases(
    ran: PreparedRun, regrade: Regrade, graded_folder: Path
) -> None:
    """From what to what, and why it could be."""
    suite = _suite(graded_folder, '{id: long, use: "graders:long", with: {minimum: 9}}')
    report = regrade(ran.run.run_id, suite=suite)
    assert [(flip.case_id, flip.before, flip.after) for flip in report.flips] == [
        (f"c{n}", "pass", "fail") for n in range(4)
    ]
    assert report.before == ran.grading.grading_id
    assert report.payload()["flips"][0] == {  # type: ignore[index]
        "case_id": "c0",
        "repeat": 0,
        "assessment_id": "long",
        "before": "pass",
        "after": "fail",
        "reason": "evaluator changed: configuration",
    }
    assert "4 verdicts flipped" in report.verdict_line()


def test_a_verdict_that_was_not_there_flips_too(
    ran: PreparedRun, regrade: Regrade, graded_folder: Path
) -> None:
    """A judge that was down and now decides changes the numbers."""
    broken = _suite(graded_folder, '{id: same, use: "graders:broken"}')
    down = regrade(ran.run.run_id, suite=broken)
    assert [(flip.case_id, flip.before, flip.after) for flip in down.flips] == [
        ("c0", "pass", ""),
        ("c1", "pass", ""),
        ("c2", "fail", ""),
        ("c3", "fail", ""),
    ]
    up = regrade(ran.run.run_id)
    assert up.before == down.report.grading_id
    assert [(flip.case_id, flip.before, flip.after) for flip in up.flips] == [
        ("c0", "", "pass"),
        ("c1", "", "pass"),
        ("c2", "", "fail"),
        ("c3", "", "fail"),
    ]


def test_assessments_of_one_side_flip_nothing(
    ran: PreparedRun, regrade: Regrade, graded_folder: Path
) -> None:
    """A new one has no verdict before, and an old one none after."""
    suite = _suite(graded_folder, '{id: new, use: "graders:same"}')
    assert regrade(ran.run.run_id, suite=suite).flips == ()


def test_the_machine_form_has_the_numbers_of_the_new_grading(
    ran: PreparedRun, regrade: Regrade
) -> None:
    """And says that no target was called."""
    report = regrade(ran.run.run_id)
    payload = report.payload()
    assert payload["target_calls"] == 0
    assert payload["grades"] == {"computed": 0, "reused": 24}
    assert payload["grading_id"] == report.report.grading_id != report.before
    ids = [one["id"] for one in payload["by_assessment"]]  # type: ignore[union-attr, index]
    assert ids == ["same", "long", "facts.length", "facts.first", "awaited", "picky"]
