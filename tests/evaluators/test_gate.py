"""Gates: a rule holds whatever is missing, for none of it, or nobody knows."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.errors import InputError, TargetError
from assay.evaluators.execution import Execution
from assay.evaluators.gate import VALID_FORMS, Gate, exit_code, judge_gates
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.score import Score
from assay.evaluators.suite import SuiteResult
from assay.evaluators.summary import Summary, summarize
from assay.evaluators.trial import CaseResult, TrialResult
from assay.evaluators.trial_outcome import TargetFailures

QUALITY = Metric(name="quality")
TARGET_FAILED = TargetError("internal")

Answer = float | Report | None
"""A score judged at 0.5, a report, or None for an assessment that failed."""


def summary(*answers: Answer | TargetError, target_failures: TargetFailures = "failed") -> Summary:
    """The summary of one assessment, `q`, over as many cases."""
    results = [trial(f"c{n}", one) for n, one in enumerate(answers)]
    return summarize(grading_of_results("f", results), target_failures=target_failures)


def trial(case_id: str, answer: Answer | TargetError) -> TrialResult | CaseResult:
    """The result of a case."""
    if isinstance(answer, float):
        decision = Score(answer).decide(0.5)
        answer = Report(metric=QUALITY, score=Score(answer), decision=decision)
    if isinstance(answer, Report):
        results = (AssessmentResult("q", report=answer),)
    else:
        results = (AssessmentResult("q", error=answer or ValueError()),)
    case = CaseResult(case_id, SuiteResult(results))
    return TrialResult(case, execution_error=answer) if isinstance(answer, TargetError) else case


def outcome(rule: str, found: Summary) -> str:
    """What a rule says of a summary."""
    return Gate.parse(rule).judge(found).outcome


@pytest.mark.parametrize(
    ("rule", "subject", "operator", "limit", "assessment"),
    [
        ("pass_rate >= 0.9", "pass_rate", ">=", Fraction(9, 10), None),
        ("pass_rate>0.9", "pass_rate", ">", Fraction(9, 10), None),
        ("mean(exact) >= 0.8", "mean", ">=", Fraction(4, 5), "exact"),
        ("  mean( a >= b )<1e-3 ", "mean", "<", Fraction(1, 1000), "a >= b"),
        ("mean(tone.warm) <= 1", "mean", "<=", Fraction(1), "tone.warm"),
        ("p95(duration_seconds) <= 20", "p95(duration_seconds)", "<=", Fraction(20), None),
        ("cost <= 5", "cost", "<=", Fraction(5), None),
    ],
)
def test_a_rule_is_a_number_and_its_limit(
    rule: str, subject: str, operator: str, limit: Fraction, assessment: str | None
) -> None:
    """The limit is exactly what was written."""
    gate = Gate.parse(rule)
    assert (gate.subject, gate.operator, gate.limit) == (subject, operator, limit)
    assert (gate.assessment, gate.rule) == (assessment, rule)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "pass_rate",
        "pass_rate = 0.9",
        "pass_rate >= high",
        "pass_rate >= nan",
        "pass_rate >= 1e999999999",
        "pass_rate >= 1e-999999999",
        "passrate >= 0.9",
        "mean() >= 0.8",
        "mean >= 0.8",
        "median(exact) >= 0.8",
        "p95(cost) <= 1",
        "0.9 <= pass_rate",
        "pass_rate >= 0.9 and cost <= 5",
    ],
)
def test_an_unknown_form_is_refused_with_the_valid_ones(rule: str) -> None:
    """A gate that is silently ignored lets everything through."""
    with pytest.raises(InputError, match="expected a form like") as caught:
        Gate.parse(rule)
    assert caught.value.kind == "gate"
    assert all(form in str(caught.value) for form in VALID_FORMS)


@pytest.mark.parametrize("rule", ["pass_rate >= 90", "pass_rate > 1.01", "pass_rate >= -0.1"])
def test_a_pass_rate_that_no_run_can_have_is_refused(rule: str) -> None:
    """Whoever means 90 % would pay for a run that cannot pass."""
    with pytest.raises(InputError, match="expected a pass rate between 0 and 1"):
        Gate.parse(rule)


@given(st.text(max_size=200))
def test_no_text_breaks_the_parser(rule: str) -> None:
    """Whatever stands in a file, the answer is a gate or one sentence."""
    try:
        said = Gate.parse(rule).rule
    except InputError as error:
        said = str(error)
    assert len(said) < 1000


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("pass_rate >= 0.75", "pass"),
        ("pass_rate > 0.75", "fail"),
        ("pass_rate <= 0.75", "pass"),
        ("pass_rate < 0.75", "fail"),
        ("pass_rate >= 0.76", "fail"),
    ],
)
def test_a_known_rate_is_compared_as_whole_numbers(rule: str, expected: str) -> None:
    """Three of four is three quarters."""
    assert outcome(rule, summary(1.0, 1.0, 1.0, 0.0)) == expected


def test_rates_have_no_rounding() -> None:
    """0.7 as a float is a bit less than seven tenths; as a gate it is not."""
    found = summary(*[1.0] * 7, *[0.0] * 3)
    assert outcome("pass_rate >= 0.7", found) == "pass"
    assert outcome("pass_rate >= 0.7000000000001", found) == "fail"
    assert outcome("pass_rate <= 0.6999999999999", found) == "fail"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("pass_rate >= 0.25", "pass"),
        ("pass_rate >= 0.5", "undecided"),
        ("pass_rate >= 0.75", "undecided"),
        ("pass_rate >= 0.8", "fail"),
        ("pass_rate <= 0.75", "pass"),
        ("pass_rate <= 0.5", "undecided"),
        ("pass_rate < 0.25", "fail"),
    ],
)
def test_unknown_trials_leave_a_rate_between_its_bounds(rule: str, expected: str) -> None:
    """One pass, one fail, two unknown: between 1/4 and 3/4."""
    found = summary(1.0, 0.0, None, None)
    assert outcome(rule, found) == expected
    assert Gate.parse(rule).judge(found).reason == "2 unknown trials"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("mean(q) >= 0.4", "pass"),
        ("mean(q) >= 0.5", "undecided"),
        ("mean(q) >= 0.61", "fail"),
        ("mean(q) <= 0.6", "pass"),
    ],
)
def test_missing_scores_could_be_anything_between_0_and_1(rule: str, expected: str) -> None:
    """Four scores of 0.5 and one missing: the mean lies between 0.4 and 0.6."""
    result = Gate.parse(rule).judge(summary(0.5, 0.5, 0.5, 0.5, None))
    assert (result.outcome, result.value, result.n) == (expected, 0.5, 4)
    assert result.reason == "1 trials without a score"


@pytest.mark.parametrize(
    ("policy", "rule", "expected"),
    [
        ("failed", "mean(q) >= 0.6", "fail"),
        ("unknown", "mean(q) >= 0.6", "undecided"),
        ("failed", "mean(q) <= 0.5", "pass"),
    ],
)
def test_a_failed_target_earned_no_score(policy: TargetFailures, rule: str, expected: str) -> None:
    """As in the pass rate: by the experiment's policy it is a wrong answer or unknown."""
    assert outcome(rule, summary(1.0, TARGET_FAILED, target_failures=policy)) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("mean(q) >= 0.3", "pass"),
        ("mean(q) > 0.3", "fail"),
        ("mean(q) <= 0.3", "pass"),
        ("mean(q) >= 0.300000002", "fail"),
    ],
)
def test_means_have_a_billionth_of_room(rule: str, expected: str) -> None:
    """0.1 + 0.2 + 0.6 over 3 is 0.3 to anybody but a processor."""
    assert outcome(rule, summary(0.1, 0.2, 0.6)) == expected


