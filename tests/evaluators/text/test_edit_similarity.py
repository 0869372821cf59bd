"""How few edits lead from the answer to the expected one."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import InvalidEvaluatorConfig, Skip
from assay.evaluators.report import Report
from assay.evaluators.text import edit_similarity

Ask = Callable[..., Report]
TEXTS = st.text("abéß世", max_size=8)


def distance(one: str, other: str) -> int:
    """The textbook recurrence, row by row."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, against in enumerate(other, 1):
            replaced = previous + (letter != against)
            previous, row[j] = row[j], min(replaced, row[j] + 1, row[j - 1] + 1)
    return row[-1]


@pytest.mark.parametrize(
    ("output", "expected", "score"),
    [
        ("kitten", "sitting", 1 - 3 / 7),
        ("", "", 1.0),
        ("", "abc", 0.0),
        ("abc", "abc", 1.0),
        ("世界", "世", 0.5),
        ([1, 2], "[1,2]", 1.0),
    ],
)
def test_known_similarities(ask: Ask, output: object, expected: str, score: float) -> None:
    """The textbook pair has distance 3."""
    assert ask(edit_similarity, output, expected).score == pytest.approx(score)


def test_folding_is_unicodes(ask: Ask) -> None:
    """As everywhere: STRASSE is straße where case does not matter."""
    assert ask(edit_similarity, "STRASSE", "straße", {"ignore_case": True}).score == 1.0


def test_a_threshold_decides_and_is_bounded(ask: Ask) -> None:
    """At the threshold passes; a threshold above 1 is refused before anything runs."""
    assert ask(edit_similarity, "ab", "ac", {"threshold": 0.5}).verdict == "pass"
    with pytest.raises(InvalidEvaluatorConfig, match=r"threshold: expected .*less than or equal"):
        edit_similarity.configured({"threshold": 1.5})


def test_without_an_expected_text_it_does_not_apply(ask: Ask) -> None:
    """There is nothing to compare with."""
    with pytest.raises(Skip):
        ask(edit_similarity, "a")


@given(TEXTS, TEXTS)
def test_it_is_the_textbook_distance(ask: Ask, one: str, other: str) -> None:
    """And therefore symmetric, and 1 for equal texts alone."""
    longest = max(len(one), len(other))
    expected = 1 - distance(one, other) / longest if longest else 1.0
    score = ask(edit_similarity, one, other).score
    assert score == pytest.approx(expected)
    assert score == ask(edit_similarity, other, one).score
    assert (score == 1) == (one == other)
