"""What a user needs to know of a ready-made evaluator besides its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Yield = Literal["decision", "score", "measurement", "label"]
"""A part of a report that an evaluator fills."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What `assay evaluators` shows of an evaluator, and a use of it that tests execute.

    Attributes:
        yields: What its reports hold.
        settings: Those of the example.
        case: Other members of the example's case than id and input, such as `expected`.
        receipt: The members of the example's execution.
        extra: The extra of the distribution that it needs, or empty.
    """

    yields: tuple[Yield, ...] = ("decision", "score")
    settings: Mapping[str, object] = field(default_factory=dict)
    case: Mapping[str, object] = field(default_factory=dict)
    receipt: Mapping[str, object] = field(default_factory=dict)
    extra: str = ""
