"""The JSON text of an answer, without the Markdown fence around it."""

import json
import re
from collections.abc import Iterator

from assay.evaluators.canonical import WHITE_SPACE

_OPENING = re.compile(r"(?P<fence>(?P<mark>[`~])(?P=mark){2,})[ \t]*[^\s`]*[ \t]*(?:\r\n|\n|\r)")
_FENCE = re.compile(r"^[ \t]*(?=```|~~~)", re.MULTILINE)
_MOST_OBJECTS = 64


def unfenced(text: str) -> str:
    r"""The body of the one fenced block that the whole text is; any other text as it is.

    Around the block there may be white space. It begins with a line of three or more backticks or
    tildes and at most one word, and ends with a line of at least as many of the same. Prose before
    or behind it, a second block, a fence that is never closed or that opens and closes on one line
    leave the text unchanged.

    Examples:
        >>> unfenced('```json\n{"a":1}\n```')
        '{"a":1}'
    """
    stripped = text.strip(WHITE_SPACE)
    opening = _OPENING.match(stripped)
    if opening is None:
        return text
    body = stripped[opening.end() :]
    closing = _closing(opening).search(body)
    if closing is None or closing.end() != len(body):
        return text
    return body[: closing.start()].removesuffix("\n").removesuffix("\r")


def candidates(text: str) -> Iterator[str]:
    """What could be the JSON of an answer with words around it, most likely first.

    The whole text without its fence; the bodies of its blocks, the last of which need not be
    closed; the JSON objects that stand in its prose.
    """
    yield unfenced(text)
    yield from _blocks(text)
    decoder, start = json.JSONDecoder(), text.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            return
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield text[start:end]
        start = text.find("{", end)


def _blocks(text: str) -> Iterator[str]:
    place = 0
    while (fence := _FENCE.search(text, place)) is not None:
        opening = _OPENING.match(text, fence.end())
        if opening is None:
            place = fence.end() + 1
            continue
        closing = _closing(opening).search(text, opening.end())
        yield text[opening.end() : closing.start() if closing else len(text)]
        place = closing.end() if closing else len(text)


def _closing(opening: re.Match[str]) -> re.Pattern[str]:
    mark, length = re.escape(opening["mark"]), len(opening["fence"])
    return re.compile(rf"^[ \t]*{mark}{{{length},}}[ \t]*(?=\r|$)", re.MULTILINE)
