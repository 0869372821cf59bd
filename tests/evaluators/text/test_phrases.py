"""What was said, and what was not: required_text and forbidden_text."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.case import Case
from assay.evaluators.errors import IncompleteRecording, InvalidEvaluatorConfig
from assay.evaluators.evidence import EvaluatorDiagnostic, MessageIndex
from assay.evaluators.execution import ABSENT, Execution
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.text import forbidden_text, required_text

Message = dict[str, object]


def said(*texts: str) -> list[Message]:
    """Assistant messages of one text each."""
    return [{"role": "assistant", "content": text} for text in texts]


def blocks(*found: tuple[str, str]) -> list[Message]:
    """One assistant message of typed blocks."""
    content = [{"type": kind, "text": text} for kind, text in found]
    return [{"role": "assistant", "content": content}]


def report_of(
    evaluator: ReadyMade,
    phrases: Sequence[str],
    messages: Sequence[Message] | None,
    output: object = ABSENT,
) -> Report:
    """What the evaluator says of a conversation."""
    execution = Execution(output=output, messages=messages)
    return evaluator.configured({"phrases": list(phrases)}).grade(
        Sample(Case(id="c", input=1), execution)
    )


NESTED: list[Message] = [
    {
        "role": "assistant",
        "content": [{"type": "tool_result", "content": [{"type": "text", "text": "x"}]}],
    }
]
USER: list[Message] = [{"role": "user", "content": "b"}]


@pytest.mark.parametrize(
    ("number", "phrases", "messages", "verdict"),
    [
        ("X1", ["refund", "processed"], said("your refund was processed"), "pass"),
        ("X1", ["refund", "declined"], said("your refund was processed"), "fail"),
        ("X2", ["refundprocessed"], said("refund", "processed"), "fail"),
        ("X3", ["a\nb"], said("a", "b"), "pass"),
        ("X5", [""], [], "pass"),
        ("X6", ["x"], NESTED, "fail"),
        ("X7", ["can't help"], blocks(("refusal", "I can't help.")), "pass"),
        ("X10", ["世界"], said("你好世界"), "pass"),
        ("X10", ["b"], USER, "fail"),
    ],
)
def test_what_counts_as_said(
    number: str, phrases: list[str], messages: list[Message], verdict: str
) -> None:
    """Evidence 14.1, the rows of required_text."""
    del number
    assert report_of(required_text, phrases, messages).verdict == verdict


@pytest.mark.parametrize(
    ("number", "phrases", "messages", "verdict"),
    [
        ("X3", ["a\nb"], said("a", "b"), "pass"),
        ("X3", ["a\nb"], blocks(("text", "a"), ("text", "b")), "fail"),
        ("X5", [""], [], "pass"),
        ("X5", [""], [{"role": "assistant", "content": []}], "fail"),
        ("X6", ["x"], NESTED, "pass"),
        ("X7", ["can't help"], blocks(("refusal", "I can't help.")), "fail"),
        ("X8", ["q", "b"], [*USER, *said("ab")], "fail"),
        ("X9", ["overcan't"], blocks(("text", "game over"), ("refusal", "can't help")), "pass"),
    ],
)
def test_what_must_not_be_said(
    number: str, phrases: list[str], messages: list[Message], verdict: str
) -> None:
    """Evidence 14.1, the rows of forbidden_text: each message by itself."""
    del number
    assert report_of(forbidden_text, phrases, messages).verdict == verdict


def test_a_failure_says_how_many_phrases_are_absent_and_not_which() -> None:
    """Evidence 14.1 X4: duplicates count each; the finding cites a diagnostic that it carries."""
    report = report_of(required_text, ["a", "zz", "zz"], said("a"))
    (finding,) = report.findings
    assert (finding.code, finding.severity) == ("required_text_missing", "high")
    assert finding.message == report.feedback == "2 of 3 absent"
    (evidence,) = report.evidence
    assert isinstance(evidence, EvaluatorDiagnostic)
    assert [one.evidence_id for one in finding.references] == [evidence.id]
    assert "zz" not in report.encode().replace(report.metric.identity, "")


def test_a_hit_names_the_message_and_not_the_phrase() -> None:
    """Evidence 14.1 X8: message 1, the first that holds any of the phrases."""
    report = report_of(forbidden_text, ["q", "b"], [*USER, *said("ab", "b")])
    (finding,) = report.findings
    assert (finding.code, finding.severity) == ("forbidden_text_present", "high")
    assert finding.references[0].message_index == 1
    assert report.evidence == (MessageIndex(id="text/forbidden_text/hit", index=1),)


@pytest.mark.parametrize("evaluator", [required_text, forbidden_text])
def test_no_phrases_are_refused_at_once(evaluator: ReadyMade) -> None:
    """Evidence 14.1 X11, as an error of the configuration instead of each case."""
    with pytest.raises(InvalidEvaluatorConfig, match="phrases: "):
        evaluator.configured({"phrases": []})


def test_the_output_is_searched_beside_the_messages() -> None:
    """A target that records its steps and not its last answer must not slip through."""
    assert report_of(forbidden_text, ["bad"], said("fine"), "bad").verdict == "fail"
    assert report_of(forbidden_text, ["bad"], None, "bad").feedback.endswith("in the output")
    assert report_of(required_text, ["one\ntwo"], said("one"), "two").verdict == "pass"
    assert report_of(forbidden_text, ["secret"], None, {"a": "secret"}).verdict == "fail"


def test_an_answer_is_not_counted_twice() -> None:
    """The output usually is the last message."""
    assert report_of(required_text, ["a\na"], said("a"), "a").verdict == "fail"


@pytest.mark.parametrize("evaluator", [required_text, forbidden_text])
def test_nothing_recorded_is_unverified(evaluator: ReadyMade) -> None:
    """Nobody knows what was said."""
    with pytest.raises(IncompleteRecording):
        report_of(evaluator, ["a"], None)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "refusal": "never"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "never"}]},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "never"}]},
    ],
)
def test_messages_of_other_shapes_are_read(message: Message) -> None:
    """Chat completions and responses spell refusals differently."""
    assert report_of(required_text, ["never"], [message]).verdict == "pass"


@given(st.text(max_size=8), st.lists(st.text(max_size=8), min_size=1, max_size=3))
def test_one_phrase_is_either_required_or_forbidden(phrase: str, texts: list[str]) -> None:
    """Within one message the two evaluators are opposites."""
    messages = said("".join(texts))
    required = report_of(required_text, [phrase], messages).verdict
    assert required != report_of(forbidden_text, [phrase], messages).verdict
    assert (required == "pass") == (phrase in "".join(texts))
