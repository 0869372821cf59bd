"""How many character sequences the answer shares with the expected ones."""

import functools
from typing import Annotated, Protocol, cast

from pydantic import Field

from assay.evaluators.excerpt import text_of
from assay.evaluators.extra import load_extra
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Scored, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.references import references
from assay.evaluators.text.threshold import Threshold

Order = Annotated[int, Field(ge=1, le=16)]
WordOrder = Annotated[int, Field(ge=0, le=16)]


class _Percent(Protocol):
    score: float


class _Chrf(Protocol):
    def sentence_score(self, hypothesis: str, references: list[str], /) -> _Percent: ...


@ready_made(
    revision="1",
    requires=("output",),
    acceptance=("threshold",),
    guide=Guide(
        yields=("score", "decision"),
        settings={"threshold": 0.5},
        case={"expected": "The cat sat down."},
        receipt={"output": "The cats sat down."},
        extra="mt",
    ),
)
def chrf(
    sample: Sample,
    *,
    threshold: Threshold = None,
    character_order: Order = 6,
    word_order: WordOrder = 0,
    ignore_case: bool = False,
) -> Scored:
    """Sentence chrF2 of the output against the expected texts, in [0, 1], as sacrebleu computes it.

    The F-score of character n-grams, in which recall weighs twice as much as precision; the best
    of several references; sacrebleu's number divided by 100. White space does not count. An empty
    output scores 0.

    Args:
        sample: Whose output is compared; a list of expected texts is several references.
        threshold: The least score that passes; without one nothing is decided.
        character_order: The longest character sequences.
        word_order: The longest word sequences beside them; 2 is chrF++.
        ignore_case: Compare in lower case.

    References:
        M. Popović (2015), chrF: character n-gram F-score for automatic MT evaluation.
    """
    metric = _metric(character_order, word_order, ignore_case)
    percent = metric.sentence_score(text_of(sample.output), references(sample)).score
    return Scored(min(percent / 100, 1.0), threshold)


@functools.cache
def _metric(character_order: int, word_order: int, ignore_case: bool) -> _Chrf:  # noqa: FBT001 - a key of the cache
    made = load_extra("mt").metrics.CHRF(
        char_order=character_order, word_order=word_order, lowercase=ignore_case
    )
    return cast("_Chrf", made)
