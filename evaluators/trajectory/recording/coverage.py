"""A host's word on which external operations there were."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record
from assay.evaluators.trajectory.recording.identity import IncarnationId, Name
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory

Role = Literal["models", "tools", "other"]
"""What an external operation was."""


class EffectRef(Record):
    """One logical external operation, with all its attempts.

    Attributes:
        process_id: Whose effect it is.
        effect_id: The effect.
        tree_incarnation_id: The activation in which it was tried, where that is known.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    process_id: Name
    effect_id: Name
    tree_incarnation_id: IncarnationId | None = None

    @override
    def wire(self) -> object:
        """The JSON form; an unknown incarnation is left out."""
        return self.model_dump(exclude_none=True)


class Coverage(Record):
    """An exhaustive classification of the dispatcher's effects, declared apart from what was seen.

    No coverage leaves completeness unknown; an empty one claims that there was no external
    operation.

    Attributes:
        models: Calls of a model.
        tools: Calls of a tool.
        other: Neither.

    Raises:
        InvalidTrajectory: when a reference is invalid, or stands twice, also in two lists.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    models: Items[EffectRef] = ()
    tools: Items[EffectRef] = ()
    other: Items[EffectRef] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len(self.roles) != len(self.models) + len(self.tools) + len(self.other):
            raise self.refuse("coverage: expected each effect once")
        return self

    @property
    def roles(self) -> dict[EffectRef, Role]:
        """The role of every classified effect."""
        lists: dict[Role, tuple[EffectRef, ...]] = {
            "models": self.models,
            "tools": self.tools,
            "other": self.other,
        }
        return {one: role for role, effects in lists.items() for one in effects}
