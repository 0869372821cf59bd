"""Checks of how an execution went: its time, tokens, turns, tool calls and cost."""

from assay.evaluators.operation.completed import completed
from assay.evaluators.operation.max_cost import max_cost
from assay.evaluators.operation.max_duration import max_duration
from assay.evaluators.operation.max_tokens import max_tokens
from assay.evaluators.operation.max_tool_calls import max_tool_calls
from assay.evaluators.operation.max_turns import max_turns

__all__ = [
    "completed",
    "max_cost",
    "max_duration",
    "max_tokens",
    "max_tool_calls",
    "max_turns",
]
