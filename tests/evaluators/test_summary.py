"""What a summary counts, and over what."""

import asyncio
import json
import math
import sys
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.cancellation import Cancellation
from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.decision import Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.distribution import Distribution
from assay.evaluators.errors import (
    Canceled,
    IncompleteRecording,
    NotEvaluated,
    Skip,
    TargetError,
)
from assay.evaluators.execution import Execution, Usage
from assay.evaluators.experiment import Experiment
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.score import Score
from assay.evaluators.suite import Suite, SuiteResult
from assay.evaluators.summary import Summary, summarize
from assay.evaluators.trial import CaseResult, TrialResult

QUALITY = Metric(name="accuracy", namespace="quality")
LATENCY = Metric(name="latency", unit="ms", direction="lower_is_better")
MAX = sys.float_info.max

ANSWERS = {
    "pass": Report(metric=QUALITY, score=Score(1.0), decision=Score(1.0).decide(0.5)),
    "fail": Report(metric=QUALITY, score=Score(0.0), decision=Score(0.0).decide(0.5)),
    "scored": Report(metric=QUALITY, score=Score(0.5)),
    "measured": Report(metric=LATENCY, measurement=125.0),
    "labelled": Report(metric=Metric(name="tone"), label="friendly"),
    "failed": ValueError("no"),
    "canceled": Canceled("stop"),
    "unverified": IncompleteRecording("no spans"),
    "skipped": Skip("no expected value"),
    "not_evaluated": NotEvaluated("never started"),
}
"""What an assessment can come to, by a word for it."""


def answer(identity: str, word: str | Report) -> AssessmentResult:
    """The result of an assessment."""
    found = ANSWERS[word] if isinstance(word, str) else word
    if isinstance(found, Report):
        return AssessmentResult(identity, report=found)
    return AssessmentResult(identity, error=found)


def case(case_id: str, repeat: int = 0, **answers: str | Report) -> CaseResult:
    """The result of a case, an answer for each assessment id."""
    results = tuple(answer(identity, word) for identity, word in answers.items())
    return CaseResult(case_id, SuiteResult(results), repeat=repeat)


def summary(*results: CaseResult | TrialResult) -> Summary:
    """The summary of results."""
    return summarize(grading_of_results("fixture", results))


WORDS = st.sampled_from(list(ANSWERS))
SUITES = st.dictionaries(st.sampled_from(["a", "b", "c"]), WORDS, min_size=1)
CASES = st.lists(SUITES, max_size=8).map(
    lambda suites: [case(f"case-{n}", **answers) for n, answers in enumerate(suites)]
)


def test_an_error_is_counted_apart_from_a_wrong_answer() -> None:
    """Kernel 6.4 example 1."""
    found = summary(
        case("a", quality="pass"), case("b", quality="fail"), case("c", quality="failed")
    )
    assert found.cases.payload() == {
        "total": 3,
        "evaluated": 2,
        "passed": 1,
        "failed": 1,
        "unjudged": 0,
        "errors": 1,
        "partial": 0,
    }
    (assessment,) = found.assessments
    assert (assessment.completed, assessment.count("failed")) == (2, 1)
    (metric,) = found.metrics
    assert metric.evaluated == 2
    assert metric.scores == Distribution(
        count=2, mean=0.5, minimum=0, p10=0, p50=0, p90=1, p95=1, maximum=1
    )


@pytest.mark.parametrize(
    ("values", "mean"),
    [((2, 4), 3), ((0, 0), 0), ((MAX, MAX), MAX), ((5e-324, 5e-324), 5e-324), ((-MAX, MAX), 0)],
)
def test_measurements_of_any_size_have_a_mean(values: tuple[float, float], mean: float) -> None:
    """Kernel 6.4 example 2, through the whole summary."""
    reports = [Report(metric=LATENCY, measurement=float(value)) for value in values]
    found = summary(*(case(f"case-{n}", m=report) for n, report in enumerate(reports)))
    assert found.metrics[0].measurements.mean == mean


def test_one_metric_under_two_assessments_is_two_entries() -> None:
    """Kernel 6.4 example 3: the suite of kernel 5.4 example 1, whose judge has no report."""
    found = summary(case("a", quality="pass", judge="failed", independent="fail"))
    counts = found.cases
    assert (counts.total, counts.evaluated, counts.errors, counts.partial) == (1, 0, 1, 1)
    assert [(one.assessment_id, one.scores.mean) for one in found.metrics] == [
        ("quality", 1.0),
        ("independent", 0.0),
    ]
    assert found.metrics[0].metric == found.metrics[1].metric
    assert [one.id for one in found.assessments] == ["quality", "judge", "independent"]


