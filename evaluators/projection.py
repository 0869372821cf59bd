"""An evaluator that looks at a part of the subject."""

from collections.abc import Callable
from typing import Generic, TypeVar

from assay.evaluators.cancellation import current_cancellation
from assay.evaluators.canonical import digest, write
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import (
    EvaluatorError,
    IncompleteRecording,
    InvalidEvaluatorConfig,
    Skip,
    classify,
    describe,
)
from assay.evaluators.evaluator import Evaluator, isolation_of, require_one_report
from assay.evaluators.report import Report

S = TypeVar("S")
T = TypeVar("T")


class Projection(Generic[S, T]):
    """The inner evaluator's report on a projected subject, unchanged.

    Its identity is the inner evaluator's together with the name of the projection.

    Attributes:
        parts: The inner evaluator.
        isolation: That of the inner evaluator.
    """

    def __init__(self, evaluator: Evaluator[T], project: Callable[[S], T], *, name: str) -> None:
        """Check both parts.

        Args:
            evaluator: Evaluates what the projection gives.
            project: Gives the part of a subject to evaluate.
            name: Stands for the projection in the identity, such as `expected` or `/answer`.

        Raises:
            InvalidEvaluatorConfig: when a part is missing.
        """
        require_one_report(evaluator, "projection.evaluator")
        _require_function(project)
        self.parts = (evaluator,)
        self.isolation = isolation_of(self.parts)
        self._evaluator = evaluator
        self._project = project
        self._descriptor = _descriptor_of(evaluator.descriptor, name)

    @property
    def descriptor(self) -> Descriptor:
        """The inner descriptor with the projection in its configuration."""
        return self._descriptor

    async def evaluate(self, subject: S) -> Report:
        """The inner report.

        Raises:
            Canceled: when the caller cancelled before; then neither function is called.
            EvaluatorError: when the projection fails; its error is the cause.
        """
        current_cancellation().raise_if_canceled()
        try:
            projected = self._project(subject)
        except (Skip, IncompleteRecording):
            raise
        except Exception as error:
            msg = f"project subject: {describe(error)}"
            raise EvaluatorError(classify(error), msg) from error
        return await self._evaluator.evaluate(projected)


def _require_function(project: object) -> None:
    if not callable(project):
        msg = f"projection.project: expected a function, got {type(project).__name__}"
        raise InvalidEvaluatorConfig(msg)


def _descriptor_of(inner: Descriptor, name: str) -> Descriptor:
    fields = {field: getattr(inner, field) for field in type(inner).model_fields}
    if not name:
        msg = "projection.name: expected text, got none"
        raise InvalidEvaluatorConfig(msg)
    # The whole inner configuration is nested, so that no setting can pass for a projection.
    configuration = {"select": name, "of": inner.configuration.wire()}
    code = digest(write([inner.code, name])) if inner.code else ""
    return Descriptor.model_validate({**fields, "configuration": configuration, "code": code})
