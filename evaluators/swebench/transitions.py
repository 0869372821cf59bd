"""What became of the tests of a task, grouped by what the reference patch does to them."""

from collections.abc import Iterable
from typing import ClassVar, Self

from typing_extensions import override

from assay.evaluators.canonical import Json, Number
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record, kind_of
from assay.evaluators.swebench.errors import InvalidArtifacts

GROUPS = ("FAIL_TO_PASS", "PASS_TO_PASS", "FAIL_TO_FAIL", "PASS_TO_FAIL")


def read_names(tree: Json, place: str) -> tuple[str, ...]:
    """The texts of a wire array; raises InvalidArtifacts for null and for anything else."""
    if not isinstance(tree, list):
        raise InvalidArtifacts(f"{place}: expected an array, got {kind_of(tree)}")
    return tuple(_texts(tree, place))


def _texts(items: list[Json], place: str) -> Iterable[str]:
    for position, item in enumerate(items):
        if not isinstance(item, str) or isinstance(item, Number):
            raise InvalidArtifacts(f"{place}[{position}]: expected a string, got {kind_of(item)}")
        yield item


class Transition(Record):
    """The tests of one group.

    Attributes:
        success: Names of those that ended as the group says.
        failure: Names of those that did not.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    success: Items[str]
    failure: Items[str]

    @override
    def wire(self) -> dict[str, Json]:
        """The harness's own form."""
        return {"success": list(self.success), "failure": list(self.failure)}

    @classmethod
    def from_wire(cls, tree: Json, place: str) -> Self:
        """The group that a parsed object spells; raises InvalidArtifacts."""
        members = cls.members(tree, ("success", "failure"), place)
        return cls(
            success=read_names(members.get("success"), f"{place}.success"),
            failure=read_names(members.get("failure"), f"{place}.failure"),
        )


class Transitions(Record):
    """All four groups of a task's tests; a group may be empty, but none is left out.

    Attributes:
        fail_to_pass: Tests that the reference patch repairs.
        pass_to_pass: Tests that it leaves passing.
        fail_to_fail: Tests that it leaves failing.
        pass_to_fail: Tests that it breaks.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    fail_to_pass: Transition
    pass_to_pass: Transition
    fail_to_fail: Transition
    pass_to_fail: Transition

    @override
    def wire(self) -> dict[str, Json]:
        """The harness's own form."""
        groups = (self.fail_to_pass, self.pass_to_pass, self.fail_to_fail, self.pass_to_fail)
        return {name: group.wire() for name, group in zip(GROUPS, groups, strict=True)}

    @classmethod
    def from_wire(cls, tree: Json, place: str) -> Self:
        """The groups that a parsed object spells; raises InvalidArtifacts."""
        members = cls.members(tree, GROUPS, place)
        groups = (Transition.from_wire(members.get(name), f"{place}.{name}") for name in GROUPS)
        return cls(**dict(zip(cls.model_fields, groups, strict=True)))