def test_details_never_add_samples() -> None:
    """Kernel 6.4 example 4: a score of 0.8 over details of 0 and 1 is one sample."""
    report = Report(
        metric=QUALITY,
        score=Score(0.8),
        decision=Score(0.8).decide(0.5),
        details=[ANSWERS["fail"], ANSWERS["pass"]],
    )
    (metric,) = summary(case("a", quality=report)).metrics
    assert (metric.scores.count, metric.scores.mean, metric.passed) == (1, 0.8, 1)
    assert [detail.metric for detail in metric.details] == [QUALITY, QUALITY]


class Judge:
    """An evaluator that cancels the experiment or fails, as told."""

    def __init__(self) -> None:
        self.descriptor = Descriptor(name="judge", revision="1")
        self.calls = 0

    async def evaluate(self, subject: object) -> Report:
        """Fail after counting the call."""
        self.calls += 1
        raise ValueError(str(type(subject)))


@pytest.mark.parametrize(
    ("policy", "canceled", "calls"),
    [
        pytest.param("fail_fast", False, 1, id="kernel 6.4 example 5"),
        pytest.param("collect", True, 0, id="kernel 6.4 example 7"),
    ],
)
def test_cases_that_were_never_attempted_are_errors(
    policy: str, *, canceled: bool, calls: int
) -> None:
    """They stay in the total, or stopping early would look like finishing."""
    judge, token = Judge(), Cancellation()
    if canceled:
        token.cancel()
    data = Dataset(cases=[Case(id=f"case-{n}", input=n) for n in range(3)])
    suite = Suite([Assessment("quality", judge)])
    experiment = Experiment(data, suite, max_concurrency=1, error_policy=policy)
    report = asyncio.run(experiment.run(cancellation=token)).report
    counts = report.summary.cases
    assert (counts.total, counts.errors, counts.evaluated) == (3, 3, 0)
    assert judge.calls == calls


def test_a_measurement_beside_a_pass_is_unjudged() -> None:
    """Kernel 6.4 example 8: quality passes, latency 125 decides nothing."""
    found = summary(case("a", quality="pass", latency="measured"))
    latency = found.metrics[1]
    assert (latency.unjudged, latency.measurements.count, latency.measurements.mean) == (1, 1, 125)
    assert found.cases.passed == 1


def test_one_assessment_of_two_metrics_is_two_entries_in_order_of_appearance() -> None:
    """Kernel 6.4: numbers of different metrics are never pooled under one id."""
    cases = [case("a", q="measured"), case("b", q="pass"), case("c", q="measured")]
    found = summary(*cases)
    assert [(one.metric, one.evaluated) for one in found.metrics] == [(LATENCY, 2), (QUALITY, 1)]
    payload = found.payload()["assessments"][0]
    assert payload["metric"] == "latency"
    assert [other["metric"] for other in payload["metrics"]] == ["quality/accuracy"]
    assert payload["completed"] == payload["passed"] + payload["not_passed"] + payload["unjudged"]
    assert payload["score"] is None
    assert payload["metrics"][0]["score"]["count"] == 1


def test_entries_follow_first_appearance_across_assessments() -> None:
    """Kernel 6.4: a metric that the second case brings stands behind all of the first's."""
    first = case("a", one="pass", two="pass")
    second = case("b", two="measured", one="measured")
    order = [(m.assessment_id, m.metric.name) for m in summary(first, second).metrics]
    assert order == [
        ("one", "accuracy"),
        ("two", "accuracy"),
        ("two", "latency"),
        ("one", "latency"),
    ]


def test_an_assessment_that_never_reported_is_still_counted() -> None:
    """Kernel 6.4: without a metric its failures would be nowhere."""
    (one,) = summary(case("a", judge="failed"), case("b", judge="canceled")).assessments
    assert dict(one.counts) | {"failed": 1, "canceled": 1} == dict(one.counts)
    assert one.metrics == ()
    assert one.payload()["metric"] is None


def test_b05_five_ways_of_not_scoring_have_five_counters() -> None:
    """B05: afterwards nobody can tell a skipped check from a broken one unless they are counted."""
    words = ["failed", "canceled", "unverified", "skipped", "not_evaluated", "pass"]
    found = summary(*(case(word, q=word) for word in words))
    (one,) = found.assessments
    assert dict(one.counts) == dict.fromkeys(
        ["completed", "failed", "canceled", "unverified", "skipped", "not_evaluated"], 1
    )


