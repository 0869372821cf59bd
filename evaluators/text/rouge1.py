"""How many words the answer shares with the expected one."""

from collections import Counter
from collections.abc import Sequence

from assay.evaluators.excerpt import text_of
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.stemming import Stemming, stem
from assay.evaluators.text.threshold import Threshold
from assay.evaluators.text.words import words


def rouge1_f1(candidate: Sequence[str], reference: Sequence[str]) -> float:
    """The harmonic mean of unigram precision and recall: 2 · shared / (words on both sides).

    A word is shared as often as the side that has it less often. Order does not matter. Two empty
    texts share nothing, which is 0.

    Args:
        candidate: The words of the answer.
        reference: The words of the expected one.

    Returns:
        A number in [0, 1].

    References:
        C.-Y. Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, section 2, n = 1.

    Examples:
        >>> rouge1_f1("the the the the".split(), "the cat".split())
        0.3333333333333333
    """
    total = len(candidate) + len(reference)
    shared = (Counter(candidate) & Counter(reference)).total()
    return 2 * shared / total if total else 0.0


@ready_made(
    revision="1",
    requires=("output",),
    acceptance=("threshold",),
    guide=Guide(
        yields=("score", "decision"),
        settings={"threshold": 0.8},
        case={"expected": "Kitchen lamp switched off now"},
        receipt={"output": "The kitchen lamp is now switched off."},
    ),
)
def rouge1(
    sample: Sample,
    *,
    threshold: Threshold = None,
    stem_words: Stemming = False,
    split_syllabic: bool = False,
) -> Scored:
    """ROUGE-1 F1 of the output and the expected text, in [0, 1]; skipped without an expected text.

    Words of every script count: a Chinese, Japanese or Korean character is a word by itself. Values
    other than text are compared as JSON. Two empty texts score 0.

    Args:
        sample: Whose output and expected text are compared.
        threshold: The least score that passes; without one nothing is decided.
        stem_words: Compare the stems of English words of four letters and more (needs the extra
            `stem`).
        split_syllabic: Split Thai, Lao, Khmer and Burmese into base letters with their marks.
    """
    candidate, reference = (
        [
            stem(word) if stem_words else word
            for word in words(text_of(value), split_syllabic=split_syllabic)
        ]
        for value in (sample.output, sample.expected)
    )
    return Scored(rouge1_f1(candidate, reference), threshold)
