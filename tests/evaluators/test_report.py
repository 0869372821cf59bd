"""What one evaluator says of one sample."""

import json
import math
import pickle
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.canonical import canonicalize, decode, write
from assay.evaluators.decision import Decision
from assay.evaluators.errors import InvalidMetric, InvalidReport, InvalidScore, is_a
from assay.evaluators.evidence import Timing
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.score import Score

METRIC = Metric(name="m")
PASS = Decision(policy="p", verdict="pass")
FAIL = Decision(policy="p", verdict="fail")


def chain(levels: int) -> Report:
    """Return a report with that many levels of details, itself counted."""
    report = Report(metric=METRIC, feedback="leaf")
    for _ in range(levels - 1):
        report = Report(metric=METRIC, details=(report,))
    return report


def chain_text(levels: int) -> str:
    """Return the JSON text of such a chain, whether or not it may exist."""
    text = '{"metric":{"name":"m"},"feedback":"leaf"}'
    for _ in range(levels - 1):
        text = f'{{"metric":{{"name":"m"}},"details":[{text}]}}'
    return text


# --- an outcome ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({}, id="kernel 3.6 example 1, metric only"),
        pytest.param({"metadata": {"k": 1}}, id="kernel 3.6 example 1, metadata"),
        pytest.param({"feedback": " \n\u2003"}, id="blank feedback"),
        pytest.param({"findings": (Finding(code="c", severity="low"),)}, id="finding alone"),
    ],
)
def test_a_report_needs_an_outcome(members: dict[str, object]) -> None:
    """Kernel 3.6 example 1: a metric without one says nothing."""
    with pytest.raises(InvalidReport, match="outcome"):
        Report.model_validate({"metric": METRIC, **members})


@pytest.mark.parametrize(
    "members",
    [
        pytest.param({"feedback": "ok"}, id="kernel 3.6 example 1, feedback"),
        pytest.param({"score": 0.0}, id="score of zero"),
        pytest.param({"measurement": 0.0}, id="measurement of zero"),
        pytest.param({"label": ""}, id="empty label"),
        pytest.param({"decision": FAIL}, id="decision"),
        pytest.param({"details": (Report(metric=METRIC, score=Score(1)),)}, id="one detail"),
    ],
)
def test_each_outcome_is_enough(members: dict[str, object]) -> None:
    """Kernel 3.6 example 1: presence counts, not the value."""
    report = Report.model_validate({"metric": METRIC, **members})
    assert Report.decode(report.encode()) == report


def test_a_missing_metric_is_both_an_invalid_report_and_an_invalid_metric() -> None:
    """Kernel 3.6 example 2: one failure, two categories."""
    for build in (
        lambda: Report.model_validate({"score": 0.5}),
        lambda: Report.decode('{"score":0.5}'),
        lambda: Report.decode('{"metric":null,"score":0.5}'),
        lambda: Report.decode('{"metric":{"name":""},"score":0.5}'),
    ):
        with pytest.raises(InvalidReport) as caught:
            build()
        assert is_a(caught.value, InvalidMetric)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_measurement_is_finite(value: float) -> None:
    """Kernel 3.6 example 3: not measured is absent, never NaN."""
    with pytest.raises(InvalidReport, match="measurement"):
        Report(metric=METRIC, measurement=value)


@pytest.mark.parametrize("value", [0.0, sys.float_info.max, -sys.float_info.max, 5e-324])
def test_any_finite_measurement_is_allowed(value: float) -> None:
    """Kernel 1.4c: the greatest and the smallest floats included, and they come back."""
    report = Report(metric=METRIC, measurement=value)
    assert Report.decode(report.encode()).measurement == value


def test_a_report_is_at_most_64_levels_deep() -> None:
    """Kernel 3.6 example 4: 64 work and come back, 65 cannot be built or decoded."""
    deepest = chain(64)
    assert deepest.depth == 64
    assert Report.decode(deepest.encode()) == deepest
    for build in (lambda: chain(65), lambda: Report.decode(chain_text(65))):
        with pytest.raises(InvalidReport, match="at most 64 levels"):
            build()


def test_a_text_of_a_thousand_levels_is_refused_quietly() -> None:
    """It is the author's mistake, not a recursion error of ours."""
    with pytest.raises(InvalidReport):
        Report.decode(chain_text(300))


