"""One assessment of one receipt."""

from typing import NamedTuple

from assay.evaluators.assessment import Assessment
from assay.evaluators.retained import CaseTexts, StoredReceipt
from assay.evaluators.sample import RetainedSample
from assay.tasks.grade_key import Graded


class GradeJob(NamedTuple):
    """One assessment of one receipt.

    Attributes:
        graded: What is graded.
        case: The case, as texts.
        receipt: The receipt, as texts.
        assessment: What looks at both.
    """

    graded: Graded
    case: CaseTexts
    receipt: StoredReceipt
    assessment: Assessment

    @property
    def sample(self) -> RetainedSample:
        """What the evaluator sees; nothing of it is decoded yet."""
        return RetainedSample(self.case, self.receipt, self.graded.repeat)
