"""A dataset and a suite, in memory: no host, no target, bounded cases at the same time."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import get_args

from assay.evaluators.cancellation import Cancellation, current_cancellation
from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import AssayError, InvalidExperiment, NotJson
from assay.evaluators.execution import Execution
from assay.evaluators.experiment_report import ExperimentReport
from assay.evaluators.limits import NO_LIMITS, Limits
from assay.evaluators.sample import Sample
from assay.evaluators.suite import ErrorPolicy, Suite, SuiteResult, SuiteRun, labelled
from assay.evaluators.trial import CaseResult

DEFAULT_CONCURRENCY = 4


class CaseFailed(AssayError):
    """A case ended a fail-fast experiment; the message names it, the cause is its error."""


@dataclass(frozen=True, slots=True)
class ExperimentRun:
    """A report of every case in declared order, together with why the run ended early.

    Attributes:
        report: A result for every case, whatever happened.
        error: The first failure under fail-fast, else the caller's cancellation, else None. None
            does not mean success: look at the summary.
    """

    report: ExperimentReport
    error: BaseException | None = None


class Experiment:
    """Cases to look at and the suite that looks.

    What is judged is an execution of each case that the caller brings along, or, without one, the
    case's own input. Suites of single cases run behind the experiment's.

    Raises:
        InvalidExperiment: when a rule is broken.
    """

    def __init__(
        self,
        dataset: Dataset,
        suite: Suite,
        *,
        max_concurrency: int = 0,
        error_policy: ErrorPolicy = "collect",
    ) -> None:
        """Check the configuration.

        Args:
            dataset: The cases; there may be none.
            suite: The assessments.
            max_concurrency: How many cases run at the same time; 0 means 4. Evaluators in flight
                are at most this times the suite's own limit.
            error_policy: `collect` runs all cases; `fail_fast` stops at the first failed one.
        """
        if not isinstance(dataset, Dataset):
            raise _refusal(f"dataset: expected a Dataset, got {type(dataset).__name__}")
        if not isinstance(suite, Suite):
            raise _refusal(f"suite: expected a Suite, got {type(suite).__name__}")
        if max_concurrency < 0:
            raise _refusal(f"max_concurrency: expected 0 or more, got {max_concurrency}")
        if error_policy not in get_args(ErrorPolicy):
            raise _refusal("error_policy: expected collect or fail_fast")
        _require_fixture(dataset)
        self.dataset = dataset
        self.suites = tuple(_suite_of(case, suite) for case in dataset)
        self.max_concurrency = max_concurrency or DEFAULT_CONCURRENCY
        self.error_policy: ErrorPolicy = error_policy

    async def run(
        self,
        *,
        executions: Mapping[str, Execution] | None = None,
        cancellation: Cancellation | None = None,
        limits: Limits = NO_LIMITS,
    ) -> ExperimentRun:
        """One result for every case, in declared order; started cases are awaited to their end.

        Args:
            executions: The receipt of each case, by case id; None judges the inputs themselves.
            cancellation: The caller's token.
            limits: Of the evaluators' calls.

        Raises:
            InvalidExperiment: when the executions are not exactly those of the cases.
        """
        samples = self._samples(executions)
        caller = cancellation or current_cancellation()
        run = _Run(self, samples, caller, limits)
        await run.work()
        return run.finish()

    def _samples(self, executions: Mapping[str, Execution] | None) -> list[Sample]:
        if executions is None:
            return [Sample(case, Execution(output=case.input)) for case in self.dataset]
        ids = {case.id for case in self.dataset}
        astray = sorted(ids.symmetric_difference(executions))
        if astray:
            there = "no such case" if astray[0] in executions else "none"
            raise _refusal(
                f"executions: expected one for each case, got {there} {astray[0][:60]!r}"
            )
        return [Sample(case, executions[case.id]) for case in self.dataset]


class _Run:
    """One run of an experiment: slots by position, filled in whatever order work ends."""

    def __init__(
        self, experiment: Experiment, samples: list[Sample], caller: Cancellation, limits: Limits
    ) -> None:
        self._experiment = experiment
        self._samples = samples
        self._caller = caller
        self._limits = limits
        self._group = Cancellation(caller)
        self._failure: BaseException | None = None
        self._slots: list[SuiteResult | None] = [None] * len(samples)

    async def work(self) -> None:
        """Run every case that may start, in declared order."""
        waiting = iter(range(len(self._samples)))
        workers = min(self._experiment.max_concurrency, len(self._samples))
        await asyncio.gather(*(self._pull(waiting) for _ in range(workers)))

    async def _pull(self, waiting: Iterator[int]) -> None:
        for index in waiting:
            if self._group.canceled:
                return
            suite = self._experiment.suites[index]
            run = await suite.run(
                self._samples[index], cancellation=self._group, limits=self._limits
            )
            self._slots[index] = run.result
            if self._experiment.error_policy == "fail_fast":
                self._note_failure(index, run)

    def _note_failure(self, index: int, run: SuiteRun) -> None:
        error = run.error or _joined_errors(run.result)
        if error is not None and not self._group.canceled:
            self._failure = CaseFailed(f"{self._samples[index].case_id}: {error}")
            self._failure.__cause__ = error
            self._group.cancel(self._failure)

    def finish(self) -> ExperimentRun:
        """The report, and the error that ended the run early."""
        results = [self._result(index) for index in range(len(self._samples))]
        report = ExperimentReport(self._experiment.dataset.fixture_id, results)
        return ExperimentRun(report, self._failure or self._caller.cause)

    def _result(self, index: int) -> CaseResult:
        case = self._samples[index].case
        suite = self._slots[index]
        if suite is None:
            suite = self._experiment.suites[index].nothing(self._caller.cause)
        return CaseResult(case.id, suite, metadata=case.metadata)


def _joined_errors(result: SuiteResult) -> BaseException | None:
    """What failed in a suite; missing evidence and checks that do not apply are no failures."""
    failed = [one for one in result.results if one.status in ("failed", "canceled")]
    return (
        ExceptionGroup("failed assessments", [labelled(one) for one in failed]) if failed else None
    )


def _suite_of(case: Case, suite: Suite) -> Suite:
    try:
        return suite.extended(case.assessments)
    except AssayError as error:
        msg = f"experiment: case {case.id[:60]!r}: {error}"
        raise InvalidExperiment(msg) from error


def _require_fixture(dataset: Dataset) -> None:
    try:
        _ = dataset.fixture_id
    except NotJson as error:
        msg = "dataset: expected a fixture id, since an input has no JSON form to make one from"
        raise _refusal(msg) from error


def _refusal(message: str) -> InvalidExperiment:
    return InvalidExperiment(f"experiment.{message}")
