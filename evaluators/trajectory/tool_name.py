"""The name of a tool, as a setting."""

from typing import Annotated

from pydantic import AfterValidator

from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.record import require_bytes, require_text
from assay.evaluators.trajectory.expected_call import LONGEST_TOOL_NAME


def _checked(name: str) -> str:
    require_text(name, "tool", InvalidEvaluatorConfig, trimmed=False)
    require_bytes(name, "tool", InvalidEvaluatorConfig, LONGEST_TOOL_NAME)
    return name


ToolName = Annotated[str, AfterValidator(_checked)]
"""UTF-8, not empty, at most 256 bytes; compared exactly."""
