"""The error of a recorded run or of expectations that cannot be read."""

from typing_extensions import override

from assay.evaluators.errors import EvaluatorError


class InvalidSample(EvaluatorError):
    """Expectations of a run break a rule, so that nothing can be said of it."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_input", message)

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from the message in another process."""
        return type(self), (str(self),)