def test_a_mean_without_scores_is_that_of_measurements() -> None:
    """Latencies are gated too; a missing one could be anything."""
    slow, slower = (Report(metric=Metric(name="ms"), measurement=ms) for ms in (100.0, 300.0))
    assert outcome("mean(q) <= 200", summary(slow, slower)) == "pass"
    assert outcome("mean(q) <= 199", summary(slow, slower)) == "fail"
    assert outcome("mean(q) <= 500", summary(slow, slower, None)) == "undecided"


def test_scores_of_several_metrics_have_no_mean() -> None:
    """Pooling them would compare what must not be compared, so nobody can decide."""
    other = Report(metric=Metric(name="other"), score=Score(1.0))
    result = Gate.parse("mean(q) >= 0.1").judge(summary(1.0, other))
    assert (result.outcome, result.value) == ("undecided", None)
    assert "several metrics" in result.reason


@pytest.mark.parametrize("rule", ["mean(q) >= 0", "mean(r) >= 0", "pass_rate >= 0", "cost <= 5"])
def test_a_gate_over_nothing_fails(rule: str) -> None:
    """Kernel of every vacuous pass: no cases, no objections."""
    result = Gate.parse(rule).judge(summary())
    assert (result.outcome, result.value, result.n) == ("fail", None, 0)
    assert result.reason


