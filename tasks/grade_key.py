"""The key under which a grade may be used again."""

from dataclasses import dataclass

from assay.evaluators.canonical import digest
from assay.evaluators.descriptor import Descriptor


@dataclass(frozen=True, slots=True)
class Graded:
    """What was graded: one receipt of one trial, in one attempt.

    Attributes:
        case_id: The case.
        repeat: Which repeat, from 0.
        case_digest: Digest of the case, expected value and metadata included.
        receipt_digest: Digest of the receipt.
        attempt: Of the trial, from 1; the highest attempt's grade wins.
    """

    case_id: str
    repeat: int
    case_digest: str
    receipt_digest: str
    attempt: int = 1


def grade_key(graded: Graded, descriptor: Descriptor, output: str = "") -> str:
    """The digest of all that a grade depends on: receipt, case, evaluator and its output's name.

    Two grades of one key are the same grade, so that the older one is used again.
    """
    parts = (graded.receipt_digest, graded.case_digest, descriptor.identity, output)
    return digest("\n".join(parts))
