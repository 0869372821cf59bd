"""The harness's own totals of a run."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, Number, number_text, spell
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Items, Record, kind_of
from assay.evaluators.swebench.errors import InvalidArtifacts
from assay.evaluators.swebench.failure import Failure
from assay.evaluators.swebench.transitions import read_names

SCHEMA_VERSION = 2
_COUNTED = (
    "submitted",
    "completed",
    "resolved",
    "unresolved",
    "infra_failure",
    "ambiguous_failure",
    "empty_patch",
    "error",
)
_COUNTS = ("total_instances", *(f"{name}_instances" for name in _COUNTED))
_LISTS = ("incomplete_ids", *(f"{name}_ids" for name in _COUNTED))
_REQUIRED = ("schema_version", *_COUNTS, *_LISTS, "failure_reasons")
_LEFTOVERS = ("unstopped_containers", "unremoved_images")
_MEMBERS = (*_REQUIRED, "unstopped_instances", *_LEFTOVERS)


class RunResults(Record):
    """The content of a `results.json` that agrees with itself; the counts are those of the lists.

    Attributes:
        total_instances: Number of tasks, those without a prediction too.
        submitted_ids: Tasks with a prediction, an empty one too.
        completed_ids: Tasks on which there is a report.
        incomplete_ids: Tasks without a prediction.
        resolved_ids: Tasks that are solved.
        unresolved_ids: Tasks that are not.
        empty_patch_ids: Tasks for which nothing was handed in on purpose.
        error_ids: Tasks that gave no usable report.
        infra_failure_ids: Tasks that the environment may have failed.
        ambiguous_failure_ids: Tasks that either the environment or the patch failed.
        failure_reasons: A word for each task of these last two lists.
        unstopped_containers: What the harness left running; None where it did not look.
        unremoved_images: What it left on the disk; None where it did not look.

    Raises:
        InvalidArtifacts: when a list names a task twice, or two members contradict each other.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    total_instances: Annotated[int, Field(ge=0)]
    submitted_ids: Items[str]
    completed_ids: Items[str]
    incomplete_ids: Items[str]
    resolved_ids: Items[str]
    unresolved_ids: Items[str]
    empty_patch_ids: Items[str]
    error_ids: Items[str]
    infra_failure_ids: Items[str]
    ambiguous_failure_ids: Items[str]
    failure_reasons: Mapping[str, str]
    unstopped_containers: Items[str] | None = None
    unremoved_images: Items[str] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        for member in _LISTS:
            ids = self.ids(member)
            if len(set(ids)) != len(ids):
                raise self.refuse(f"{member}: expected each task once")
        blamed = {*self.infra_failure_ids, *self.ambiguous_failure_ids}
        if len(blamed) != len(self.infra_failure_ids) + len(self.ambiguous_failure_ids):
            raise self.refuse("ambiguous_failure_ids: expected no task of infra_failure_ids")
        if blamed != set(self.failure_reasons):
            raise self.refuse("failure_reasons: expected one for each failure and for no other")
        _ = self.failures  # Building them refuses a blank reason.
        return self

    def ids(self, member: str) -> tuple[str, ...]:
        """The tasks of the list of this name."""
        ids: tuple[str, ...] = getattr(self, member)
        return ids

    @cached_property
    def failures(self) -> Mapping[str, Failure]:
        """The harness's advice by task."""
        infra = set(self.infra_failure_ids)
        return {
            name: Failure(kind="infrastructure" if name in infra else "ambiguous", reason=reason)
            for name, reason in self.failure_reasons.items()
        }

    @override
    def wire(self) -> dict[str, Json]:
        """The harness's own form."""
        tree: dict[str, Json] = {"total_instances": Number(number_text(self.total_instances))}
        for name in _COUNTED:
            tree[f"{name}_instances"] = _length(self.ids(f"{name}_ids"))
        tree.update({member: list(self.ids(member)) for member in _LISTS})
        tree["failure_reasons"] = dict(self.failure_reasons)
        tree["schema_version"] = Number(number_text(SCHEMA_VERSION))
        if self.unstopped_containers is not None:
            tree["unstopped_instances"] = _length(self.unstopped_containers)
            tree["unstopped_containers"] = list(self.unstopped_containers)
        if self.unremoved_images is not None:
            tree["unremoved_images"] = list(self.unremoved_images)
        return tree

    def encode(self) -> str:
        """The JSON text in the harness's form; `RunResults.decode` reads equal results."""
        return spell(self.wire())

    @classmethod
    def decode(cls, content: str | bytes) -> Self:
        """The results that the content of a `results.json` spells.

        Raises:
            InvalidArtifacts: it is not strict JSON, breaks a rule of its form, or a count is not
                the length of its list.
        """
        members = cls.members(cls.tree_of(content), _MEMBERS, "results")
        missing = [name for name in _REQUIRED if name not in members]
        if missing:
            raise cls.refuse(f"results.{missing[0]}: expected a value, got none")
        if _count(members, "schema_version") != SCHEMA_VERSION:
            raise cls.refuse(f"results.schema_version: expected {SCHEMA_VERSION}")
        _check_counts(members)
        given: dict[str, object] = {
            name: read_names(members[name], f"results.{name}")
            for name in (*_LISTS, *_LEFTOVERS)
            if name in members
        }
        given["total_instances"] = _count(members, "total_instances")
        given["failure_reasons"] = _reasons(members["failure_reasons"])
        return cls.model_validate(given)


def _length(ids: tuple[str, ...]) -> Number:
    return Number(number_text(len(ids)))


def _check_counts(members: dict[str, Json]) -> None:
    lists = {f"{name}_instances": f"{name}_ids" for name in _COUNTED}
    if "unstopped_instances" in members:
        lists["unstopped_instances"] = "unstopped_containers"
    for count, ids in lists.items():
        length = len(read_names(members.get(ids, []), f"results.{ids}"))
        if _count(members, count) != length:
            raise InvalidArtifacts(f"results.{count}: expected {length}, the length of {ids}")


def _count(members: dict[str, Json], name: str) -> int:
    tree = members[name]
    if not isinstance(tree, Number) or not tree.isdecimal() or len(tree) > len(str(2**63)):
        raise InvalidArtifacts(f"results.{name}: expected a whole number, got {kind_of(tree)}")
    return int(tree)


def _reasons(tree: Json) -> dict[str, str]:
    if not isinstance(tree, dict):
        raise InvalidArtifacts(f"results.failure_reasons: expected an object, got {kind_of(tree)}")
    names = read_names(list(tree.values()), "results.failure_reasons")
    return dict(zip(tree, names, strict=True))
