"""The option that an answer to a multiple-choice question chooses."""

import re

# Bounded, so that no run of spaces takes the square of its length.
_OPEN, _CLOSE = r"[\s(\[{*_\"'`$]{0,8}", r"[\s)\]}*_\"'`$.:]{0,8}"
_STATEMENT = (
    r"\b(?:answer|choice|option)s?\b(?:\s{1,4}(?:is|are|would be|should be))?\s{0,4}[:=\-]?"
)


def stated_choice(text: str, letters: str) -> str | None:
    r"""The one letter that the text chooses, or None where it chooses none, or several.

    The first rule that finds a letter decides:

    1. The text begins with a letter that a bracket, a point, a colon or the end follows: `C`,
       `(C) Paris`, `**C.** Paris`. Alone, the letter may be in lower case.
    2. The last statement of an answer: `the answer is C`, `Answer: (C)`, `\boxed{C}`.
    3. The only letter that stands in brackets: `I would say (C)`.

    An article is no choice: "A good question" has none. A letter that "or", "and", a comma or a
    slash joins to another is no choice either.

    Examples:
        >>> stated_choice("B is wrong, so the answer is (C).", "ABCD")
        'C'
        >>> stated_choice("A or B", "ABCD") is None
        True
    """
    letter = f"([{re.escape(letters)}])"
    bare = text.strip(" \t\r\n()[]{}*_\"'`$.:")
    if len(bare) == 1 and bare.upper() in letters:
        return bare.upper()
    joined = rf"(?!{_CLOSE}(?:,|/|&|or\b|and\b){_OPEN}[{re.escape(letters)}]\b)"
    if found := re.match(rf"{_OPEN}{letter}(?:[)\]}}.:]|\*\*)(?!\w)", text):
        return found[1] if re.compile(joined).match(text, found.end(1)) else None
    stated = rf"(?:(?i:{_STATEMENT}){_OPEN}|\\boxed\{{(?:\\text\{{)?){letter}\b"
    if several := list(re.finditer(stated, text)):
        last = several[-1]
        return last[1] if re.compile(joined).match(text, last.end(1)) else None
    bracketed = set(re.findall(rf"[(\[]{letter}[)\]]", text))
    return bracketed.pop() if len(bracketed) == 1 else None
