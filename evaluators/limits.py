"""How long an evaluator may take, and who runs one that can hold the interpreter."""

from dataclasses import dataclass
from typing import Protocol

from assay.evaluators.evaluator import Evaluator
from assay.evaluators.outcome import TimedOutcome


class Runner(Protocol):
    """Runs an evaluator where it can be killed; the host hands one in."""

    async def call(
        self, evaluator: Evaluator[object], subject: object, seconds: float | None
    ) -> TimedOutcome[object]:
        """The evaluator's answer, its error, or that it was killed at the limit."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a suite's run.

    Attributes:
        timeout_seconds: Of each evaluator call; None is no limit.
        runner: For evaluators of isolation `process`; without one they run in a thread.
    """

    timeout_seconds: float | None = None
    runner: Runner | None = None


NO_LIMITS = Limits()
