"""Whether everything was said that has to be."""

from typing import Annotated

from pydantic import Field

from assay.evaluators.evidence import EvaluatorDiagnostic
from assay.evaluators.finding import EvidenceRef, Finding
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.assistant_text import assistant_texts

Phrases = Annotated[list[str], Field(min_length=1)]
"""At least one text."""

_ABSENT = "text/required_text/absent"


@ready_made(
    revision="1",
    guide=Guide(
        settings={"phrases": ["refund", "processed"]},
        receipt={"output": "Your refund was processed."},
    ),
)
def required_text(sample: Sample, *, phrases: Phrases) -> Checked:
    """Pass when each phrase occurs in what the user got to read, character by character.

    That is the text of all assistant messages and the output, joined by newlines; without recorded
    messages it is the output. Thoughts, tool calls and their results do not count, refusals do.
    The empty phrase occurs everywhere. A failure cites how many phrases are absent, never which.

    Args:
        sample: Whose conversation is searched.
        phrases: What has to occur; at least one.
    """
    said = "\n".join(one.text for one in assistant_texts(sample))
    absent = sum(phrase not in said for phrase in phrases)
    if not absent:
        return Checked(passed=True)
    message = f"{absent} of {len(phrases)} absent"
    return Checked(
        passed=False,
        reason=message,
        findings=(
            Finding(
                code="required_text_missing",
                severity="high",
                message=message,
                references=(EvidenceRef(evidence_id=_ABSENT),),
            ),
        ),
        evidence=(
            EvaluatorDiagnostic(
                id=_ABSENT, code="required_text_missing", severity="high", message=message
            ),
        ),
    )
