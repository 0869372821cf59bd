"""Whether something was said that must not be."""

from assay.evaluators.evidence import EvaluatorDiagnostic, Evidence, MessageIndex
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.assistant_text import assistant_texts
from assay.evaluators.text.required_text import Phrases

_CODE = "forbidden_text_present"
_HIT = "text/forbidden_text/hit"


@ready_made(
    revision="1",
    guide=Guide(settings={"phrases": ["guaranteed"]}, receipt={"output": "It may help."}),
)
def forbidden_text(sample: Sample, *, phrases: Phrases) -> Checked:
    """Pass when no phrase occurs in any one message that the user got to read.

    Searched are the text of each assistant message by itself, and the output; thoughts, tool calls
    and their results are not. The empty phrase occurs in every message. A failure cites the first
    message, never the phrase.

    Args:
        sample: Whose conversation is searched.
        phrases: What must not occur, character by character; at least one.
    """
    for one in assistant_texts(sample):
        if any(phrase in one.text for phrase in phrases):
            return _hit(one.message_index)
    return Checked(passed=True)


def _hit(index: int | None) -> Checked:
    where = "the output" if index is None else f"message {index}"
    evidence: Evidence = (
        EvaluatorDiagnostic(id=_HIT, code=_CODE, severity="high", message="in the output")
        if index is None
        else MessageIndex(id=_HIT, index=index)
    )
    reference = EvidenceRef(evidence_id=_HIT, message_index=index)
    finding = Finding(code=_CODE, severity="high", references=(reference,))
    reason = f"a forbidden text stands in {where}"
    return Checked(passed=False, reason=reason, findings=(finding,), evidence=(evidence,))
