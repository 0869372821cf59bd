"""The error of evidence that contradicts itself."""

from typing_extensions import override

from assay.evaluators.errors import EvaluatorError


class InvalidTrajectory(EvaluatorError):
    """Recorded evidence contradicts itself, or a number in it cannot be represented.

    Evidence that is merely missing is `IncompleteRecording`; neither is ever a verdict.
    """

    def __init__(self, message: str) -> None:
        super().__init__("invalid_input", message)

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the message in another process."""
        return type(self), (str(self),)
