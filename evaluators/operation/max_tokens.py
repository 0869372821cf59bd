"""Whether the execution used few enough tokens."""

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.guide import Guide
from assay.evaluators.operation.limit import Count, within
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample


@ready_made(
    revision="1",
    requires=("usage",),
    acceptance=("limit",),
    guide=Guide(
        yields=("decision", "measurement"),
        settings={"limit": 1000},
        receipt={"usage": {"input_tokens": 400, "output_tokens": 90, "model_calls": 1}},
    ),
)
def max_tokens(sample: Sample, *, limit: Count) -> Checked:
    """Pass when the execution used at most the limit; measures input, cached and output tokens.

    Reasoning tokens are a part of the output tokens. Unverified when no usage was recorded, and
    when model calls were recorded without any tokens, because then the provider reported none.

    Args:
        sample: Whose receipt is read.
        limit: Tokens; exactly as many pass.
    """
    usage = sample.execution.usage
    if usage is None or (usage.model_calls and not usage.total_tokens):
        msg = "the execution recorded no tokens"
        raise IncompleteRecording(msg)
    return within(usage.total_tokens, limit, "token")
