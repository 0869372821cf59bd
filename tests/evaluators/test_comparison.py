"""Two gradings, paired: what matched is compared, what did not is counted."""

import json
import sys
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.comparison import Comparison, compare
from assay.evaluators.decision import Decision
from assay.evaluators.delta import DecisionDelta, DistributionDelta
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import InvalidComparison
from assay.evaluators.execution import Execution, Usage
from assay.evaluators.experiment_report import ExperimentReport
from assay.evaluators.grading import Grading
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.score import Score
from assay.evaluators.suite import SuiteResult
from assay.evaluators.trial import CaseResult, TrialResult

QUALITY = Metric(name="quality")
LATENCY = Metric(name="latency", unit="ms")
MAX = sys.float_info.max

Answer = Report | None
"""A report, or None for an assessment that failed."""


def scored(score: float, threshold: float | None = 0.5, metric: Metric = QUALITY) -> Report:
    """A score, judged unless the threshold is None."""
    decision = None if threshold is None else Score(score).decide(threshold)
    return Report(metric=metric, score=Score(score), decision=decision)


def measured(value: float) -> Report:
    """A measurement that nobody judged."""
    return Report(metric=LATENCY, measurement=value)


def result(case_id: str, repeat: int = 0, **answers: Answer) -> CaseResult:
    """A case result with these answers by assessment id."""
    results = tuple(
        AssessmentResult(identity, error=ValueError("no"))
        if one is None
        else AssessmentResult(identity, report=one)
        for identity, one in answers.items()
    )
    return CaseResult(case_id, SuiteResult(results), repeat=repeat)


def report(**cases: Answer) -> ExperimentReport:
    """A report with one assessment, `q`, an answer for each case."""
    return ExperimentReport("f", [result(case_id, q=one) for case_id, one in cases.items()])


def changes(comparison: Comparison) -> dict[str, str]:
    """The change of each case."""
    return dict(comparison.cases.cast(pl.String).rows())


def one_metric(comparison: Comparison) -> tuple[DistributionDelta, DecisionDelta]:
    """The deltas of the only entry."""
    (metric,) = comparison.metrics
    return metric.score_delta, metric.decision_delta


def test_a_success_that_became_a_failure_is_unmatched() -> None:
    """Kernel 7 example 2, and the recovery as its mirror image."""
    good, bad = report(A=scored(1)), report(A=None)
    lost = good.compare(bad)
    assert (lost.error_delta, lost.evaluated_delta) == (1, -1)
    (metric,) = lost.metrics
    assert metric.baseline is not None
    assert metric.candidate is None
    assert metric.evaluated_delta == -1
    assert metric.score_delta == DistributionDelta(baseline_only=1)
    assert metric.decision_delta == DecisionDelta(baseline_only=1)
    found = bad.compare(good)
    assert (found.error_delta, found.evaluated_delta) == (-1, 1)
    (metric,) = found.metrics
    assert metric.baseline is None
    assert metric.evaluated_delta == 1
    assert metric.score_delta == DistributionDelta(candidate_only=1)
    assert metric.decision_delta == DecisionDelta(candidate_only=1)


@pytest.mark.parametrize("ids", [("A", "B"), ("B", "A")])
def test_a_lost_case_moves_the_mean_of_a_side_but_no_difference(ids: tuple[str, str]) -> None:
    """Kernel 7 example 3: the means differ by 0.5, the paired difference is 0."""
    scores: dict[str, Answer] = {"A": scored(0), "B": scored(1)}
    candidate: dict[str, Answer] = {"A": None, "B": scored(1)}
    comparison = report(**scores).compare(report(**{one: candidate[one] for one in ids}))
    (metric,) = comparison.metrics
    assert metric.baseline is not None
    assert metric.candidate is not None
    assert (metric.baseline.scores.mean, metric.candidate.scores.mean) == (0.5, 1.0)
    assert metric.score_delta == DistributionDelta(mean=0.0, matched=1, baseline_only=1)
    assert metric.score_delta.present


def test_disjoint_successes_have_no_difference() -> None:
    """Kernel 7 example 4: nothing is imputed, so there is no mean at all."""
    comparison = report(A=scored(1), B=None).compare(report(A=None, B=scored(1)))
    score, _ = one_metric(comparison)
    assert score == DistributionDelta(baseline_only=1, candidate_only=1)
    assert not score.present
    assert score.payload()["mean"] is None
    assert comparison.error_delta == 0


