"""A trial between its begin and its end."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from assay.evaluators.assessment import Assessment, AssessmentResult, not_evaluated
from assay.evaluators.errors import EvaluatorError, IncompleteRecording, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite
from assay.tasks.call_target import Failed
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.targets import freeze
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_progress import TrialProgress
from assay.tasks.work_left import GradedBefore

KEY = TrialKey("c", 0)
FAILED = Failed("timeout", "slow", None, datetime.now(UTC), 1.0)


def _assessment(identity: str) -> Assessment:
    @evaluator(revision="1")
    def check(_sample: Sample) -> bool:
        return True

    return Assessment(identity, check)


SUITE = Suite([_assessment("a"), _assessment("b")])
AGAIN = ("timeout",)
REPORT = Report(metric=Metric(name="m"), measurement=1)


def _result(**outcome: object) -> Callable[[str], AssessmentResult]:
    return lambda identity: AssessmentResult(identity, **outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "again"),
    [
        (_result(report=REPORT), False),
        (_result(error=Skip("no")), False),
        (_result(error=IncompleteRecording("no output")), False),
        (_result(error=EvaluatorError("timeout", "slow")), True),
        (_result(error=EvaluatorError("internal", "a bug fails again")), False),
        (not_evaluated, True),
    ],
    ids=[
        "completed",
        "skipped",
        "unverified",
        "failed in passing",
        "failed for good",
        "not evaluated",
    ],
)
def test_what_another_look_may_change_is_missing(
    result: Callable[[str], AssessmentResult],
    again: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """And nothing else is graded twice."""
    progress = TrialProgress(KEY, results={"a": result("a")})
    missing = progress.missing(SUITE, AGAIN)
    assert missing is not None
    assert missing.ids == (("a", "b") if again else ("b",))


def test_what_earlier_processes_graded_is_not_missing() -> None:
    """All of it done, nothing is left to run."""
    progress = TrialProgress(KEY, before=GradedBefore(frozenset(["a"]), attempts=1))
    missing = progress.missing(SUITE, AGAIN)
    assert missing is not None
    assert missing.ids == ("b",)
    done = TrialProgress(KEY, before=GradedBefore(frozenset(["a", "b"]), attempts=1))
    assert done.missing(SUITE, AGAIN) is None


def test_a_trial_that_answered_after_failures_has_not_failed() -> None:
    """Its note has no error class."""
    receipt = freeze(Execution(output=1), NO_SECRETS)
    note = TrialProgress(KEY, attempts=2, failures=[FAILED], receipt=receipt).note()
    assert (note.executed, note.error_class, note.attempts) == (True, None, 2)


def test_a_trial_without_receipt_says_why() -> None:
    """By the class of its last failure; one that never called the target has none."""
    note = TrialProgress(KEY, attempts=1, failures=[FAILED]).note()
    assert (note.executed, note.error_class) == (False, "timeout")
    assert TrialProgress(KEY).note().error_class is None
