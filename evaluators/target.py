"""What is under test."""

from typing import Protocol, TypeVar, runtime_checkable

from assay.evaluators.execution import Execution

I_contra = TypeVar("I_contra", contravariant=True)


@runtime_checkable
class Target(Protocol[I_contra]):
    """Something that answers an input.

    It gets the input alone: never the expected value, the metadata or the graders. A known failure,
    cancellation or exhausted budget is an execution with a reason; it raises only when there is no
    usable receipt, best `TargetError` with an error class.
    """

    async def run(self, input: I_contra) -> Execution:  # noqa: A002 - the field's word
        """The receipt of one invocation."""
        ...
