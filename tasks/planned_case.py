"""A case as a run keeps it."""

from dataclasses import dataclass

from assay.evaluators.assessment import Assessment
from assay.evaluators.retained import CaseTexts


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case as the run keeps it.

    Attributes:
        texts: Id, input, expected and metadata as JSON texts.
        digest: Of all four.
        input_digest: Of the input alone.
        suite: The JSON text of the case's own suite entries, or None.
        assessments: The case's own assessments.
        given: The input as its dataset has it, where a secret is masked in `texts`; in memory only.
    """

    texts: CaseTexts
    digest: str
    input_digest: str
    suite: str | None = None
    assessments: tuple[Assessment, ...] = ()
    given: str | None = None

    @property
    def target_input(self) -> str:
        """The JSON text that the target gets."""
        return self.texts.input if self.given is None else self.given
