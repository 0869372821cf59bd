"""An output as a JSON text."""

from assay.evaluators.canonical import decode, spell
from assay.evaluators.errors import MalformedJson
from assay.evaluators.structure.fences import candidates, unfenced


def json_answer(output: object, *, lenient: bool = False) -> str:
    """The strict JSON text that an output is; one that is not text is written as JSON.

    Args:
        output: Text, perhaps in a Markdown fence, or any value.
        lenient: Also take the first JSON that stands among words.

    Raises:
        MalformedJson: the text is not exactly one JSON value.
        NotJson: the value has no JSON form.
    """
    if isinstance(output, bytes):
        output = output.decode("utf-8", "replace")
    if not isinstance(output, str):
        return spell(output)
    text = unfenced(output)
    try:
        decode(text)
    except MalformedJson:
        found = (
            next((one for one in candidates(output) if _is_json(one)), None) if lenient else None
        )
        if found is None:
            raise
        return found
    return text


def _is_json(text: str) -> bool:
    try:
        decode(text)
    except MalformedJson:
        return False
    return True