def test_every_part_of_a_report_comes_back() -> None:
    """Kernel 3.6 example 5: a full one, and one that is feedback alone."""
    child = Report(metric=Metric(name="part"), score=Score(1))
    full = Report(
        metric=METRIC,
        score=Score(0.75),
        measurement=12.5,
        feedback="fine",
        metadata=OpenMap({"n": "1e1000"}),
        details=(child,),
    )
    assert Report.decode(full.encode()) == full
    words = Report(metric=METRIC, feedback="fine").encode()
    assert words == '{"feedback":"fine","metric":{"name":"m"}}'


@pytest.mark.parametrize("place", ["top", "detail"])
def test_feedback_is_text_at_every_level(place: str) -> None:
    """Kernel 3.6 example 6: an invalid byte is a lone surrogate in Python."""
    with pytest.raises(InvalidReport):
        Report(metric=METRIC, feedback="a\ud800")
    inner = '{"metric":{"name":"m"},"feedback":"\\ud800"}'
    text = inner if place == "top" else f'{{"metric":{{"name":"m"}},"details":[{inner}]}}'
    with pytest.raises(InvalidReport, match="surrogate"):
        Report.decode(text)


@pytest.mark.parametrize("text", ["{", '{"metric":{"name":""}}'])
def test_a_failed_decoding_gives_nothing(text: str) -> None:
    """Kernel 3.6 example 7: reports are immutable, so there is no receiver to leave untouched."""
    before = Report(metric=METRIC, score=Score(1))
    encoded = before.encode()
    with pytest.raises(InvalidReport):
        Report.decode(text)
    assert before.encode() == encoded


def test_an_invalid_score_is_also_an_invalid_report() -> None:
    """Kernel 1.4c, from Python and from the wire; 1e400 is no number of a score."""
    for text in ("2", "-0.1", "1e400"):
        with pytest.raises(InvalidReport, match="score") as caught:
            Report.decode(f'{{"metric":{{"name":"m"}},"score":{text}}}')
        assert is_a(caught.value, InvalidScore)


def test_outcomes_are_independent() -> None:
    """A score of 1 beside a failing verdict is what the evaluator said."""
    report = Report(metric=METRIC, score=Score(1), decision=FAIL, measurement=-3.0, label="bad")
    assert (report.verdict, report.score) == ("fail", 1)


def test_the_verdict_is_the_decisions() -> None:
    """And empty where nothing was decided."""
    assert Report(metric=METRIC, decision=PASS).verdict == "pass"
    assert not Report(metric=METRIC, score=Score(1)).verdict


# --- the wire --------------------------------------------------------------------------------


def test_a_zero_is_written_and_an_absence_is_not() -> None:
    """Kernel 2: presence is separate from the value."""
    zero = Report(metric=METRIC, score=Score(-0.0), measurement=0.0).encode()
    assert zero == '{"measurement":0,"metric":{"name":"m"},"score":-0}'
    assert "measurement" not in Report(metric=METRIC, score=Score(1)).encode()


def test_null_optional_members_are_absent() -> None:
    """Kernel 2: all but the output of an execution."""
    names = ("score", "measurement", "decision", "label", "details", "metadata", "findings")
    nulls = ",".join(f'"{name}":null' for name in (*names, "evidence"))
    report = Report.decode(f'{{"metric":{{"name":"m"}},"feedback":"x",{nulls}}}')
    assert report == Report(metric=METRIC, feedback="x")


FULL = (
    '{"metric":{"name":"m","parameters":{"k":{"z":1}}},"feedback":"f","metadata":{"k":{"z":1}},'
    '"decision":{"policy":"p","verdict":"pass","parameters":{"k":{"z":1}}},'
    '"details":[{"metric":{"name":"d"},"score":1,"details":[{"metric":{"name":"e"},"score":1}]}],'
    '"findings":[{"code":"c","severity":"low","references":[{"evidence_id":"t"}]}],'
    '"evidence":[{"id":"t","kind":"timing","duration_seconds":1}]}'
)
CLOSED = [
    [],
    ["metric"],
    ["decision"],
    ["details", 0],
    ["details", 0, "metric"],
    ["details", 0, "details", 0],
    ["findings", 0],
    ["findings", 0, "references", 0],
    ["evidence", 0],
]
OPEN = [["metadata", "k"], ["metric", "parameters", "k"], ["decision", "parameters", "k"]]


