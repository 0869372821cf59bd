"""What one trial came to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from assay.evaluators.errors import ErrorClass
from assay.evaluators.suite import SuiteResult
from assay.tasks.trial_key import TrialKey


@dataclass(frozen=True, slots=True)
class TrialNote:
    """What one trial came to, for progress and for the `on_result` callback.

    Attributes:
        key: The trial.
        executed: True if there is a receipt.
        error_class: Why the target failed last, where it left no receipt.
        suite: The results of the assessments that ran in this process, where any did.
        attempts: How often it was tried in this process.
    """

    key: TrialKey
    executed: bool = False
    error_class: ErrorClass | None = None
    suite: SuiteResult | None = None
    attempts: int = 0


OnResult: TypeAlias = Callable[[TrialNote], Awaitable[None] | None]
"""Called with each trial that has ended."""
