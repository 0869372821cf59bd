"""One task of the benchmark."""

from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record, read_text
from assay.evaluators.swebench.errors import InvalidSelection
from assay.evaluators.swebench.identity import require_component, require_digest


class Task(Record):
    """An instance of the benchmark, and the digest of its content.

    Attributes:
        instance_id: One safe step of a path, such as `django__django-11099`.
        digest: `sha256:` and 64 hexadecimal digits of whatever the host takes for its content.

    Raises:
        InvalidSelection: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSelection

    instance_id: str
    digest: str

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_component(self.instance_id, "task.instance_id", InvalidSelection)
        require_digest(self.digest, "task.digest", InvalidSelection)
        return self

    @override
    def wire(self) -> dict[str, Json]:
        """The JSON form; the order of the members is part of every digest over it."""
        return {"instance_id": self.instance_id, "digest": self.digest}

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The task that a parsed wire object spells; raises InvalidSelection."""
        members = cls.members(tree, ("instance_id", "digest"), "task")
        return cls(
            instance_id=read_text(members.get("instance_id"), "task.instance_id", cls.category),
            digest=read_text(members.get("digest"), "task.digest", cls.category),
        )