def at(tree: object, path: list[str | int]) -> dict[str, object]:
    """Return the object at the path."""
    for step in path:
        tree = tree[step]  # type: ignore[index]
    assert isinstance(tree, dict)
    return tree


@pytest.mark.parametrize("path", CLOSED, ids=str)
def test_an_unknown_member_is_refused_at_every_level(path: list[str | int]) -> None:
    """A member that nobody reads is a mistake that nobody sees."""
    tree = json.loads(FULL)
    assert Report.decode(json.dumps(tree)).encode()
    at(tree, path)["unknown"] = 1
    with pytest.raises(InvalidReport):
        Report.decode(json.dumps(tree))


@pytest.mark.parametrize("path", OPEN, ids=str)
def test_open_maps_take_any_member(path: list[str | int]) -> None:
    """They are carried, not read."""
    tree = json.loads(FULL)
    at(tree, path)["unknown"] = None
    assert Report.decode(json.dumps(tree)).encode()


@pytest.mark.parametrize("path", [*CLOSED, *OPEN], ids=str)
def test_a_repeated_member_is_refused_at_every_level(path: list[str | int]) -> None:
    """Open maps included: which of the two counts?"""
    tree = json.loads(FULL)
    target = at(tree, path)
    name = next(iter(target))
    target["REPEATED"] = target[name]
    text = json.dumps(tree).replace('"REPEATED"', json.dumps(name))
    with pytest.raises(InvalidReport, match="more than once"):
        Report.decode(text)


@pytest.mark.parametrize(
    "member",
    [
        '"score":"0.5"',
        '"score":true',
        '"measurement":[]',
        '"label":1',
        '"feedback":1',
        '"details":{}',
        '"details":[1]',
        '"findings":"x"',
        '"evidence":[null]',
        '"metadata":[]',
    ],
)
def test_a_member_of_another_kind_is_refused(member: str) -> None:
    """Nothing is coerced."""
    with pytest.raises(InvalidReport):
        Report.decode(f'{{"metric":{{"name":"m"}},"decision":{write(PASS)},{member}}}')


@settings(max_examples=40)
@given(st.from_type(Report))
def test_a_report_comes_back_from_its_text(report: Report) -> None:
    """What was stored is what was said, whatever it was."""
    text = report.encode()
    assert Report.decode(text) == report
    assert canonicalize(text) == text
    assert pickle.loads(pickle.dumps(report)) == report  # noqa: S301


@settings(max_examples=40)
@given(st.from_type(Report))
def test_equal_reports_have_one_text(report: Report) -> None:
    """So the digest of a grade is the digest of what it says."""
    assert Report.decode(report.encode()).encode() == report.encode()


# --- findings and evidence -------------------------------------------------------------------


@pytest.mark.parametrize("severity", ["high", "critical"])
def test_a_pass_carries_no_grave_finding(severity: str) -> None:
    """Evidence A1: a pass that says something terrible is a contradiction."""
    finding = Finding.model_validate({"code": "c", "severity": severity})
    with pytest.raises(InvalidReport, match="high or critical"):
        Report(metric=METRIC, decision=PASS, findings=(finding,))
    assert Report(metric=METRIC, decision=FAIL, findings=(finding,)).verdict == "fail"
    assert Report(metric=METRIC, score=Score(1), findings=(finding,)).findings == (finding,)


@pytest.mark.parametrize("severity", ["info", "low", "medium"])
def test_a_pass_may_carry_advice(severity: str) -> None:
    """Evidence A1: up to medium."""
    finding = Finding.model_validate({"code": "c", "severity": severity})
    assert Report(metric=METRIC, decision=PASS, findings=(finding,)).verdict == "pass"


def test_a_code_stands_once() -> None:
    """Evidence A4: a check that fires twice is one finding; the code is not repeated to anybody."""
    finding = Finding(code="secret-code", severity="low")
    with pytest.raises(InvalidReport, match="each code once") as caught:
        Report(metric=METRIC, score=Score(1), findings=(finding, finding))
    assert "secret-code" not in str(caught.value)


