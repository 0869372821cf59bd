"""Whether the answer chooses the expected option."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.errors import EvaluatorError, InvalidEvaluatorConfig, Skip
from assay.evaluators.report import Report
from assay.evaluators.text import multiple_choice, stated_choice

Ask = Callable[..., Report]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("C", "C"),
        (" c. ", "C"),
        ("(C) Paris", "C"),
        ("**C.** Paris", "C"),
        ("C: Paris", "C"),
        ("The answer is C because it rains.", "C"),
        ("Answer: **D**", "D"),
        ("ANSWER - (D)", "D"),
        ("\\boxed{B}", "B"),
        ("so $\\boxed{\\text{B}}$", "B"),
        ("The answer is B. No: the answer is C.", "C"),
        ("B is wrong, so I would say (C)", "C"),
        ("", None),
        ("A good question.", None),
        ("A.I. is the topic.", None),
        ("A or B", None),
        ("A, B", None),
        ("(A) or (B)", None),
        ("(A) and (B)", None),
        ("The answer is A and B.", None),
        ("The answer is not C.", None),
        ("Options: A, B, C, D", None),
        ("I cannot tell", None),
        ("E", None),
    ],
)
def test_what_an_answer_chooses(text: str, choice: str | None) -> None:
    """The three rules of `stated_choice`, and what is no choice."""
    assert stated_choice(text, "ABCD") == choice


def test_the_chosen_letter_is_the_label(ask: Ask) -> None:
    """So that a confusion matrix can be made of the grades."""
    right, wrong, none = (ask(multiple_choice, text, "C") for text in ("C", "(B)", "hm"))
    assert (right.verdict, right.score, right.label) == ("pass", 1.0, "C")
    assert (wrong.verdict, wrong.score, wrong.label) == ("fail", 0.0, "B")
    assert (none.verdict, none.label) == ("fail", None)
    assert none.feedback == 'expected C, got no single choice in "hm"'


def test_other_letters_can_be_the_options(ask: Ask) -> None:
    """Five options, or two."""
    assert ask(multiple_choice, "E", "E", {"letters": "ABCDE"}).verdict == "pass"
    with pytest.raises(InvalidEvaluatorConfig, match="letters: "):
        multiple_choice.configured({"letters": "a-z"})


@pytest.mark.parametrize("expected", ["E", "AB", "c", 3, ""])
def test_an_expected_value_that_is_no_option_is_the_authors_error(
    ask: Ask, expected: object
) -> None:
    """No answer could be right."""
    with pytest.raises(EvaluatorError, match="out of ABCD"):
        ask(multiple_choice, "C", expected)


def test_without_an_expected_value_it_does_not_apply(ask: Ask) -> None:
    """Skipped."""
    with pytest.raises(Skip):
        ask(multiple_choice, "C")


@given(st.text("ABCD()., or\n", max_size=20))
def test_a_choice_is_one_of_the_letters_or_none(text: str) -> None:
    """Whatever the text is."""
    assert stated_choice(text, "ABCD") in ("A", "B", "C", "D", None)


@given(st.sampled_from("ABCD"), st.sampled_from(["{}", "({})", "Answer: {}", "**{}**", "{})"]))
def test_every_letter_is_treated_alike(letter: str, form: str) -> None:
    """No option may be easier to choose than another."""
    assert stated_choice(form.format(letter), "ABCD") == letter
