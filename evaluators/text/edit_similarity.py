"""How few edits lead from the answer to the expected one."""

from rapidfuzz.distance import Levenshtein

from assay.evaluators.equality import folding
from assay.evaluators.excerpt import text_of
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.threshold import Threshold


@ready_made(
    revision="1",
    requires=("output",),
    acceptance=("threshold",),
    guide=Guide(
        yields=("score", "decision"),
        settings={"threshold": 0.8},
        case={"expected": "Vienna"},
        receipt={"output": "Viena"},
    ),
)
def edit_similarity(
    sample: Sample,
    *,
    threshold: Threshold = None,
    ignore_case: bool = False,
    trim_space: bool = False,
) -> Scored:
    """1 minus the Levenshtein distance to the expected text over the longer length, in [0, 1].

    The distance counts inserted, deleted and replaced code points. Two empty texts score 1. Values
    other than text are compared as JSON. Skipped without an expected text.

    Args:
        sample: Whose output and expected text are compared.
        threshold: The least score that passes; without one nothing is decided.
        ignore_case: Case does not matter (full Unicode folding).
        trim_space: White space at the ends and its amount inside do not matter.

    References:
        V. I. Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and
        reversals; computed by rapidfuzz.
    """
    fold = folding(ignore_case=ignore_case, trim_space=trim_space)
    output, expected = fold(text_of(sample.output)), fold(text_of(sample.expected))
    return Scored(Levenshtein.normalized_similarity(output, expected), threshold)
