"""How many word sequences the answer shares with the expected ones."""

import functools
from typing import Literal, Protocol, cast

from assay.evaluators.excerpt import text_of
from assay.evaluators.extra import load_extra
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.references import references
from assay.evaluators.text.threshold import Threshold

Tokenizer = Literal["13a", "intl", "zh", "char", "none"]
Smoothing = Literal["exp", "floor", "add-k", "none"]


class _Percent(Protocol):
    score: float


class _Bleu(Protocol):
    def sentence_score(self, hypothesis: str, references: list[str], /) -> _Percent: ...


@ready_made(
    revision="1",
    requires=("output",),
    acceptance=("threshold",),
    guide=Guide(
        yields=("score", "decision"),
        settings={"threshold": 0.3},
        case={"expected": ["The cat sat down.", "A cat was sitting."]},
        receipt={"output": "The cat sat."},
        extra="mt",
    ),
)
def bleu(
    sample: Sample,
    *,
    threshold: Threshold = None,
    tokenizer: Tokenizer = "13a",
    smoothing: Smoothing = "exp",
    ignore_case: bool = False,
) -> Scored:
    """Sentence BLEU of the output against the expected texts, in [0, 1], as sacrebleu computes it.

    The geometric mean of the precisions of 1- to 4-grams, of as many orders as the output has
    words for, times a penalty for being shorter than the closest reference; sacrebleu's number
    divided by 100. An empty output scores 0. The mean over cases is no corpus BLEU.

    Args:
        sample: Whose output is compared; a list of expected texts is several references.
        threshold: The least score that passes; without one nothing is decided.
        tokenizer: sacrebleu's tokenizer; `zh` for Chinese, `char` for scripts without spaces.
        smoothing: What stands in for a precision of 0.
        ignore_case: Compare in lower case.

    References:
        K. Papineni et al. (2002), BLEU: a Method for Automatic Evaluation of Machine Translation;
        M. Post (2018), A Call for Clarity in Reporting BLEU Scores (sacrebleu).
    """
    metric = _metric(tokenizer, smoothing, ignore_case)
    percent = metric.sentence_score(text_of(sample.output), references(sample)).score
    # Rounding can carry a perfect match past 100.
    return Scored(min(percent / 100, 1.0), threshold)


@functools.cache
def _metric(tokenizer: Tokenizer, smoothing: Smoothing, ignore_case: bool) -> _Bleu:  # noqa: FBT001 - a key of the cache
    made = load_extra("mt").metrics.BLEU(
        lowercase=ignore_case, tokenize=tokenizer, smooth_method=smoothing, effective_order=True
    )
    return cast("_Bleu", made)
