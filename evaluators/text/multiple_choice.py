"""Whether the answer chooses the expected option."""

import re
from typing import Annotated

from pydantic import Field

from assay.evaluators.errors import EvaluatorError
from assay.evaluators.excerpt import excerpt, text_of
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.stated_choice import stated_choice

Letters = Annotated[str, Field(pattern="^[A-Z]{2,26}$")]
"""The letters of the options."""


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(
        yields=("decision", "score", "label"),
        case={"expected": "C"},
        receipt={"output": "B cannot be, so the answer is (C)."},
    ),
)
def multiple_choice(sample: Sample, *, letters: Letters = "ABCD") -> Checked:
    """Pass when the output chooses the expected letter; the chosen letter is the label.

    A choice is a letter at the beginning, as in `C` or `(C) Paris`; else the last statement of an
    answer, as in `the answer is C`; else the only letter in brackets. An output that chooses none,
    or several at once, fails and has no label. Skipped without an expected value.

    Args:
        sample: Its expected value is one of the letters.
        letters: The letters of the options, in upper case.
    """
    expected = sample.expected
    if not isinstance(expected, str) or not re.fullmatch(f"[{letters}]", expected):
        msg = f"expected an expected value out of {letters}, got {excerpt(expected, 60)}"
        raise EvaluatorError("invalid_input", msg)
    chosen = stated_choice(text_of(sample.output), letters)
    if chosen == expected:
        return Checked(passed=True, label=chosen)
    found = "no single choice" if chosen is None else chosen
    reason = f"expected {expected}, got {found} in {excerpt(sample.output, 60)}"
    return Checked(passed=False, reason=reason, label=chosen)
