"""A long value, short enough for a sentence."""

from assay.evaluators.canonical import write
from assay.evaluators.errors import NotJson

_LONGEST = 100


def text_of(value: object) -> str:
    """Text as it is, bytes read as UTF-8, anything else as compact JSON with sorted keys.

    Raises:
        NotJson: the value has no JSON form.

    Examples:
        >>> text_of("a"), text_of(None), text_of({"b": 1.0})
        ('a', 'null', '{"b":1}')
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else write(value)


def excerpt(value: object, longest: int = _LONGEST) -> str:
    """The value as JSON in at most so many characters, the middle left out where it is longer.

    Examples:
        >>> excerpt("abcdefghij", 8)
        '"abc…ij"'
    """
    if isinstance(value, str) and len(value) > 2 * longest:
        # Only its ends will be seen, and writing a long text costs more than many a check.
        value = value[:longest] + value[-longest:]
    try:
        text = write(value)
    except NotJson:
        text = repr(value)
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[-tail:]}"
