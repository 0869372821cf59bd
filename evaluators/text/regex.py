"""Whether the answer matches a regular expression."""

from assay.evaluators.excerpt import excerpt, text_of
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.text.pattern import PatternSetting


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(settings={"pattern": r"\d+ (km|mi)"}, receipt={"output": "It is 12 km away."}),
)
def regex(sample: Sample, *, pattern: PatternSetting) -> Checked:
    r"""Pass when the output matches the regular expression anywhere.

    Python's syntax, without flags; `(?i)`, `(?m)` and `(?s)` at the beginning work. As in Python,
    `$` also matches before a final newline, `\Z` does not. An output that is not text is searched
    as JSON. Patterns that the package google-re2 (the extra `re2`) reads in the same way are
    searched by it, in linear time; all others run in a process that is killed at the time limit,
    and on at most 1,000,000 characters. The verdict never depends on who searches.

    Args:
        sample: Whose output is searched.
        pattern: The regular expression; one that does not compile is refused at once.
    """
    if pattern.found_in(text_of(sample.output)):
        return Checked(passed=True)
    return Checked(passed=False, reason=f"expected a match in {excerpt(sample.output)}, found none")