def test_b06_a_judge_that_cannot_decide_is_no_wrong_answer() -> None:
    """B06: it stands under failed, in no score and in no denominator over graded trials."""
    found = summary(case("a", q="pass"), case("b", q="failed"))
    assert found.metrics[0].scores.count == 1
    assert (found.headline.over_graded, found.headline.unknown) == (1, 1)


def test_b04_a_case_whose_repeats_all_raised_stays_in_sight() -> None:
    """B04: three passes of A and three failures of B are not 100 %."""
    found = summary(
        *(case("A", repeat=n, q="pass") for n in range(3)),
        *(
            TrialResult(
                case("B", repeat=n, q="not_evaluated"),
                execution_error=TargetError("internal"),
            )
            for n in range(3)
        ),
    )
    payload = found.payload()
    assert payload["pass_rate"]["over_planned"] == 0.5
    assert payload["pass_rate"]["over_graded"] == 1.0
    assert payload["trials"]["target_failed"] == 3
    assert payload["target_errors"] == {"internal": 3}
    assert payload["assessments"][0]["not_evaluated"] == 3


def test_labels_are_counted_the_most_frequent_first() -> None:
    """A category has no mean."""
    tone = Metric(name="tone")
    words = ["rude", "friendly", "friendly", "cold"]
    reports = [Report(metric=tone, label=word) for word in words]
    found = summary(*(case(f"case-{n}", tone=report) for n, report in enumerate(reports)))
    assert list(found.metrics[0].labels.items()) == [("friendly", 2), ("cold", 1), ("rude", 1)]


def test_flaky_cases_are_those_whose_repeats_disagree() -> None:
    """An incomplete repeat is no disagreement."""
    found = summary(
        case("steady", q="pass"),
        case("flaky", q="pass"),
        case("broken", q="pass"),
        case("steady", repeat=1, q="pass"),
        case("flaky", repeat=1, q="fail"),
        case("broken", repeat=1, q="failed"),
    )
    assert found.flaky == ("flaky",)


def test_spending_is_summed_over_what_was_recorded() -> None:
    """A receipt without a cost is missing, not free."""
    usage = Usage(input_tokens=10, output_tokens=2, reasoning_tokens=1, model_calls=1)
    executions = [
        Execution(output=1, cost=0.1, usage=usage, duration_seconds=2.0),
        Execution(output=1, cost=0.2, usage=usage, duration_seconds=1.0),
        Execution(output=1),
    ]
    payload = summary(
        *(TrialResult(case(f"c{n}", q="pass"), one) for n, one in enumerate(executions))
    ).payload()
    assert payload["cost"] == pytest.approx(0.3)
    assert payload["usage"] == {
        "input_tokens": 20,
        "output_tokens": 4,
        "cache_read_tokens": 0,
        "cache_creation_tokens": 0,
        "reasoning_tokens": 2,
        "model_calls": 2,
        "total_tokens": 24,
        "recorded": 2,
        "missing": 1,
    }
    duration = payload["duration_seconds"]
    assert (duration["count"], duration["p95"], duration["minimum"]) == (2, 2.0, 1.0)


def test_what_is_absent_is_null() -> None:
    """Zero tokens, zero cost and a rate of zero are facts; these are none."""
    payload = summary(case("a", q="skipped")).payload()
    assert payload["usage"] is None
    assert payload["cost"] is None
    assert payload["duration_seconds"] is None
    rates = payload["pass_rate"]
    assert [rates[name] for name in ("over_planned", "over_graded", "low", "high")] == [None] * 4


def test_the_machine_form_has_the_promised_names() -> None:
    """DESIGN 8.2: a script reads these names."""
    payload = summary(case("a", q="pass")).payload()
    assert payload["trials"].keys() == {
        "planned",
        "graded",
        "partly_graded",
        "ungraded",
        "not_applicable",
        "target_failed",
        "not_run",
        "late",
        "abandoned",
    }
    assert payload["pass_rate"].keys() >= {"over_planned", "over_graded", "low", "high"}
    assert {"grades", "usage", "cost", "duration_seconds", "flaky"} <= payload.keys()
    assert payload["assessments"][0].keys() == {
        "id",
        "metric",
        "metrics",
        "completed",
        "failed",
        "canceled",
        "not_evaluated",
        "unverified",
        "skipped",
        "passed",
        "not_passed",
        "unjudged",
        "score",
        "measurement",
        "labels",
    }
    assert payload["assessments"][0]["score"].keys() == {
        "count",
        "mean",
        "minimum",
        "p10",
        "p50",
        "p90",
        "maximum",
    }


