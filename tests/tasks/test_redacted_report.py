"""The redacted report: nothing quoted, the same bytes each time, and nothing forged comes in."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.decision import Decision
from assay.evaluators.errors import EvaluatorError, InvalidReport, Skip, TargetError
from assay.evaluators.evidence import ConversationExcerpt
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.tasks import redacted_report
from assay.tasks.forget import forget_case
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.redact_report import redact_report
from assay.tasks.redacted_report import RedactedReport, decode_report, encode_report

CANARY = "nightingale"


@evaluator(name="tone", revision="1")
def tone(sample: object) -> Report:
    """A report that repeats what it saw wherever it can."""
    said = str(sample.output)  # type: ignore[attr-defined]
    return Report(
        metric=Metric(name="tone", unit="word", parameters=OpenMap.of({"like": CANARY})),
        decision=Decision(policy="limit", verdict="fail", parameters=OpenMap.of({"at": CANARY})),
        score=0.5,
        measurement=-2.0,
        feedback=said,
        metadata=OpenMap.of({"said": said}),
        findings=(
            Finding(code="b", severity="low", message=said),
            Finding(
                code="a",
                severity="high",
                message=said,
                references=(EvidenceRef(evidence_id="e"),),
            ),
        ),
        evidence=(ConversationExcerpt(id="e", message_index=0, redacted=said, hash="sha256:0"),),
        details=(Report(metric=Metric(name="part"), feedback=said),),
    )


@evaluator(name="broken", revision="2")
def broken(sample: object) -> bool:
    """An error that repeats what it saw."""
    raise EvaluatorError("unavailable", str(sample.output))  # type: ignore[attr-defined]


@evaluator(name="picky", revision="1")
def picky(_: object) -> Skip:
    """A check that does not apply, and says why."""
    return Skip(CANARY)


def answer(given: object) -> object:
    """Repeats the input, or fails with it."""
    if given == f"fail {CANARY}":
        raise TargetError("refused", str(given))
    return given


@pytest.fixture
def graded(prepare: Callable[..., PreparedRun], execute: Callable[..., object]) -> PreparedRun:
    """Two answered cases and one failed one, twice each, under three assessments."""
    cases = [
        Case(id="z", input=f"ask {CANARY}", expected=CANARY, metadata={"note": CANARY}),
        Case(id="a", input=f"fail {CANARY}"),
        Case(id="m", input=CANARY),
    ]
    suite = [
        Assessment("tone", tone),
        Assessment("broken", broken),
        Assessment("picky", picky),
    ]
    prepared = prepare(answer, cases=cases, suite=suite, repeats=2, retries={"attempts": 1})
    execute(prepared)
    return prepared


@pytest.fixture
def report(graded: PreparedRun) -> RedactedReport:
    """Its redacted report."""
    return redact_report(graded.run, graded.grading)


def test_nothing_that_was_said_is_in_it(report: RedactedReport) -> None:
    """Whoever gets it learns how good the answers were, and none of them."""
    text = encode_report(report)
    assert CANARY not in text
    for known in ('"case_id":"z"', '"code":"a"', '"severity":"high"', '"error_class":"refused"'):
        assert known in text


def test_it_says_what_the_run_says(report: RedactedReport) -> None:
    """Every planned trial, in a fixed order, with its place in the plan."""
    samples = [(one.case_id, one.repeat, one.index) for one in report.samples]
    assert samples == [("a", 0, 2), ("a", 1, 3), ("m", 0, 4), ("m", 1, 5), ("z", 0, 0), ("z", 1, 1)]
    assert report.summary.planned == 6
    assert (report.summary.receipts, report.summary.target_failed) == (4, 2)
    assert report.summary.grades["completed"] == report.summary.grades["failed"] == 4
    assert (report.summary.passed, report.summary.failed) == (0, 4)
    grade = next(one for one in report.samples[-1].grades if one.assessment == "tone")
    assert grade.answer is not None
    assert (grade.answer.score, grade.answer.measurement) == (0.5, -2.0)
    assert [one.code for one in grade.answer.findings] == ["a", "b"]
    assert [one.name for one in report.evaluators] == ["tone", "broken", "picky"]


def test_equal_gradings_give_equal_bytes(graded: PreparedRun) -> None:
    """Also after parts were merged, and from another order of rows."""
    before = encode_report(redact_report(graded.run, graded.grading))
    for merger in graded.run.mergers():
        merger.merge_all()
    assert encode_report(redact_report(graded.run, graded.grading)) == before


def test_a_forgotten_case_changes_nothing_in_it(graded: PreparedRun) -> None:
    """Digests and numbers are all it ever had."""
    before = encode_report(redact_report(graded.run, graded.grading))
    forget_case(graded.store, "z")
    assert encode_report(redact_report(graded.run, graded.grading)) == before


def test_a_report_outlives_its_journey(report: RedactedReport) -> None:
    """Decoded and encoded again, it has the same bytes, whatever white space it travelled with."""
    text = encode_report(report)
    assert decode_report(text) == report
    assert encode_report(decode_report(json.dumps(json.loads(text), indent=2))) == text
    assert decode_report(text.encode()) == report


def _changed(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    envelope = json.loads(text)
    change(envelope)
    return json.dumps(envelope)


def _sample(envelope: dict[str, Any], at: int = -1) -> Any:  # noqa: ANN401 - JSON
    return envelope["report"]["samples"][at]


def _tone(envelope: dict[str, Any]) -> Any:  # noqa: ANN401
    return next(one for one in _sample(envelope)["grades"] if one["assessment"] == "tone")


FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another version": lambda e: e.update(version="assay.report/v2"),
    "no version": lambda e: e.pop("version"),
    "an unknown member outside": lambda e: e.update(note=1),
    "an unknown member": lambda e: e["report"].update(note=1),
    "a smuggled message": lambda e: _tone(e)["answer"]["findings"][0].update(message="x"),
    "a smuggled excerpt": lambda e: _tone(e)["answer"]["evidence"][0].update(redacted="x"),
    "a smuggled output": lambda e: _sample(e).update(output="x"),
    "a member in another case": lambda e: e["report"].update(Run_id=e["report"].pop("run_id")),
    "no report": lambda e: e.pop("report"),
    "a null report": lambda e: e.update(report=None),
    "a missing member": lambda e: e["report"].pop("settings"),
    "a status that there is not": lambda e: _tone(e).update(status="great"),
    "a pass with a grave finding": lambda e: _tone(e)["answer"].update(verdict="pass"),
    "a verdict without a policy": lambda e: _tone(e)["answer"].update(policy=None),
    "a failure with an answer": lambda e: _tone(e).update(status="failed", error_class="internal"),
    "a failure without a class": lambda e: _tone(e).update(status="failed", answer=None),
    "a score above one": lambda e: _tone(e)["answer"].update(score=1.5),
    "a score of another kind": lambda e: _tone(e)["answer"].update(score=True),
    "a number as text": lambda e: _tone(e).update(duration_seconds="1"),
    "a negative duration": lambda e: _tone(e).update(duration_seconds=-1),
    "a dangling reference": lambda e: _tone(e)["answer"].update(evidence=[]),
    "a finding twice": lambda e: _tone(e)["answer"]["findings"].append(
        dict(_tone(e)["answer"]["findings"][-1])
    ),
    "a hidden grade": lambda e: _sample(e)["grades"].pop(),
    "a hidden trial": lambda e: e["report"]["samples"].pop(),
    "a trial twice": lambda e: e["report"]["samples"].append(dict(_sample(e))),
    "trials in another order": lambda e: e["report"]["samples"].reverse(),
    "a trial that was not planned": lambda e: _sample(e).update(repeat=7),
    "a place of the plan twice": lambda e: _sample(e).update(index=0),
    "grades of a failed target": lambda e: _sample(e, 0).update(grades=_sample(e)["grades"]),
    "a receipt and a failure": lambda e: _sample(e)["execution"].update(error_class="timeout"),
    "neither of them": lambda e: _sample(e)["execution"].update(receipt=None),
    "another evaluator": lambda e: _tone(e).update(evaluator="sha256:" + "0" * 64),
    "an evaluator twice": lambda e: e["report"]["evaluators"].append(
        dict(e["report"]["evaluators"][0])
    ),
    "an evaluator that hides": lambda e: e["report"]["evaluators"].pop(),
    "a wrong count": lambda e: e["report"]["summary"].update(passed=4),
    "a wrong status count": lambda e: e["report"]["summary"]["grades"].update(completed=5),
    "a digest that is none": lambda e: e["report"].update(settings="sha256:short"),
    "a local time": lambda e: e["report"].update(created_at="2026-11-30T12:00:00.000000+02:00"),
    "an empty id": lambda e: e["report"].update(run_id=""),
    "a long name": lambda e: e["report"].update(experiment="x" * 1025),
    "two contents of one case": lambda e: _sample(e).update(case="sha256:" + "0" * 64),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_report_is_refused(what: str, report: RedactedReport) -> None:
    """As a whole, not part by part: what no run could have given is not let in."""
    with pytest.raises(InvalidReport):
        decode_report(_changed(encode_report(report), FORGERIES[what]))


def test_the_samples_of_a_forged_report_are_as_it_was_before(report: RedactedReport) -> None:
    """The forgeries above are refused for what was changed, and not for the change of layout."""
    assert decode_report(_changed(encode_report(report), lambda _: None)) == report


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda text: text.replace('"version"', '"version":"x","version"', 1), "each member once"),
        (lambda text: text + "}", "Extra data"),
        (lambda text: text[:-9], "report: "),
        (lambda text: text.replace('"score":0.5', '"score":NaN', 1), "got NaN"),
        (lambda text: text.replace('"score":0.5', '"score":1e999', 1), "should be a finite number"),
        (lambda text: text.replace('"experiment":"plan"', '"experiment":"\\ud800"'), "surrogate"),
        (lambda text: b"\xff" + text.encode(), "UTF-8"),
        (lambda _: "[]", "expected a JSON object"),
        (lambda _: "", "report: Expecting value"),
    ],
)
def test_a_text_that_is_no_report_is_refused(
    wrong: Callable[[str], str | bytes], sentence: str, report: RedactedReport
) -> None:
    """With the reason, and without any of the text."""
    with pytest.raises(InvalidReport, match=sentence):
        decode_report(wrong(encode_report(report)))


def test_a_report_that_is_too_large_is_neither_written_nor_read(
    report: RedactedReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader must not be flooded, and whoever writes learns what to write instead."""
    text = encode_report(report)
    monkeypatch.setattr(redacted_report, "LARGEST_BYTES", 100)
    with pytest.raises(InvalidReport, match="jsonl and parquet have no limit"):
        encode_report(report)
    with pytest.raises(InvalidReport, match="expected at most"):
        decode_report(text)


@given(st.text(max_size=40))
def test_any_text_is_refused_in_one_way(text: str) -> None:
    """Whatever comes from outside, there is one error to catch."""
    with pytest.raises(InvalidReport):
        decode_report(text)


def test_a_run_that_has_just_begun_has_a_report(prepare: Callable[..., PreparedRun]) -> None:
    """All of its trials have yet to be run."""
    prepared = prepare(cases=2)
    report = redact_report(prepared.run, prepared.grading)
    assert (report.summary.planned, report.summary.not_run) == (2, 2)
    assert decode_report(encode_report(report)) == report
