"""Whether the execution took few enough turns."""

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.execution import Execution
from assay.evaluators.guide import Guide
from assay.evaluators.operation.limit import Count, within
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(
    revision="1",
    acceptance=("limit",),
    guide=Guide(
        yields=("decision", "measurement"),
        settings={"limit": 4},
        receipt={"usage": {"input_tokens": 400, "output_tokens": 90, "model_calls": 2}},
    ),
)
def max_turns(sample: Sample, *, limit: Count) -> Checked:
    """Pass when the execution took at most the limit of turns; measures the calls of a model.

    Counted are the model calls of the recorded usage; where it counts none, the assistant's
    messages. Unverified when the receipt has neither.

    Args:
        sample: Whose receipt is read.
        limit: Turns; exactly as many pass.
    """
    return within(_turns(sample.execution), limit, "turn")


def _turns(execution: Execution) -> int:
    if execution.usage is not None and execution.usage.model_calls:
        return execution.usage.model_calls
    if execution.messages is not None:
        return sum(message.get("role") == "assistant" for message in execution.messages)
    msg = "the execution recorded neither model calls nor messages"
    raise IncompleteRecording(msg)
