"""Whether something stands in the answer."""

from collections.abc import Mapping

from pydantic import JsonValue

from assay.evaluators.canonical import decode, write
from assay.evaluators.equality import Fold, equal, folding
from assay.evaluators.errors import NotJson
from assay.evaluators.excerpt import excerpt, text_of
from assay.evaluators.guide import Guide
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(
    revision="1",
    requires=("output",),
    guide=Guide(settings={"value": "Paris"}, receipt={"output": "The capital is Paris."}),
)
def contains(
    sample: Sample, *, value: JsonValue, ignore_case: bool = False, trim_space: bool = False
) -> Checked:
    """Pass when the output contains the value.

    Text contains its substrings, so that the empty text is in every text. A list contains its
    items. A mapping contains every mapping whose keys it has with equal values, and the names of
    its keys. Anything else contains what its JSON text does.

    Args:
        sample: Whose output is searched.
        value: What is sought.
        ignore_case: Case does not matter in any string (full Unicode folding), but in keys.
        trim_space: White space at the ends of strings and its amount inside do not matter.
    """
    fold = folding(ignore_case=ignore_case, trim_space=trim_space)
    output = _as_json(sample.output)
    if _contains(output, value, fold):
        return Checked(passed=True)
    return Checked(passed=False, reason=f"expected {excerpt(value)} in {excerpt(output)}")


def _contains(output: object, value: object, fold: Fold) -> bool:
    match output:
        case list():
            return any(equal(item, value, fold) for item in output)
        case Mapping() if isinstance(value, Mapping):
            return all(
                key in output and equal(output[key], one, fold) for key, one in value.items()
            )
        case Mapping():
            return isinstance(value, str) and value in output
        case None | str() | bool() | int() | float():
            return fold(text_of(value)) in fold(text_of(output))
        case _:
            return False


def _as_json(output: object) -> object:
    """Models and dataclasses as mappings, bytes as text; what JSON cannot hold as it is."""
    if isinstance(output, str | list | dict | int | float | None):
        return output
    try:
        return text_of(output) if isinstance(output, bytes) else decode(write(output))
    except NotJson:
        return output
