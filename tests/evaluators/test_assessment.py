"""A declared check, and the one thing that came of it."""

import asyncio
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import (
    COMPLETE,
    Assessment,
    AssessmentResult,
    MissingEvidence,
    Status,
    missing_evidence,
    not_evaluated,
    settle,
)
from assay.evaluators.case import Case
from assay.evaluators.decision import Decision
from assay.evaluators.errors import (
    ERROR_CLASSES,
    Canceled,
    ComponentFailed,
    ErrorClass,
    EvaluatorError,
    IncompleteRecording,
    InvalidAssessment,
    InvalidReport,
    NotEvaluated,
    Skip,
    is_a,
)
from assay.evaluators.evidence import Requirement
from assay.evaluators.execution import Execution, Usage
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.score import Score

REPORT = Report(metric=Metric(name="m"), score=Score(1))
PLAIN = evaluator(name="plain", revision="1")(lambda _: True)


def because(error: BaseException, cause: BaseException) -> BaseException:
    """Return the error with the cause."""
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "identity",
    ["", " spaced", "spaced\u00a0", "a\ud800", None, 1],
)
def test_an_id_is_trimmed_text(identity: str) -> None:
    """Kernel 5.1: for an assessment and for its result."""
    with pytest.raises(InvalidAssessment, match=r"assessment\.id"):
        Assessment(identity, PLAIN)
    with pytest.raises(InvalidAssessment, match=r"assessment\.id"):
        AssessmentResult(identity, report=REPORT)


@pytest.mark.parametrize("identity", ["a", "评估\x00é", "a b/c.d", "\x1f"])
def test_anything_else_is_an_id(identity: str) -> None:
    """Kernel 1.2: controls included."""
    assert Assessment(identity, PLAIN).ids == (identity,)


@pytest.mark.parametrize("missing", [None, lambda _: True, type(PLAIN), "graders:tone"])
def test_an_assessment_has_an_evaluator(missing: object) -> None:
    """Kernel 5.1 and 1.4: the error names the assessment."""
    with pytest.raises(InvalidAssessment, match="assessment 'quality': expected an evaluator"):
        Assessment("quality", missing)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "members", [{}, {"report": REPORT, "error": ValueError()}, {"report": "good"}]
)
def test_a_result_is_exactly_one_of_a_report_and_an_error(members: dict[str, object]) -> None:
    """Kernel 5.2: neither both nor nothing, and nothing else in the place of a report."""
    with pytest.raises(InvalidAssessment):
        AssessmentResult("a", **members)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (None, "completed"),
        (NotEvaluated(), "not_evaluated"),
        (because(NotEvaluated(), Canceled()), "not_evaluated"),
        (ExceptionGroup("join", [NotEvaluated(), TimeoutError()]), "not_evaluated"),
        (IncompleteRecording("no spans"), "unverified"),
        (MissingEvidence(("usage",)), "unverified"),
        (because(ComponentFailed("c"), MissingEvidence(("usage",))), "unverified"),
        (ExceptionGroup("g", [IncompleteRecording(), Skip()]), "unverified"),
        (Skip("no reference"), "skipped"),
        (because(ComponentFailed("c"), Skip()), "skipped"),
        (ExceptionGroup("g", [Skip(), ValueError()]), "failed"),
        (Canceled(), "canceled"),
        (TimeoutError(), "failed"),
        (EvaluatorError("timeout"), "failed"),
        (EvaluatorError("canceled"), "failed"),
        (asyncio.CancelledError(), "failed"),
        (ValueError(), "failed"),
        (SystemExit(), "failed"),
        (InvalidReport("r"), "failed"),
    ],
)
def test_the_status_follows_from_the_error(error: BaseException | None, status: Status) -> None:
    """DESIGN 3.1, in its order. An own deadline is a failure there, not kernel 5.2's canceled."""
    result = AssessmentResult("a", report=None if error else REPORT, error=error)
    assert result.status == status
    assert result.complete == (status in COMPLETE)


