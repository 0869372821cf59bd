"""Where a process stands in its tree."""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record
from assay.evaluators.trajectory.recording.identity import Name
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory


class Relation(Record):
    """A process, its root and its parent.

    Attributes:
        process_id: The process itself.
        root_process_id: The root of its tree; itself at depth 0.
        parent_process_id: Who started it; None for a root.
        child_key: Its name among the parent's children; None for a root.
        depth: 0 for a root, one more than the parent's otherwise.

    Raises:
        InvalidTrajectory: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    process_id: Name
    root_process_id: Name
    parent_process_id: Name | None = None
    child_key: Name | None = None
    depth: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _check(self) -> Self:
        is_root = self.process_id == self.root_process_id
        bare = self.parent_process_id is None and self.child_key is None
        whole = self.parent_process_id is not None and self.child_key is not None
        if is_root != (self.depth == 0) or not (bare if is_root else whole):
            raise self.refuse("relation: expected a root at depth 0, or a parent, key and depth")
        return self