def spent(*receipts: Execution) -> Summary:
    """The summary of receipts that all passed."""
    results = [
        TrialResult(trial(f"c{n}", 1.0), receipt)  # type: ignore[arg-type]
        for n, receipt in enumerate(receipts)
    ]
    return summarize(grading_of_results("f", results))


def test_a_missing_cost_leaves_a_limit_open() -> None:
    """What was recorded is the least that was spent."""
    known, unknown = Execution(output=1, cost=2.0), Execution(output=1)
    assert outcome("cost <= 5", spent(known, known)) == "pass"
    assert outcome("cost <= 3", spent(known, known)) == "fail"
    assert outcome("cost <= 5", spent(known, unknown)) == "undecided"
    assert outcome("cost <= 1", spent(known, unknown)) == "fail"
    assert outcome("cost >= 1", spent(known, unknown)) == "pass"


def test_missing_durations_leave_a_percentile_open() -> None:
    """A target that was given up on was not fast."""
    timed = [Execution(output=1, duration_seconds=float(n)) for n in range(1, 21)]
    assert outcome("p95(duration_seconds) <= 19", spent(*timed)) == "pass"
    assert outcome("p95(duration_seconds) < 19", spent(*timed)) == "fail"
    blind = [Execution(output=1)] * 2
    assert outcome("p95(duration_seconds) <= 30", spent(*timed, *blind)) == "undecided"
    assert outcome("p95(duration_seconds) <= 18", spent(*timed, *blind)) == "fail"
    assert outcome("p95(duration_seconds) <= 19", spent(*timed, blind[0])) == "undecided"


def test_b51_too_few_durations_are_named() -> None:
    """B51: of three durations the 95th percentile is the slowest, and the result says so."""
    result = Gate.parse("p95(duration_seconds) <= 30").judge(
        spent(*(Execution(output=1, duration_seconds=s) for s in (10.0, 20.0, 30.0)))
    )
    assert (result.outcome, result.value, result.n) == ("pass", 30.0, 3)
    assert "is the maximum" in result.reason


@pytest.mark.parametrize(
    ("rules", "answers", "code"),
    [
        pytest.param([], (1.0,), 0, id="no gates, nothing unknown"),
        pytest.param([], (0.0,), 0, id="no gates, a fail is known"),
        pytest.param([], (1.0, None), 3, id="no gates, unknown trials"),
        pytest.param([], (), 0, id="no gates, no cases"),
        pytest.param(["pass_rate >= 0.5"], (1.0, None), 0, id="passed whatever is unknown"),
        pytest.param(["pass_rate >= 0.6"], (1.0, None), 3, id="undecided"),
        pytest.param(["pass_rate >= 0.6", "mean(q) > 1"], (1.0, None), 1, id="one failed"),
        pytest.param(["pass_rate >= 0.5"], (), 1, id="over nothing"),
    ],
)
def test_the_exit_code_follows_the_gates(
    rules: list[str], answers: tuple[Answer, ...], code: int
) -> None:
    """DESIGN 8: 0 passed, 1 a gate failed, 3 undecided."""
    found = summary(*answers)
    assert exit_code(judge_gates([Gate.parse(rule) for rule in rules], found), found) == code


def test_the_machine_form_has_the_promised_names() -> None:
    """DESIGN 8.2: a script reads these names."""
    payload = Gate.parse("pass_rate >= 1").judge(summary(1.0)).payload()
    assert payload == {"rule": "pass_rate >= 1", "outcome": "pass", "value": 1.0, "n": 1}


@given(
    st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=6),
    st.fractions(0, 1, max_denominator=6),
)
def test_an_outcome_is_right_however_the_unknown_trials_go(
    answers: list[Answer], limit: Fraction
) -> None:
    """Pass means pass in every world, fail in none, undecided in some."""
    unknown = answers.count(None)
    passes = answers.count(1.0)
    worlds = {Fraction(passes + n, len(answers)) >= limit for n in range(unknown + 1)}
    gate = Gate(rule="", subject="pass_rate", operator=">=", limit=limit)
    expected = "undecided" if len(worlds) > 1 else "pass" if worlds == {True} else "fail"
    assert gate.judge(summary(*answers)).outcome == expected
