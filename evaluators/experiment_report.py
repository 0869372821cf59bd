"""The results of an experiment's cases, and what they say; also the door for results from outside.

There is no JSON form: results hold run-time errors. Persisting is the business of the store.
"""

from collections.abc import Sequence
from functools import cached_property

from assay.evaluators.comparison import Comparison, compare
from assay.evaluators.errors import AssayError, InvalidCase, InvalidExperiment
from assay.evaluators.grading import Grading
from assay.evaluators.open_map import OpenMap
from assay.evaluators.record import require_text
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.suite import SuiteResult
from assay.evaluators.summary import Summary, summarize
from assay.evaluators.trial import CaseResult


class ExperimentReport:
    """Case results under a fixture id, each case and repeat once; there may be none.

    Attributes:
        fixture_id: What was evaluated; two reports are comparable only if it is the same.
        cases: The results in the order given; they need not share assessment ids.

    Raises:
        InvalidExperiment: when the fixture id or a result breaks a rule, or a result stands twice.
    """

    def __init__(self, fixture_id: str, cases: Sequence[CaseResult]) -> None:
        require_text(fixture_id, "report.fixture_id", InvalidExperiment)
        self.fixture_id = fixture_id
        self.cases = tuple(cases)
        seen: set[tuple[str, int]] = set()
        for position, case in enumerate(self.cases):
            _require_result(case, f"report.cases[{position}]")
            if (case.case_id, case.repeat) in seen:
                msg = f"report.cases: expected each case once, got {case.case_id[:60]!r} twice"
                raise InvalidExperiment(msg)
            seen.add((case.case_id, case.repeat))

    @cached_property
    def grading(self) -> Grading:
        """The results as the columns that summaries and comparisons read."""
        return grading_of_results(self.fixture_id, self.cases)

    @cached_property
    def summary(self) -> Summary:
        """Counts, rates and distributions over the results."""
        return summarize(self.grading)

    def compare(self, candidate: "ExperimentReport") -> Comparison:
        """The candidate's paired difference from this report; raises InvalidComparison."""
        return compare(self.grading, candidate.grading)


def _require_result(case: object, place: str) -> None:
    if not isinstance(case, CaseResult):
        msg = f"{place}: expected a CaseResult, got {type(case).__name__}"
        raise InvalidExperiment(msg)
    expected: dict[str, type] = {"suite": SuiteResult, "metadata": OpenMap, "repeat": int}
    for name, kind in expected.items():
        value: object = getattr(case, name)
        if not isinstance(value, kind):
            msg = f"{place}.{name}: expected {kind.__name__}, got {type(value).__name__}"
            raise InvalidExperiment(msg)
    try:
        require_text(case.case_id, f"{place}.case_id", InvalidCase)
    except AssayError as error:
        raise InvalidExperiment(str(error)) from error
