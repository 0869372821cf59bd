"""Case results from anywhere, checked once and summarised once."""

import json

import pytest

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.errors import InvalidCase, InvalidExperiment, is_a
from assay.evaluators.experiment_report import ExperimentReport
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.score import Score
from assay.evaluators.suite import SuiteResult
from assay.evaluators.trial import CaseResult

REPORT = Report(metric=Metric(name="m"), score=Score(1.0), decision=Score(1.0).decide(0.5))


def result(case_id: str = "a", repeat: int = 0, *ids: str) -> CaseResult:
    """A case result with a passing report for each id."""
    answers = tuple(AssessmentResult(one, report=REPORT) for one in ids or ("quality",))
    return CaseResult(case_id, SuiteResult(answers), repeat=repeat)


@pytest.mark.parametrize("fixture_id", ["", " spaced", "a\ud800"])
def test_a_fixture_id_is_trimmed_text(fixture_id: str) -> None:
    """Kernel 6.3: two reports are comparable by this text alone."""
    with pytest.raises(InvalidExperiment, match="fixture_id"):
        ExperimentReport(fixture_id, [])


def test_results_that_stand_twice_are_refused() -> None:
    """Kernel 6.3: a case counted twice would weigh twice."""
    with pytest.raises(InvalidExperiment, match="each case once, got 'a' twice"):
        ExperimentReport("f", [result("a"), result("b"), result("a")])


def test_repeats_of_a_case_are_results_of_their_own() -> None:
    """DESIGN 7: the kernel's case result is one per trial."""
    assert ExperimentReport("f", [result("a", 0), result("a", 1)]).summary.cases.total == 2


@pytest.mark.parametrize("case_id", ["", " a", "a\u00a0"])
def test_a_result_needs_a_case_id(case_id: str) -> None:
    """Kernel 6.3: what was gathered elsewhere keeps our rules."""
    with pytest.raises(InvalidExperiment, match=r"cases\[0\].case_id") as caught:
        ExperimentReport("f", [result(case_id)])
    assert is_a(caught.value, InvalidCase)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"case_id": "a"}, id="a mapping"),
        pytest.param(CaseResult("a", None), id="no suite result"),
        pytest.param(CaseResult("a", result().suite, metadata={"k": 1}), id="plain metadata"),
    ],
)
def test_anything_else_is_refused_at_its_place(wrong: object) -> None:
    """The message says which of a thousand results it was."""
    with pytest.raises(InvalidExperiment, match=r"report.cases\[1\]"):
        ExperimentReport("f", [result("z"), wrong])


def test_cases_need_not_share_assessment_ids() -> None:
    """Kernel 6.3: each id is counted over the cases in which it appears."""
    report = ExperimentReport("f", [result("a", 0, "one"), result("b", 0, "one", "two")])
    assert [(one.id, one.declared) for one in report.summary.assessments] == [
        ("one", 2),
        ("two", 1),
    ]


def test_a_report_is_no_storage_schema() -> None:
    """Kernel 6.3: results hold run-time errors, so there is no JSON form to trust."""
    with pytest.raises(TypeError):
        json.dumps(ExperimentReport("f", [result()]))


def test_a_list_changed_later_changes_no_report() -> None:
    """Kernel 1.3: the report keeps what it was given."""
    results = [result("a")]
    report = ExperimentReport("f", results)
    results.append(result("b"))
    assert len(report.cases) == report.summary.cases.total == 1