def test_a_changed_threshold_keeps_scores_and_voids_decisions() -> None:
    """Kernel 7 example 5: the same score of 0.5 under 0.4 and under 0.6."""
    comparison = report(A=scored(0.5, 0.4)).compare(report(A=scored(0.5, 0.6)))
    assert (comparison.baseline.cases.passed, comparison.candidate.cases.failed) == (1, 1)
    score, decision = one_metric(comparison)
    assert score == DistributionDelta(mean=0.0, matched=1)
    assert decision == DecisionDelta(incompatible=1)
    assert changes(comparison) == {"A": "incompatible"}


def test_a_gain_shows_in_score_and_decision() -> None:
    """Kernel 7 example 6: +0.4 on 0.2 and 0.6 with threshold 0.5."""
    comparison = report(A=scored(0.2), B=scored(0.6)).compare(report(A=scored(0.6), B=scored(1.0)))
    score, decision = one_metric(comparison)
    assert score.mean == pytest.approx(0.4)
    assert (decision.passed_delta, decision.failed_delta, decision.matched) == (1, -1, 2)
    assert not comparison.metrics[0].measurement_delta.present
    assert changes(comparison) == {"A": "improved", "B": "unchanged"}


@pytest.mark.parametrize(
    ("here", "there", "mean"),
    [(-1.0, 2.0, 3.0), (0.0, MAX, MAX), (0.0, -MAX, -MAX)],
)
def test_measurements_are_subtracted_exactly(here: float, there: float, mean: float) -> None:
    """Kernel 7 example 7, what a number can hold."""
    (metric,) = report(A=measured(here)).compare(report(A=measured(there))).metrics
    assert metric.measurement_delta == DistributionDelta(mean=mean, matched=1)


@pytest.mark.parametrize(("here", "there"), [(-MAX, MAX), (MAX, -MAX)])
def test_a_difference_that_no_number_holds_voids_the_comparison(here: float, there: float) -> None:
    """Kernel 7 example 7: a clipped mean would be a wrong one."""
    with pytest.raises(InvalidComparison, match="overflow"):
        report(A=measured(here)).compare(report(A=measured(there)))


@pytest.mark.parametrize(
    ("here", "there", "entries"),
    [
        pytest.param('{"k": [1, 2]}', '{"k":[1,2]}', 1, id="presentation alone"),
        pytest.param('{"k": 1}', '{"k": 1.0}', 2, id="other digits"),
    ],
)
def test_metric_parameters_decide_what_pairs(here: str, there: str, entries: int) -> None:
    """Kernel 7 example 8: another parameter is another calculation."""
    metrics = [Metric(name="quality", parameters=OpenMap.from_text(text)) for text in (here, there)]
    sides = [report(A=scored(1, metric=metric)) for metric in metrics]
    comparison = sides[0].compare(sides[1])
    assert len(comparison.metrics) == entries
    assert sum(metric.score_delta.matched for metric in comparison.metrics) == 2 - entries
    if entries == 2:
        first, second = comparison.metrics
        assert first.score_delta == DistributionDelta(baseline_only=1)
        assert second.score_delta == DistributionDelta(candidate_only=1)


def test_words_alone_are_an_entry_without_numbers() -> None:
    """Kernel 7 example 9: feedback-only reports."""
    words = Report(metric=QUALITY, feedback="fine")
    (metric,) = report(A=words).compare(report(A=words)).metrics
    assert metric.baseline is not None
    assert metric.candidate is not None
    assert (metric.baseline.unjudged, metric.candidate.unjudged) == (1, 1)
    assert metric.score_delta == metric.measurement_delta == DistributionDelta()
    assert metric.decision_delta == DecisionDelta()


def all_of(name: str, maximum: int) -> Report:
    """A decision over one detail: a measurement of 1 against a maximum."""
    verdict = "pass" if maximum >= 1 else "fail"
    detail = Report(
        metric=Metric(name=name),
        measurement=1.0,
        decision=Decision(policy="maximum", verdict=verdict, parameters={"maximum": maximum}),
    )
    return Report(
        metric=QUALITY, decision=Decision(policy="all", verdict=verdict), details=[detail]
    )


