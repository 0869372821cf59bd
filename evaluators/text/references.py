"""The expected texts of a case, of which there may be several."""

from assay.evaluators.excerpt import text_of
from assay.evaluators.sample import Sample


def references(sample: Sample) -> list[str]:
    """The expected value as texts: a list is several references, anything else is one.

    Raises:
        Skip: when the case has none.
    """
    expected = sample.expected
    if isinstance(expected, list | tuple) and expected:
        return [text_of(one) for one in expected]
    return [text_of(expected)]