@given(CASES)
def test_summaries_partition(cases: list[CaseResult]) -> None:
    """Kernel 6.4: every case, trial and grade is counted exactly once."""
    found = summary(*cases)
    counts, trials = found.cases, found.trials
    assert counts.total == counts.evaluated + counts.errors == len(cases)
    assert counts.evaluated == counts.passed + counts.failed + counts.unjudged
    assert counts.partial <= counts.errors
    outcomes = (trials.graded, trials.partly_graded, trials.ungraded, trials.not_applicable)
    assert trials.planned == sum(outcomes) + trials.target_failed + trials.not_run
    for assessment in found.assessments:
        here = [one for one in cases if assessment.id in {r.id for r in one.suite.results}]
        assert sum(assessment.counts.values()) == assessment.declared == len(here)
        assert assessment.completed == sum(metric.evaluated for metric in assessment.metrics)
    for metric in found.metrics:
        assert metric.evaluated == metric.passed + metric.failed + metric.unjudged
        assert metric.scores.count <= metric.evaluated


@given(CASES)
def test_counts_are_those_of_a_reader_with_a_pencil(cases: list[CaseResult]) -> None:
    """The kernel's rules, restated one case at a time."""
    found = summary(*cases).cases
    complete = [one.suite for one in cases if all(r.complete for r in one.suite.results)]
    assert found.evaluated == len(complete)
    for verdict, count in (("pass", found.passed), ("fail", found.failed), ("", found.unjudged)):
        assert count == sum(suite.verdict == verdict for suite in complete)
    some = [any(r.status == "completed" for r in one.suite.results) for one in cases]
    whole = [all(r.complete for r in one.suite.results) for one in cases]
    assert found.partial == sum(s and not w for s, w in zip(some, whole, strict=True))


@given(CASES)
def test_bounds_enclose_the_rate(cases: list[CaseResult]) -> None:
    """Whatever the unknown trials turn out to be, the rate stays between them."""
    headline = summary(*cases).headline
    assert 0 <= headline.passes <= headline.judged <= headline.planned <= len(cases)
    assert headline.passes + headline.unknown <= headline.planned
    if headline.planned:
        assert headline.low == headline.over_planned <= headline.high


@given(CASES, st.randoms())
def test_the_order_of_cases_never_matters(cases: list[CaseResult], random: object) -> None:
    """Only the order of entries follows the order of cases."""
    shuffled = list(cases)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    here, there = summary(*cases), summary(*shuffled)
    assert (here.cases, here.trials, here.headline) == (there.cases, there.trials, there.headline)
    by_entry = {(m.assessment_id, m.digest): m for m in there.metrics}
    assert {(m.assessment_id, m.digest): m for m in here.metrics} == by_entry


@given(CASES)
def test_every_number_of_the_machine_form_is_finite_json(cases: list[CaseResult]) -> None:
    """NaN is no JSON, and B07 began with one."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    text = json.dumps(summary(*cases).payload())
    assert json.loads(text, parse_constant=refuse) == summary(*cases).payload()


def test_a_summary_of_nothing_has_no_rate() -> None:
    """Zero of zero is not zero."""
    found = summary()
    assert found.cases.total == 0
    assert found.headline.over_planned is None
    assert found.headline.reason
    assert found.assessments == found.metrics == ()


def rule_of(threshold: float) -> Decision:
    """A decision of 0.5 under a threshold."""
    return Score(0.5).decide(threshold)


def test_thresholds_do_not_split_an_observation() -> None:
    """Kernel 14: a threshold is the decision's, so scores under two of them are one sample list."""
    reports = [
        Report(metric=QUALITY, score=Score(0.5), decision=rule_of(limit)) for limit in (0.4, 0.6)
    ]
    (metric,) = summary(*(case(f"c{n}", q=one) for n, one in enumerate(reports))).metrics
    assert (metric.passed, metric.failed, metric.scores.count) == (1, 1, 2)


def test_negative_zero_is_zero() -> None:
    """Kernel 1.4c: it equals zero, so it must not show as another minimum."""
    reports = [Report(metric=LATENCY, measurement=zero) for zero in (-0.0, 0.0, -0.0)]
    (metric,) = summary(*(case(f"c{n}", m=one) for n, one in enumerate(reports))).metrics
    assert math.copysign(1, metric.measurements.minimum) == 1


def test_summaries_do_not_share_what_they_hold() -> None:
    """Kernel 1.3: whoever writes into a payload changes nobody's summary."""
    found = summary(case("a", tone="labelled"))
    payload = found.payload()
    payload["assessments"][0]["labels"]["friendly"] = 99
    payload["trials"]["planned"] = 99
    assert found.metrics[0].labels["friendly"] == 1
    assert isinstance(found.metrics[0].labels, Mapping)
    assert found.payload()["trials"]["planned"] == 1