def test_rules_of_details_are_part_of_the_rule() -> None:
    """Kernel 7 example 10: equal details match, another limit does not, another metric is two."""
    base = report(A=all_of("steps", 0))
    assert one_metric(base.compare(report(A=all_of("steps", 0))))[1].matched == 1
    _, decision = one_metric(base.compare(report(A=all_of("steps", 1))))
    assert decision == DecisionDelta(incompatible=1)
    first, second = base.compare(report(A=all_of("effects", 0))).metrics
    assert first.decision_delta == DecisionDelta(baseline_only=1)
    assert second.decision_delta == DecisionDelta(candidate_only=1)
    assert [detail.metric.name for detail in second.details] == ["effects"]


@pytest.mark.parametrize(
    ("fixture_id", "cases"),
    [
        pytest.param("other", ("A", "B"), id="another fixture"),
        pytest.param("f", ("A",), id="a case less"),
        pytest.param("f", ("A", "B", "C"), id="a case more"),
        pytest.param("f", ("A", "C"), id="another case"),
    ],
)
def test_what_does_not_belong_together_is_refused(fixture_id: str, cases: tuple[str, ...]) -> None:
    """Kernel 7 example 11: a difference over other cases would be about the cases."""
    baseline = report(A=scored(1), B=scored(1))
    candidate = ExperimentReport(fixture_id, [result(one, q=scored(1)) for one in cases])
    with pytest.raises(InvalidComparison, match="expected the same"):
        baseline.compare(candidate)


def test_entries_follow_the_baseline_then_the_candidate_alone() -> None:
    """Kernel 7.2: a reader finds what was there before first."""
    baseline = ExperimentReport("f", [result("A", b=scored(1), a=scored(1))])
    candidate = ExperimentReport("f", [result("A", c=scored(1), a=scored(1), b=scored(1))])
    ids = [metric.assessment_id for metric in baseline.compare(candidate).metrics]
    assert ids == ["b", "a", "c"]


ANSWERS = st.one_of(
    st.none(),
    st.floats(0, 1).map(scored),
    st.floats(0, 1).map(lambda score: scored(score, 0.7)),
    st.floats(0, 1).map(lambda score: scored(score, None)),
    st.floats(-1e9, 1e9).map(measured),
    st.just(Report(metric=Metric(name="tone"), label="kind")),
)
IDS = ["A", "B", "C"]


@st.composite
def sides(draw: st.DrawFn, count: int = 1) -> list[list[CaseResult]]:
    """Results of the same cases, as often as asked."""
    cases = draw(st.lists(st.sampled_from(IDS), unique=True))
    suites = st.dictionaries(st.sampled_from(["q", "r"]), ANSWERS, min_size=1)
    return [[result(one, **draw(suites)) for one in cases] for _ in range(count)]


def shape(comparison: Comparison) -> list[object]:
    """The entries of a comparison in an order that no side decides."""
    return sorted(
        (metric.assessment_id, str(metric.observation), metric.payload())
        for metric in comparison.metrics
    )


@settings(max_examples=40)
@given(sides())
def test_a_comparison_with_itself_is_all_zeros(both: list[list[CaseResult]]) -> None:
    """Kernel 7 example 1: everything matches, and nothing moved."""
    here = ExperimentReport("f", both[0])
    comparison = here.compare(ExperimentReport("f", both[0]))
    assert (comparison.evaluated_delta, comparison.error_delta) == (0, 0)
    for metric in comparison.metrics:
        assert metric.evaluated_delta == 0
        assert metric.baseline == metric.candidate
        for delta, numbers in (
            (metric.score_delta, metric.baseline.scores),
            (metric.measurement_delta, metric.baseline.measurements),
        ):
            assert delta == DistributionDelta(matched=numbers.count)
        judged = metric.baseline.passed + metric.baseline.failed
        assert metric.decision_delta == DecisionDelta(matched=judged)
    assert set(changes(comparison).values()) <= {"unchanged", "errored"}


@settings(max_examples=40)
@given(sides(2))
def test_swapping_the_sides_flips_the_signs(both: list[list[CaseResult]]) -> None:
    """A direction that depends on who is called baseline would be an opinion."""
    here, there = (ExperimentReport("f", one) for one in both)
    one, other = here.compare(there), there.compare(here)
    assert one.evaluated_delta == -other.evaluated_delta
    assert one.error_delta == -other.error_delta
    found = {(m.assessment_id, m.observation): m for m in other.metrics}
    assert len(found) == len(one.metrics)
    for metric in one.metrics:
        back = found[metric.assessment_id, metric.observation]
        assert metric.evaluated_delta == -back.evaluated_delta
        assert metric.score_delta == mirrored(back.score_delta)
        assert metric.measurement_delta == mirrored(back.measurement_delta)
        assert metric.decision_delta == DecisionDelta(
            matched=back.decision_delta.matched,
            baseline_only=back.decision_delta.candidate_only,
            candidate_only=back.decision_delta.baseline_only,
            incompatible=back.decision_delta.incompatible,
            passed_delta=-back.decision_delta.passed_delta,
        )
    improved = {case_id for case_id, change in changes(other).items() if change == "improved"}
    assert {changes(one)[case_id] for case_id in improved} <= {"regressed"}


