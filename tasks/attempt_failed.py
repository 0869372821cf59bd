"""An attempt of a trial that did not come to its end."""

from assay.evaluators.errors import AssayError


class AttemptFailed(AssayError):
    """An attempt of a trial failed; what was made in it is durable.

    Attributes:
        retryable: True if another attempt is wanted.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable
