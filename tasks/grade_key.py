"""The key under which a grade may be used again."""

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from assay.evaluators.descriptor import Descriptor


class Graded(NamedTuple):
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
    (key,) = grade_keys(graded.receipt_digest, graded.case_digest, [key_end(descriptor, output)])
    return key


def key_end(descriptor: Descriptor, output: str = "") -> bytes:
    """What the keys of an evaluator's output have in common."""
    return f"{descriptor.identity}\n{output}".encode()


def grade_keys(receipt_digest: str, case_digest: str, ends: Sequence[bytes]) -> list[str]:
    """The keys of the grades of one receipt, one for each `key_end`."""
    begun = sha256(f"{receipt_digest}\n{case_digest}\n".encode())
    keys = []
    for end in ends:
        whole = begun.copy()
        whole.update(end)
        keys.append(f"sha256:{whole.hexdigest()}")
    return keys
