"""BLEU and chrF of single answers, through sacrebleu."""

import math
from collections.abc import Callable

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators import extra
from assay.evaluators.errors import InvalidEvaluatorConfig, Skip
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.report import Report
from assay.evaluators.text import bleu, chrf

Ask = Callable[..., Report]
SENTENCES = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat", "."]), max_size=7).map(
    " ".join
)


def test_an_equal_answer_scores_one(ask: Ask) -> None:
    """Reference values 2: sentence BLEU 100 by effective order, where corpus BLEU is 0."""
    assert ask(bleu, "the cat", "the cat").score == 1.0
    assert ask(chrf, "the cat", "the cat").score == 1.0


def test_an_empty_answer_scores_nothing(ask: Ask) -> None:
    """Reference values 2: empty hypothesis 0."""
    assert ask(bleu, "", "the cat").score == 0.0
    assert ask(chrf, "", "the cat").score == 0.0


def test_a_short_answer_pays_for_its_brevity(ask: Ask) -> None:
    """By hand: both orders are perfect, and the penalty is exp(1 - 4/2)."""
    assert ask(bleu, "the cat", "the cat sat down").score == pytest.approx(math.exp(-1))


def test_precisions_are_averaged_geometrically(ask: Ask) -> None:
    """By hand: 3/4, 2/3, 1/2, and a smoothed 1/2 in the place of 0/1 (exp)."""
    report = ask(bleu, "a b c x", "a b c d")
    assert report.score == pytest.approx((3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** 0.25)


def test_chrf_weighs_recall_twice(ask: Ask) -> None:
    """By hand, order 1: precision 1, recall 1/2, F2 = 5 · 0.5 / (4 · 1 + 0.5)."""
    report = ask(chrf, "ab", "abcd", {"character_order": 1})
    assert report.score == pytest.approx(2.5 / 4.5)


def test_several_references_are_a_list(ask: Ask) -> None:
    """Each n-gram may come from any of them."""
    assert ask(bleu, "a cat", ["the dog", "a cat"]).score == 1.0
    assert ask(chrf, "a cat", ["the dog", "a cat"]).score == 1.0


def test_chinese_needs_its_tokenizer(ask: Ask) -> None:
    """Fault B41 for BLEU: the tokenizer is a setting, and named in the metric."""
    report = ask(bleu, "今天天气很好", "今天天气不好", {"tokenizer": "zh"})
    assert (report.score or 0) > 0.4
    assert report.metric.parameters.decode("tokenizer") == "zh"


@pytest.mark.parametrize("evaluator", [bleu, chrf], ids=lambda one: one.descriptor.name)
def test_without_an_expected_text_it_does_not_apply(ask: Ask, evaluator: ReadyMade) -> None:
    """There is nothing to compare with."""
    with pytest.raises(Skip):
        ask(evaluator, "a")


@pytest.mark.parametrize("evaluator", [bleu, chrf], ids=lambda one: one.descriptor.name)
def test_a_missing_extra_is_told_at_load(
    evaluator: ReadyMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, with what to install."""
    monkeypatch.setitem(extra._MODULES, "mt", "no_such_package")  # noqa: SLF001 - as if not there
    with pytest.raises(InvalidEvaluatorConfig, match=r"pip install 'assay-evals\[mt\]'$"):
        evaluator.require_settings()


@settings(max_examples=40)
@given(SENTENCES, SENTENCES)
def test_scores_are_sacrebleus_and_bounded(ask: Ask, answer: str, expected: str) -> None:
    """The oracle is sacrebleu's own functions, which make a metric for each call."""
    theirs = sacrebleu.sentence_bleu(answer, [expected]).score
    assert ask(bleu, answer, expected).score == pytest.approx(theirs / 100, abs=1e-12)
    theirs = sacrebleu.sentence_chrf(answer, [expected]).score
    assert ask(chrf, answer, expected).score == pytest.approx(theirs / 100, abs=1e-12)
