"""Which tasks of which data are worked on."""

from collections import Counter
from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, digest, spell
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record, read_items, read_text, require_text
from assay.evaluators.swebench.errors import InvalidSelection
from assay.evaluators.swebench.identity import require_revision
from assay.evaluators.swebench.task import Task

_MEMBERS = ("dataset", "revision", "split", "tasks")


class Selection(Record):
    """At least one task of a split, at a fixed revision of the data.

    Attributes:
        dataset: Name of the data, such as `SWE-bench/SWE-bench_Verified`.
        revision: The commit of the data, 40 or 64 lowercase hexadecimal digits.
        split: Name of the split.
        tasks: The tasks, each once; kept in the order of their ids, in whatever order they came.

    Raises:
        InvalidSelection: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSelection

    dataset: str
    revision: str
    split: str
    tasks: Items[Task]

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.dataset, "selection.dataset", InvalidSelection)
        require_revision(self.revision, "selection.revision", InvalidSelection)
        require_text(self.split, "selection.split", InvalidSelection)
        if not self.tasks:
            raise self.refuse("selection.tasks: expected at least one task")
        [(most, count)] = Counter(task.instance_id for task in self.tasks).most_common(1)
        if count > 1:
            raise self.refuse(f"selection.tasks: expected each task once, got {most[:60]!r} again")
        in_order = tuple(sorted(self.tasks, key=lambda task: task.instance_id))
        object.__setattr__(self, "tasks", in_order)
        return self

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the tasks in their order."""
        return tuple(task.instance_id for task in self.tasks)

    @cached_property
    def digest(self) -> str:
        """The digest of the whole content: data, revision, split and every task's digest."""
        return digest(self.encode())

    @override
    def wire(self) -> dict[str, Json]:
        """The JSON form; the order of the members is part of the digest."""
        return {
            "dataset": self.dataset,
            "revision": self.revision,
            "split": self.split,
            "tasks": [task.wire() for task in self.tasks],
        }

    def encode(self) -> str:
        """The compact JSON text; `Selection.decode` reads it back to an equal selection."""
        return spell(self.wire())

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The selection that a JSON text spells; raises InvalidSelection."""
        members = cls.members(cls.tree_of(text), _MEMBERS, "selection")
        dataset, revision, split = (
            read_text(members.get(name), f"selection.{name}", InvalidSelection)
            for name in ("dataset", "revision", "split")
        )
        items = read_items(members.get("tasks"), "selection.tasks", InvalidSelection)
        tasks = tuple(Task.from_wire(item) for item in items)
        return cls(dataset=dataset, revision=revision, split=split, tasks=tasks)
