"""The results of cases, gathered in memory, as the columns that summaries read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import polars as pl

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.errors import Canceled, NotEvaluated, classify, is_a
from assay.evaluators.execution import Execution
from assay.evaluators.grading import TRIALS, USAGE, Grading, grade_columns
from assay.evaluators.trial import CaseResult, TrialResult


def grading_of_results(fixture_id: str, results: Sequence[CaseResult | TrialResult]) -> Grading:
    """The grading that these results are, in their order; cases may declare different ids.

    A case result without an execution counts as a receipt, unless nothing of it was evaluated: then
    it was not run.

    Raises:
        InvalidExperiment: when a case and repeat stands twice.
    """
    columns = _Columns()
    for result in results:
        columns.add(result)
    return columns.grading(fixture_id)


@dataclass
class _Columns:
    trials: list[tuple[object, ...]] = field(default_factory=list)
    grades: list[tuple[object, ...]] = field(default_factory=list)
    cases: dict[str, int] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)

    def add(self, result: CaseResult | TrialResult) -> None:
        case = result.case if isinstance(result, TrialResult) else result
        trial = len(self.trials)
        position = self.cases.setdefault(case.case_id, len(self.cases))
        assessments = case.suite.results
        place = (trial, position, case.case_id, case.repeat, len(assessments))
        self.trials.append((*place, *_execution(result)))
        for one in assessments:
            self.declared[one.id] = self.declared.get(one.id, 0) + 1
            self.grades.append((trial, one.id, len(self.grades), one.status, *self._report(one)))

    def _report(self, result: AssessmentResult) -> tuple[object, ...]:
        report = result.report
        if report is None:
            return (None, None, None, "", None, None, None)
        self.identities[report.observation_digest] = report.observation
        policy = report.rule_digest
        score = None if report.score is None else float(report.score)
        outcome = (report.verdict, score, report.measurement, report.label)
        return (None, report.observation_digest, policy, *outcome)

    def grading(self, fixture_id: str) -> Grading:
        ids = tuple(self.declared)
        return Grading(
            fixture_id=fixture_id,
            trials=pl.DataFrame(self.trials, schema=TRIALS, orient="row"),
            grades=pl.DataFrame(self.grades, schema=grade_columns(ids), orient="row"),
            assessments=ids,
            declared=self.declared,
            identities=self.identities,
        )


def _execution(result: CaseResult | TrialResult) -> Iterable[object]:
    """Kind, error class, duration, cost and usage of what a result rests on."""
    nothing = (None,) * (2 + len(USAGE))
    if isinstance(result, CaseResult):
        statuses = {one.status for one in result.suite.results}
        return (None if statuses == {"not_evaluated"} else "receipt", None, *nothing)
    if isinstance(result.execution, Execution):
        return ("receipt", None, *_spent(result.execution))
    error = result.execution_error
    if error is None or is_a(error, NotEvaluated) or isinstance(error, Canceled):
        return (None, None, *nothing)
    return ("failure", classify(error), *nothing)


def _spent(execution: Execution) -> Iterable[object]:
    usage = execution.usage
    counters = (None if usage is None else getattr(usage, name) for name in USAGE)
    return (execution.duration_seconds, execution.cost, *counters)