def test_references_resolve() -> None:
    """Evidence A5: within the report itself; a message position is checked where it is known."""
    timing = Timing(id="t", duration_seconds=1.0)
    known = Finding(code="c", severity="low", references=(EvidenceRef(evidence_id="t"),))
    lost = Finding(code="c", severity="low", references=(EvidenceRef(evidence_id="u"),))
    far = Finding(code="c", severity="low", references=(EvidenceRef(message_index=99999),))
    for finding in (known, far):
        Report(metric=METRIC, score=Score(1), findings=(finding,), evidence=(timing,))
    with pytest.raises(InvalidReport, match="references"):
        Report(metric=METRIC, score=Score(1), findings=(lost,), evidence=(timing,))


def test_an_evidence_id_stands_once() -> None:
    """Or a reference would mean two things."""
    timing = Timing(id="t", duration_seconds=1.0)
    with pytest.raises(InvalidReport, match="each id once"):
        Report(metric=METRIC, score=Score(1), evidence=(timing, timing))


@pytest.mark.parametrize(("count", "allowed"), [(256, True), (257, False)])
def test_a_report_has_at_most_256_findings(count: int, *, allowed: bool) -> None:
    """Evidence 1: a report stays readable."""
    findings = tuple(Finding(code=str(number), severity="low") for number in range(count))
    if allowed:
        assert len(Report(metric=METRIC, score=Score(1), findings=findings).findings) == count
        return
    with pytest.raises(InvalidReport, match="at most 256"):
        Report(metric=METRIC, score=Score(1), findings=findings)


@pytest.mark.parametrize(("label", "allowed"), [("é" * 128, True), ("é" * 129, False)])
def test_a_label_is_a_category_and_no_essay(label: str, *, allowed: bool) -> None:
    """At most 256 bytes, counted as UTF-8."""
    if allowed:
        assert Report(metric=METRIC, label=label).label == label
        return
    with pytest.raises(InvalidReport, match="256 bytes"):
        Report(metric=METRIC, label=label)


# --- identities ------------------------------------------------------------------------------


def test_observations_are_pooled_by_the_metric_and_those_of_all_details() -> None:
    """Kernel 6.4, Gen C: another detail metric is another observation, another score is not."""
    first = Report(metric=METRIC, score=Score(1), details=(Report(metric=METRIC, score=Score(0)),))
    again = Report(metric=METRIC, decision=PASS, details=(Report(metric=METRIC, feedback="x"),))
    other = Report(
        metric=METRIC, score=Score(1), details=(Report(metric=Metric(name="d"), score=Score(0)),)
    )
    bare = Report(metric=METRIC, score=Score(1))
    assert first.observation == again.observation
    assert len({one.observation_digest for one in (first, other, bare)}) == 3
    assert bare.observation == '{"metric":{"name":"m"}}'


def test_the_rule_holds_the_rules_of_all_details() -> None:
    """Kernel 7.4: another threshold inside is another rule, another verdict is not."""

    def summary(threshold: float, score: float) -> Report:
        detail = Report(metric=METRIC, score=Score(score), decision=Score(score).decide(threshold))
        return Report(metric=Metric(name="all"), decision=PASS, details=(detail,))

    assert summary(0.5, 0.9).rule == summary(0.5, 0.1).rule
    assert summary(0.5, 0.9).rule != summary(0.6, 0.9).rule
    assert summary(0.5, 0.9).observation == summary(0.6, 0.9).observation
    assert summary(0.5, 0.9).rule_digest != summary(0.6, 0.9).rule_digest


def test_the_reports_own_metric_is_not_part_of_the_rule() -> None:
    """Kernel 7.4: pairing has fixed it already."""
    other = Report(metric=Metric(name="n"), decision=PASS)
    assert Report(metric=METRIC, decision=PASS).rule == other.rule == '{"policy":"p"}'


def test_what_decides_nothing_has_no_rule() -> None:
    """It does not take part in a comparison of decisions."""
    report = Report(metric=METRIC, score=Score(1))
    assert (report.rule, report.rule_digest) == (None, None)


@settings(max_examples=40)
@given(st.from_type(Report), st.from_type(Report))
def test_equal_observations_have_equal_metrics(one: Report, other: Report) -> None:
    """Nothing is ever averaged over two metrics."""
    assert one.metric == other.metric or one.observation != other.observation


@settings(max_examples=40)
@given(st.from_type(Report))
def test_identities_are_canonical_texts(report: Report) -> None:
    """They stand in the identity table as JSON that anybody can read."""
    for text in (report.observation, report.rule):
        assert text is None or write(decode(text)) == canonicalize(write(decode(text)))
        assert text is None or canonicalize(text) == text