def mirrored(delta: DistributionDelta) -> DistributionDelta:
    """The delta of the swapped sides."""
    return replace(
        delta,
        mean=-delta.mean + 0.0,
        baseline_only=delta.candidate_only,
        candidate_only=delta.baseline_only,
    )


@settings(max_examples=40)
@given(sides(2), st.randoms())
def test_the_order_of_cases_never_matters(both: list[list[CaseResult]], random: object) -> None:
    """Kernel 7.1: pairs are found by name."""
    shuffled = list(both[1])
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    here = ExperimentReport("f", both[0])
    one = here.compare(ExperimentReport("f", both[1]))
    other = here.compare(ExperimentReport("f", shuffled))
    assert {str(item) for item in shape(one)} == {str(item) for item in shape(other)}
    assert changes(one) == changes(other)


@settings(max_examples=40)
@given(sides(2))
def test_every_observation_is_matched_or_counted(both: list[list[CaseResult]]) -> None:
    """Kernel 7.3: nothing is dropped without a number for it."""
    here, there = (ExperimentReport("f", one) for one in both)
    for metric in here.compare(there).metrics:
        for side, alone in (
            (metric.baseline, "baseline_only"),
            (metric.candidate, "candidate_only"),
        ):
            numbers = 0 if side is None else side.scores.count
            delta = metric.score_delta
            assert delta.matched + delta.incompatible + getattr(delta, alone) == numbers
            decided = 0 if side is None else side.passed + side.failed
            decisions = metric.decision_delta
            total = decisions.matched + decisions.incompatible + getattr(decisions, alone)
            assert total == decided


@settings(max_examples=40)
@given(sides(2))
def test_the_machine_form_is_finite_json(both: list[list[CaseResult]]) -> None:
    """DESIGN 8.2: absent is null, never NaN."""
    here, there = (ExperimentReport("f", one) for one in both)
    payload = here.compare(there).payload()
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload


def revised(revision: str, score: float, threshold: float = 0.5) -> Grading:
    """A grading whose grades an evaluator of this revision made."""
    graded = grading_of_results("f", [result("A", q=scored(score, threshold))])
    who = Descriptor(name="quality", revision=revision, configuration={"threshold": threshold})
    evaluator = pl.lit(who.identity, pl.Categorical).alias("evaluator")
    return replace(
        graded,
        grades=graded.grades.with_columns(evaluator),
        identities={**graded.identities, who.identity: who.identity_text},
    )


def test_another_revision_is_incompatible_and_named() -> None:
    """DESIGN 7: scores, measurements and decisions alike, unless the user says otherwise."""
    here, there = revised("1", 0.2), revised("2", 0.9)
    score, decision = one_metric(compare(here, there))
    assert score == DistributionDelta(incompatible=1)
    assert decision == DecisionDelta(incompatible=1)
    assert changes(compare(here, there)) == {"A": "incompatible"}
    score, decision = one_metric(compare(here, there, across_revisions=True))
    assert score == DistributionDelta(mean=pytest.approx(0.7), matched=1)
    assert decision == DecisionDelta(matched=1, passed_delta=1)


def test_another_configuration_of_the_same_code_stays_paired() -> None:
    """DESIGN 7: a threshold is part of the evaluator's identity, yet no other code."""
    score, decision = one_metric(compare(revised("1", 0.5, 0.4), revised("1", 0.5, 0.6)))
    assert score == DistributionDelta(mean=0.0, matched=1)
    assert decision == DecisionDelta(incompatible=1)


def test_repeats_pair_one_by_one() -> None:
    """DESIGN 7: the kernel's case result is one per trial."""
    here = ExperimentReport("f", [result("A", n, q=scored(0.2)) for n in range(2)])
    there = ExperimentReport("f", [result("A", n, q=scored(0.2 + n / 2)) for n in (1, 0)])
    score, decision = one_metric(here.compare(there))
    assert (score.matched, score.mean) == (2, pytest.approx(0.25))
    assert decision == DecisionDelta(matched=2, passed_delta=1)