ERRORS = st.sampled_from(
    [NotEvaluated, IncompleteRecording, Skip, Canceled, ValueError, TimeoutError, KeyError]
).map(lambda kind: kind("x"))


@st.composite
def _error_trees(draw: st.DrawFn, inner: st.SearchStrategy[BaseException]) -> BaseException:
    members = draw(st.lists(inner, min_size=1, max_size=3))
    error = draw(ERRORS)
    if draw(st.booleans()):
        error = BaseExceptionGroup("g", members)
    return because(error, draw(inner)) if draw(st.booleans()) else error


@given(st.none() | st.recursive(ERRORS, _error_trees, max_leaves=6))
def test_the_statuses_are_a_partition(error: BaseException | None) -> None:
    """Whatever was raised, a result has one status, and counts as complete or as incomplete."""
    result = AssessmentResult("a", report=None if error else REPORT, error=error)
    expected: list[tuple[Status, bool]] = [
        ("not_evaluated", is_a(error, NotEvaluated)),
        ("unverified", is_a(error, IncompleteRecording)),
        ("completed", error is None),
    ]
    first = next((status for status, holds in expected if holds), None)
    assert result.status == first if first else result.status in ("skipped", "canceled", "failed")
    assert result.complete == (result.status in ("completed", "skipped"))
    assert (result.error_class is not None) == (result.status in ("failed", "canceled"))
    assert result.error_class is None or result.error_class in ERROR_CLASSES
    assert (result.finding is not None) == (result.status == "unverified")
    assert result.verdict == "" or result.status == "completed"


@pytest.mark.parametrize(
    ("error", "error_class"),
    [
        (Canceled(), "canceled"),
        (TimeoutError(), "timeout"),
        (EvaluatorError("malformed_reply"), "malformed_reply"),
        (InvalidReport("r"), "invalid_report"),
        (because(ComponentFailed("c"), EvaluatorError("refused")), "refused"),
        (ValueError(), "internal"),
        (Skip(), None),
        (NotEvaluated(), None),
        (IncompleteRecording(), None),
    ],
)
def test_only_a_failure_has_an_error_class(
    error: BaseException, error_class: ErrorClass | None
) -> None:
    """What did not fail is not worth another attempt."""
    assert AssessmentResult("a", error=error).error_class == error_class


def test_the_verdict_is_the_reports() -> None:
    """And empty where there is none."""
    decided = Report(metric=Metric(name="m"), decision=Decision(policy="p", verdict="fail"))
    assert AssessmentResult("a", report=decided).verdict == "fail"
    assert AssessmentResult("a", report=REPORT).verdict == ""
    assert AssessmentResult("a", error=ValueError()).verdict == ""


def test_work_that_never_started_may_say_why() -> None:
    """Kernel 5.1: both can be tested for."""
    assert not_evaluated("a").error is not None
    result = not_evaluated("a", TimeoutError("late"))
    assert result.status == "not_evaluated"
    assert is_a(result.error, NotEvaluated)
    assert is_a(result.error, TimeoutError)
    bare = not_evaluated("a").error
    assert bare is not None
    assert bare.__cause__ is None


def test_declared_outputs_are_ids_of_their_own() -> None:
    """DESIGN 3.1: `<id>.<name>`, in declared order."""
    one = evaluator(name="n", revision="1", outputs=("b", "a"))(lambda _: {})
    assert Assessment("x", one).ids == ("x.b", "x.a")


@pytest.mark.parametrize("answer", [None, 1, "good", {"b": REPORT}, [REPORT]])
def test_an_answer_that_is_no_report_is_a_failure(answer: object) -> None:
    """Kernel 5.4 example 7: InvalidReport, and no report."""
    (result,) = settle(Assessment("x", PLAIN), answer, 0.5)
    assert (result.status, result.error_class, result.report) == (
        "failed",
        "invalid_report",
        None,
    )
    assert result.duration_seconds == 0.5


