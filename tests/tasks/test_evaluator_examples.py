"""The example that `assay evaluators` shows of each evaluator, executed as a suite."""

import asyncio
from pathlib import Path

import pytest

from assay.evaluators.case import Case
from assay.evaluators.execution import Execution
from assay.evaluators.registry import READY_MADE
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite
from assay.flows.terminal.show_evaluators import example_entry
from assay.tasks.read_suite import read_suite

UNEXEMPLIFIED = {"trajectory.recorded_run"}
"""Its receipt is a whole record of a run, which no list can show."""

OUTCOMES = {"decision", "score", "measurement", "label"}


def outcomes(report: Report) -> set[str]:
    """The outcomes that a report holds."""
    return {name for name in OUTCOMES if getattr(report, name) is not None}


@pytest.mark.parametrize("use", sorted(READY_MADE.keys() - UNEXEMPLIFIED))
def test_the_example_passes_and_yields_what_is_said(use: str, tmp_path: Path) -> None:
    """An example that nobody ran is a guess."""
    evaluator = READY_MADE[use]
    guide = evaluator.guide
    case = Case.model_validate({"id": "c", "input": "question", **guide.case})
    receipt = {"status": "completed", **guide.receipt}
    suite = Suite(read_suite([example_entry(use, evaluator)], tmp_path))
    run = asyncio.run(suite.run(Sample(case, Execution.from_value(receipt))))
    (result,) = run.result.results
    assert result.status == "completed", result.error
    assert result.report is not None
    assert outcomes(result.report) == set(guide.yields)
    assert result.verdict == ("pass" if "decision" in guide.yields else "")


@pytest.mark.parametrize("use", sorted(READY_MADE))
def test_every_setting_is_explained(use: str) -> None:
    """In the docstring, from which the list takes it."""
    for setting in READY_MADE[use].settings:
        assert setting.meaning, setting.name
