"""How many tool calls went wrong."""

from typing import Annotated

from pydantic import Field

from assay.evaluators.errors import IncompleteRecording, Skip
from assay.evaluators.guide import Guide
from assay.evaluators.measured import Measured
from assay.evaluators.ready_made import Checked, ready_made
from assay.evaluators.sample import Sample
from assay.evaluators.trajectory.recorded_calls import recorded_calls

Share = Annotated[float | None, Field(ge=0, le=1)]
"""A part of a whole, or None."""


@ready_made(
    revision="1",
    requires=("tool_operation",),
    acceptance=("maximum",),
    guide=Guide(
        yields=("decision", "measurement"),
        settings={"maximum": 0.5},
        receipt={
            "tool_calls": [
                {"name": "search", "result": "none"},
                {"name": "search", "result": "timeout", "is_error": True},
            ]
        },
    ),
)
def tool_error_rate(sample: Sample, *, maximum: Share = None) -> Checked | Measured:
    """The share of tool calls that reported an error, in [0, 1]; lower is better.

    Skipped where no tool was called, because there is no share of nothing. Unverified where calls
    were not recorded, or the outcome of one was not: neither a result nor an error.

    Args:
        sample: Whose recorded calls are counted.
        maximum: The greatest share that passes; without one nothing is decided.
    """
    calls = recorded_calls(sample)
    if not calls:
        msg = "no tool was called"
        raise Skip(msg)
    open_ended = sum(call.result is None and not call.is_error for call in calls)
    if open_ended:
        msg = f"{open_ended} of {len(calls)} tool calls have neither a result nor an error"
        raise IncompleteRecording(msg)
    errors = sum(call.is_error for call in calls)
    rate = Measured(errors / len(calls), direction="lower_is_better")
    if maximum is None:
        return rate
    passed = rate.value <= maximum
    reason = (
        ""
        if passed
        else f"expected at most {maximum} of the calls to fail, got {errors} of {len(calls)}"
    )
    return Checked(passed, reason, measured=rate)