@pytest.mark.parametrize("answer", [None, REPORT, {"a": REPORT}, {"a": 1, "b": 2, "c": 3}])
def test_a_wrong_answer_to_declared_outputs_fails_each(answer: object) -> None:
    """No id goes without a result."""
    one = evaluator(name="n", revision="1", outputs=("a", "b"))(lambda _: {})
    results = settle(Assessment("x", one), answer, 0.0)
    assert [(result.id, result.status) for result in results] == [
        ("x.a", "failed"),
        ("x.b", "failed"),
    ]


def test_a_returned_exception_is_an_error() -> None:
    """Some hand theirs back instead of raising it."""
    (result,) = settle(Assessment("x", PLAIN), Skip("no"), 0.0)
    assert result.status == "skipped"


# --- the evidence gate -----------------------------------------------------------------------


def gated(*requires: Requirement) -> Assessment:
    """Return an assessment that requires evidence."""
    return Assessment("x", evaluator(name="n", revision="1", requires=requires)(lambda _: True))


FULL = Execution(
    output=None,
    usage=Usage(),
    cost=0.0,
    duration_seconds=0.0,
    messages=(),
    tool_calls=(),
    spans=(),
)


@pytest.mark.parametrize(
    ("requires", "execution", "missing"),
    [
        pytest.param(("usage",), FULL, None, id="evidence G1: it is there"),
        pytest.param(("usage",), Execution(), ("usage",), id="evidence G2: it is not"),
        pytest.param(
            ("timing", "usage"), Execution(), ("timing", "usage"), id="evidence G3: in that order"
        ),
        pytest.param(("usage", "timing"), Execution(), ("usage", "timing"), id="or in the other"),
        pytest.param((), Execution(), None, id="evidence G5: nothing required"),
        pytest.param(
            ("output", "spans", "cost", "tool_operation", "message_index"), FULL, None, id="empty"
        ),
        pytest.param(("output",), Execution(), ("output",), id="no output"),
        pytest.param(
            ("structured_output",), FULL, ("structured_output",), id="what no receipt records"
        ),
    ],
)
def test_the_gate_lists_what_is_missing(
    requires: tuple[Requirement, ...], execution: Execution, missing: tuple[str, ...] | None
) -> None:
    """Evidence 6: all of it has to be there; presence counts, not content."""
    refusal = missing_evidence(gated(*requires), Sample(Case(id="c", input=1), execution))
    assert (refusal.kinds if refusal else None) == missing


def test_a_subject_that_provides_nothing_has_no_evidence() -> None:
    """Any object can be evaluated; only a sample can show evidence."""
    refusal = missing_evidence(gated("output"), "a text")
    assert refusal is not None
    assert missing_evidence(gated(), "a text") is None


def test_missing_evidence_is_a_finding() -> None:
    """Evidence 6: of medium severity, naming the kinds, without references."""
    finding = AssessmentResult("x", error=MissingEvidence(("timing", "usage"))).finding
    assert finding is not None
    assert (finding.code, finding.severity) == ("missing_required_evidence", "medium")
    assert (finding.message, finding.references) == ("timing, usage", ())


@pytest.mark.parametrize(
    "error", [IncompleteRecording("é" * 3000), because(ValueError("v"), IncompleteRecording())]
)
def test_the_finding_of_an_evaluator_is_bounded(error: BaseException) -> None:
    """2,048 bytes, cut where a character ends."""
    finding = AssessmentResult("x", error=error).finding
    assert finding is not None
    assert len(finding.message.encode()) <= 2048


def test_missing_evidence_crosses_processes() -> None:
    """A worker process tells which kinds they were."""
    copied = pickle.loads(pickle.dumps(MissingEvidence(("usage", "spans"))))  # noqa: S301
    assert copied.kinds == ("usage", "spans")
    assert str(copied) == "the receipt lacks usage, spans"
