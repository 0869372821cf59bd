"""What a user got to read: the text of the assistant's messages, and the answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.excerpt import text_of
from assay.evaluators.sample import Sample

_TEXT_BLOCKS = {"text": "text", "output_text": "text", "refusal": "refusal"}


@dataclass(frozen=True, slots=True)
class AssistantText:
    """The visible text of one message.

    Attributes:
        text: Its text and refusal blocks in order, joined by newlines.
        message_index: Its place in the receipt's messages; None for the output itself.
    """

    text: str
    message_index: int | None


def assistant_texts(sample: Sample) -> list[AssistantText]:
    """The assistant's messages in order, then the output unless one of them says just that.

    Thoughts, tool calls and tool results are not for the user, and do not count; nor do the
    messages of others. A refusal is an answer, and does.

    Raises:
        IncompleteRecording: when the receipt has neither messages nor an output.
    """
    execution = sample.execution
    if execution.messages is None and not execution.has_output:
        msg = "the execution recorded neither messages nor an output"
        raise IncompleteRecording(msg)
    found = [
        AssistantText("\n".join(_blocks(message)), index)
        for index, message in enumerate(execution.messages or ())
        if message.get("role") == "assistant"
    ]
    if execution.has_output:
        answer = text_of(execution.output)
        if all(answer != one.text for one in found):
            found.append(AssistantText(answer, None))
    return found


def _blocks(message: Mapping[str, object]) -> Iterator[str]:
    content = message.get("content")
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list | tuple) else ():
        if isinstance(block, Mapping) and (member := _TEXT_BLOCKS.get(str(block.get("type")))):
            text = block.get(member, block.get("text"))
            if isinstance(text, str):
                yield text
    refusal = message.get("refusal")
    if isinstance(refusal, str):
        yield refusal
