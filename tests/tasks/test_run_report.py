"""The report of a grading, read from the store alone."""

from collections.abc import Callable

import pytest

from assay.evaluators.errors import TargetError
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import report_run
from assay.tasks.tally import Tally

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]


def _sometimes(given: str) -> str:
    if given == "q0":
        raise TargetError("refused", "no")
    return given.upper() if given == "q1" else given


def test_counts_are_receipts_against_the_plan(prepare: Prepare, execute: Execute) -> None:
    """A trial that left nothing is not run, whatever a host believes."""
    prepared = prepare(_sometimes, cases=4)
    empty = report_run(prepared.run, prepared.grading)
    assert (empty.summary.trials.not_run, empty.exit_code) == (4, 3)
    tally = execute(prepared)
    report = report_run(prepared.run, prepared.grading, tally)
    trials = report.summary.trials
    assert (trials.planned, trials.graded, trials.target_failed, trials.not_run) == (4, 3, 1, 0)
    assert report.verdict_line() == "1 of 4 trials to be judged passed (4 planned)"
    payload = report.payload()
    assert payload["target_calls"] == 4
    assert payload["grades"] == {"computed": 3, "reused": 0}
    assert payload["experiment"] == "plan"


@pytest.mark.parametrize(
    ("gates", "code"), [([], 0), (["pass_rate >= 0.25"], 0), (["pass_rate > 0.25"], 1)]
)
def test_the_gates_of_the_plan_decide_the_exit_code(
    gates: list[str], code: int, prepare: Prepare, execute: Execute
) -> None:
    """Now and whenever the run is shown again."""
    prepared = prepare(_sometimes, cases=4, gates=gates)
    execute(prepared)
    report = report_run(prepared.run, prepared.grading)
    assert report.exit_code == code
    assert [gate.rule for gate in report.gates] == gates
    if gates:
        assert report.verdict_line().endswith("; gates: pass" if code == 0 else "; gates: fail")


def test_the_policy_on_target_failures_is_the_experiments(
    prepare: Prepare, execute: Execute
) -> None:
    """An unknown trial leaves a run without gates undecided."""
    prepared = prepare(_sometimes, cases=4, target_failures="unknown")
    execute(prepared)
    report = report_run(prepared.run, prepared.grading)
    assert (report.summary.headline.unknown, report.exit_code) == (1, 3)


def test_a_report_leaves_the_summary_beside_the_grades(prepare: Prepare, execute: Execute) -> None:
    """Derived: it may be deleted and made again."""
    prepared = prepare()
    execute(prepared)
    assert prepared.grading.summary() is None
    report_run(prepared.run, prepared.grading)
    assert prepared.grading.summary() is not None