def test_means_within_cases_pair_where_repeats_differ() -> None:
    """DESIGN 7: three repeats against one are one case, not one pair and two leftovers."""
    here = ExperimentReport("f", [result("A", n, q=scored(n / 2)) for n in range(3)])
    there = ExperimentReport("f", [result("A", 0, q=scored(0.75))])
    score, decision = one_metric(here.compare(there))
    assert score == DistributionDelta(mean=0.25, matched=1)
    assert decision == DecisionDelta(matched=1, baseline_only=2, passed_delta=1)


@pytest.mark.parametrize(
    ("here", "there", "change"),
    [
        ({"q": scored(1)}, {"q": scored(0)}, "regressed"),
        ({"q": scored(0)}, {"q": scored(1)}, "improved"),
        ({"q": scored(1)}, {"q": scored(1)}, "unchanged"),
        ({"q": scored(1)}, {"q": None}, "errored"),
        ({"q": None}, {"q": None}, "errored"),
        ({"q": scored(1), "r": scored(0)}, {"q": scored(0), "r": scored(1)}, "regressed"),
        ({"q": scored(1), "r": scored(1)}, {"q": scored(0), "r": None}, "regressed"),
        ({"q": scored(1), "r": scored(1)}, {"q": scored(1, 0.4), "r": scored(0)}, "regressed"),
        ({"q": scored(0), "r": scored(1)}, {"q": scored(1), "r": scored(1, 0.4)}, "incompatible"),
        ({"q": scored(1)}, {"q": scored(1), "r": scored(0)}, "unchanged"),
        ({"q": measured(1)}, {"q": measured(9)}, "unchanged"),
    ],
)
def test_what_is_known_to_be_worse_comes_first(
    here: dict[str, Answer], there: dict[str, Answer], change: str
) -> None:
    """A regression must not hide behind an error or a gain elsewhere in its case."""
    sides = [ExperimentReport("f", [result("A", **one)]) for one in (here, there)]
    assert changes(sides[0].compare(sides[1])) == {"A": change}


def spent(cost: float | None, seconds: float, tokens: int) -> Grading:
    """A grading of two trials, the second of which always costs 1."""
    trials = [
        Execution(output=1, cost=one, duration_seconds=seconds, usage=Usage(input_tokens=tokens))
        for one in (cost, 1.0)
    ]
    return grading_of_results(
        "f", [TrialResult(result(f"c{n}", q=scored(1)), one) for n, one in enumerate(trials)]
    )


def test_spending_is_compared_over_trials_that_both_sides_recorded() -> None:
    """A cost that one side did not record must not look like a saving."""
    payload = compare(spent(3.0, 1.0, 10), spent(None, 3.0, 14)).payload()
    assert payload["cost_delta"]["mean"] == 0.0
    assert (payload["cost_delta"]["matched"], payload["cost_delta"]["baseline_only"]) == (1, 1)
    assert (payload["duration_delta"]["mean"], payload["duration_delta"]["matched"]) == (2.0, 2)
    assert (payload["usage_delta"]["input_tokens"], payload["usage_delta"]["matched"]) == (8, 2)


def test_the_machine_form_has_the_promised_names() -> None:
    """DESIGN 8.2: a script reads these names."""
    payload = report(A=scored(1)).compare(report(A=scored(0))).payload()
    assert payload.keys() == {
        "evaluated_delta",
        "error_delta",
        "matched_cases",
        "assessments",
        "usage_delta",
        "cost_delta",
        "duration_delta",
        "cases",
    }
    entry = payload["assessments"][0]
    assert entry.keys() >= {"id", "metric", "score_delta", "measurement_delta", "decision_delta"}
    numbers = {"present", "mean", "matched", "baseline_only", "candidate_only"}
    assert entry["score_delta"].keys() >= numbers | {"low", "high", "p_value"}
    assert entry["decision_delta"] == {
        "matched": 1,
        "baseline_only": 0,
        "candidate_only": 0,
        "incompatible": 0,
        "passed_delta": -1,
        "failed_delta": 1,
    }
    assert payload["cases"] == [{"id": "A", "change": "regressed"}]
    assert payload["matched_cases"] == 1
