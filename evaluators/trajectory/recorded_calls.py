"""The tool calls of a receipt, as the evaluators of this family read them."""

from assay.evaluators.canonical import decode, is_blank
from assay.evaluators.errors import IncompleteRecording, MalformedJson
from assay.evaluators.execution import ToolCall
from assay.evaluators.sample import Sample


def recorded_calls(sample: Sample) -> tuple[ToolCall, ...]:
    """The tool calls of the execution, in order; empty says that there were none.

    Raises:
        IncompleteRecording: when the target did not record its calls.
    """
    calls = sample.execution.tool_calls
    if calls is None:
        msg = "the execution recorded no tool calls, not even that there were none"
        raise IncompleteRecording(msg)
    return calls


def arguments_of(call: ToolCall) -> object:
    """The arguments as a JSON value: a text that spells one is decoded, nothing is no argument.

    A text that is no JSON stays a text, which equals no arguments.

    Examples:
        >>> arguments_of(ToolCall(name="s", arguments='{"q": 1}')), arguments_of(ToolCall(name="s"))
        ({'q': 1}, {})
    """
    arguments = call.arguments
    if arguments is None:
        return {}
    if not isinstance(arguments, str):
        return arguments
    if is_blank(arguments):
        return {}
    try:
        return decode(arguments)
    except MalformedJson:
        return arguments
