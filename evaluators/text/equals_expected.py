"""Whether the answer is the expected one."""

from assay.evaluators.equality import equal, folding
from assay.evaluators.excerpt import excerpt
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(
        settings={"trim_space": True}, case={"expected": "Paris"}, receipt={"output": " Paris "}
    ),
)
def equals_expected(
    sample: Sample, *, ignore_case: bool = False, trim_space: bool = False
) -> Checked:
    """Pass when the output equals the expected value; skipped when the case has none.

    Values compare as JSON: 1 equals 1.0, true equals no number, the order of keys does not matter.

    Args:
        sample: Whose output is compared.
        ignore_case: Case does not matter in any string (full Unicode folding), but in keys.
        trim_space: White space at the ends of strings and its amount inside do not matter.
    """
    fold = folding(ignore_case=ignore_case, trim_space=trim_space)
    expected = sample.expected
    if equal(sample.output, expected, fold):
        return Checked(passed=True)
    reason = f"expected {excerpt(expected)}, got {excerpt(sample.output)}"
    return Checked(passed=False, reason=reason)
