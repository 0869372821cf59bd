"""One case, one execution of it, and one suite over the receipt."""

from dataclasses import dataclass, field

from assay.evaluators.cancellation import Cancellation, current_cancellation, governed_by
from assay.evaluators.case import Case
from assay.evaluators.deadline import call_within
from assay.evaluators.errors import (
    AssayError,
    InvalidCase,
    InvalidExecution,
    InvalidTrial,
    TargetError,
)
from assay.evaluators.execution import Execution
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.evaluators.open_map import OpenMap
from assay.evaluators.outcome import Expired, Raised, TimedOutcome
from assay.evaluators.sample import Sample
from assay.evaluators.suite import Suite, SuiteResult
from assay.evaluators.target import Target


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a suite found for one case and repeat.

    Attributes:
        case_id: The case.
        suite: A result for every planned assessment.
        repeat: Which repeat, from 0.
        metadata: The case's metadata.
    """

    case_id: str
    suite: SuiteResult
    repeat: int = 0
    metadata: OpenMap = field(default_factory=OpenMap)


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What a trial left behind.

    Attributes:
        case: The case's result; all assessments not evaluated where there was no receipt.
        execution: The receipt, or None.
        execution_error: Why there is no receipt, or None.
    """

    case: CaseResult
    execution: Execution | None = None
    execution_error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class TrialRun:
    """A trial's result, together with why it ended early; a failed assessment is no error."""

    result: TrialResult
    error: BaseException | None = None


class Trial:
    """A target and a suite.

    Raises:
        InvalidTrial: when either is missing.
    """

    def __init__(self, target: Target[object], suite: Suite) -> None:
        if isinstance(target, type) or not callable(getattr(target, "run", None)):
            msg = f"trial.target: expected a target, got {type(target).__name__}"
            raise InvalidTrial(msg)
        _require(suite, Suite, "trial.suite", InvalidTrial)
        self.target = target
        self.suite = suite

    async def run(
        self,
        case: Case,
        *,
        repeat: int = 0,
        cancellation: Cancellation | None = None,
        timeout_seconds: float | None = None,
        limits: Limits = NO_LIMITS,
    ) -> TrialRun:
        """Call the target once, then the suite on its receipt.

        A receipt survives failed and cancelled grading; one without output is graded as well.

        Args:
            case: Its input goes to the target.
            repeat: Which repeat, from 0.
            cancellation: The caller's token.
            timeout_seconds: Of the target's call, or None.
            limits: Of the evaluators' calls.

        Raises:
            InvalidCase: when the case is none, or its suite was not read into assessments.
            InvalidEvaluatorConfig: when an id of the case's own suite is one of the trial's too.
        """
        _require(case, Case, "trial.case", InvalidCase)
        token = cancellation or current_cancellation()
        suite = self.suite.extended(case.assessments)
        if token.canceled:
            return _ended(case, repeat, suite.nothing(token.cause), token.cause)
        with governed_by(token):
            answer = await call_within(lambda: self.target.run(case.input), timeout_seconds)
        execution = receipt_of(answer)
        if not isinstance(execution, Execution):
            return _ended(case, repeat, suite.nothing(), execution)
        run = await suite.run(Sample(case, execution, repeat), cancellation=token, limits=limits)
        result = CaseResult(case.id, run.result, repeat, case.metadata)
        return TrialRun(TrialResult(result, execution), run.error)


def receipt_of(answer: TimedOutcome[Execution]) -> Execution | BaseException:
    """The receipt of a target's call, or why there is none."""
    if isinstance(answer, Expired):
        return TargetError("timeout", f"the target took longer than {answer.seconds:g} s")
    if isinstance(answer, Raised):
        return answer.error
    given: object = answer.value
    if isinstance(given, Execution):
        return given
    return InvalidExecution(f"expected an Execution, got {type(given).__name__}")


def _require(value: object, kind: type, place: str, category: type[AssayError]) -> None:
    if not isinstance(value, kind):
        msg = f"{place}: expected a {kind.__name__}, got {type(value).__name__}"
        raise category(msg)


def _ended(case: Case, repeat: int, suite: SuiteResult, error: BaseException | None) -> TrialRun:
    result = CaseResult(case.id, suite, repeat, case.metadata)
    return TrialRun(TrialResult(result, execution_error=error), error)
