"""Checks of answers as text, without a model."""

from assay.evaluators.text.bleu import bleu
from assay.evaluators.text.chrf import chrf
from assay.evaluators.text.contains import contains
from assay.evaluators.text.edit_similarity import edit_similarity
from assay.evaluators.text.equals import equals
from assay.evaluators.text.equals_expected import equals_expected
from assay.evaluators.text.forbidden_text import forbidden_text
from assay.evaluators.text.multiple_choice import multiple_choice
from assay.evaluators.text.numeric_match import numeric_match
from assay.evaluators.text.regex import regex
from assay.evaluators.text.required_text import required_text
from assay.evaluators.text.rouge1 import rouge1, rouge1_f1
from assay.evaluators.text.stated_choice import stated_choice
from assay.evaluators.text.stated_number import StatedNumber, stated_numbers
from assay.evaluators.text.words import words

__all__ = [
    "StatedNumber",
    "bleu",
    "chrf",
    "contains",
    "edit_similarity",
    "equals",
    "equals_expected",
    "forbidden_text",
    "multiple_choice",
    "numeric_match",
    "regex",
    "required_text",
    "rouge1",
    "rouge1_f1",
    "stated_choice",
    "stated_numbers",
    "words",
]
