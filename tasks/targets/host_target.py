"""A target as the host calls it: with a name, from a stored input, and without waiting."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from assay.evaluators.execution import Execution
from assay.tasks.targets.identity import TargetIdentity
from assay.tasks.targets.started_call import StartedCall

T = TypeVar("T")


@runtime_checkable
class HostTarget(Protocol):
    """Something that answers an input, known by an identity."""

    @property
    def identity(self) -> TargetIdentity:
        """Who this target is."""
        ...

    def start(self, input_text: str, keep: Callable[[Execution], T]) -> StartedCall[T]:
        """One invocation, now in progress somewhere else.

        Args:
            input_text: The input as JSON; each call gets a value of its own from it.
            keep: Turns the receipt into what is kept, where the call runs.
        """
        ...

    async def run(self, input: object) -> Execution:  # noqa: A002 - the kernel's word
        """The receipt of one invocation, for experiments in memory."""
        ...


@dataclass(frozen=True, slots=True)
class _Revised:
    inner: HostTarget
    identity: TargetIdentity

    def start(self, input_text: str, keep: Callable[[Execution], T]) -> StartedCall[T]:
        return self.inner.start(input_text, keep)

    async def run(self, input: object) -> Execution:  # noqa: A002 - the kernel's word
        return await self.inner.run(input)


def revised(target: HostTarget, revision: str) -> HostTarget:
    """The target under a declared revision; itself where none is declared."""
    if not revision:
        return target
    return _Revised(target, dataclasses.replace(target.identity, revision=revision))
