"""The error of a ranking or of judgments that no measure is defined for."""

from typing_extensions import override

from assay.evaluators.errors import EvaluatorError


class InvalidSample(EvaluatorError):
    """A ranking or its judgments break a rule; no ranking measure is defined for them."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_input", message)

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the message in another process."""
        return type(self), (str(self),)
