"""Two gradings of a store, paired."""

from collections.abc import Callable

import pytest

from assay.evaluators.errors import InputError, TargetError
from assay.tasks.comparison_report import report_comparison
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.tally import Tally

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]


def _silent(_given: str) -> str:
    raise TargetError("internal", "no")


def test_two_runs_are_compared_by_their_newest_gradings(prepare: Prepare, execute: Execute) -> None:
    """Candidate minus baseline, named by their gradings."""
    worse, better = prepare(lambda given: given), prepare(str.upper)
    execute(worse)
    execute(better)
    report = report_comparison(worse.store, worse.run.run_id, better.run.run_id)
    assert report.baseline == worse.grading.grading_id
    assert report.candidate == better.grading.grading_id
    payload = report.payload()
    (assessment,) = payload["assessments"]  # type: ignore[misc]
    assert assessment["decision_delta"]["passed_delta"] == 3
    assert (payload["matched_cases"], payload["exit_code"]) == (3, 0)
    assert report.verdict_line() == "+0 evaluated trials, +0 trials with errors"


@pytest.mark.parametrize(("policy", "unknown"), [("failed", 0), ("unknown", 3)])
def test_target_failures_count_as_the_candidate_counts_them(
    policy: str, unknown: int, prepare: Prepare, execute: Execute
) -> None:
    """On both sides, or the difference would be one of policies."""
    base, failed = prepare(str.upper), prepare(_silent, target_failures=policy)
    execute(base)
    execute(failed)
    report = report_comparison(base.store, base.run.run_id, failed.run.run_id)
    assert report.comparison.error_delta == 3
    assert report.comparison.candidate.headline.unknown == unknown
    assert report.comparison.baseline.headline.target_failures == policy


def test_gradings_of_other_cases_do_not_belong_together(prepare: Prepare, execute: Execute) -> None:
    """And the sentence names both."""
    one, other = prepare(cases=2), prepare(cases=3)
    execute(one)
    execute(other)
    with pytest.raises(InputError, match=one.grading.grading_id):
        report_comparison(one.store, one.run.run_id, other.run.run_id)
