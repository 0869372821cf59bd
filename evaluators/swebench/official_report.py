"""The harness's report on one task."""

from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, spell
from assay.evaluators.errors import AssayError
from assay.evaluators.record import Record, kind_of, read_text
from assay.evaluators.swebench.errors import ArtifactMismatch, InvalidArtifacts
from assay.evaluators.swebench.transitions import Transitions

_FLAGS = (
    "patch_is_None",
    "patch_exists",
    "patch_successfully_applied",
    "resolved",
    "infra_failure",
)
_MEMBERS = (*_FLAGS, "infra_failure_reason", "tests_status")


class OfficialReport(Record):
    """A report that is free of contradictions; it alone says whether a task is resolved.

    Attributes:
        instance_id: The task.
        applied: True if the patch could be applied and the tests ran.
        resolved: True if the task is solved.
        infra_failure: True if the harness blames its environment. That is advice: an unresolved
            task stays unresolved.
        infra_failure_reason: The harness's word for what happened, or empty.
        tests_status: What became of the tests; None unless the patch was applied.

    Raises:
        InvalidArtifacts: when the report contradicts itself.
    """

    category: ClassVar[type[AssayError]] = InvalidArtifacts

    instance_id: str
    applied: bool
    resolved: bool
    infra_failure: bool
    infra_failure_reason: str = ""
    tests_status: Transitions | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.resolved and (not self.applied or self.infra_failure):
            raise self.refuse("resolved: expected an applied patch and no infrastructure failure")
        if self.infra_failure and not self.infra_failure_reason:
            raise self.refuse("infra_failure_reason: expected a reason beside the failure")
        if self.applied != (self.tests_status is not None):
            raise self.refuse("tests_status: expected it exactly where the patch was applied")
        return self

    @override
    def wire(self) -> dict[str, Json]:
        """The harness's own form, keyed by the task."""
        entry: dict[str, Json] = {
            "patch_is_None": False,
            "patch_exists": True,
            "patch_successfully_applied": self.applied,
            "resolved": self.resolved,
            "infra_failure": self.infra_failure,
        }
        if self.infra_failure_reason:
            entry["infra_failure_reason"] = self.infra_failure_reason
        if self.tests_status is not None:
            entry["tests_status"] = self.tests_status.wire()
        return {self.instance_id: entry}

    def encode(self) -> str:
        """The JSON text in the harness's form; `OfficialReport.decode` reads an equal report."""
        return spell(self.wire())

    @classmethod
    def decode(cls, content: str | bytes, instance_id: str) -> Self:
        """The report that the content of a `report.json` spells.

        Args:
            content: The file.
            instance_id: The task whose report is expected.

        Raises:
            ArtifactMismatch: it reports on anything but exactly that task, or says that no patch
                was there.
            InvalidArtifacts: it is not strict JSON, or breaks a rule of its form.
        """
        tree = cls.tree_of(content)
        if not isinstance(tree, dict):
            raise cls.refuse(f"report: expected a JSON object, got {kind_of(tree)}")
        entries = {name: cls._entry(entry) for name, entry in tree.items()}
        if list(entries) != [instance_id]:
            shown = ", ".join(repr(name[:60]) for name in list(entries)[:2]) or "no task"
            raise ArtifactMismatch(f"report: expected {instance_id!r} alone, got {shown}")
        return cls._from_entry(entries[instance_id], instance_id)

    @classmethod
    def _entry(cls, tree: Json) -> dict[str, Json]:
        members = cls.members({} if tree is None else tree, _MEMBERS, "report")
        for flag in _FLAGS:
            if not isinstance(members.get(flag, False), bool):
                raise cls.refuse(f"report.{flag}: expected a boolean, got {kind_of(members[flag])}")
        return members

    @classmethod
    def _from_entry(cls, members: dict[str, Json], instance_id: str) -> Self:
        missing = [flag for flag in _FLAGS if flag not in members]
        if missing:
            raise cls.refuse(f"report.{missing[0]}: expected a boolean, got none")
        flags = {flag: members[flag] is True for flag in _FLAGS}
        if flags["patch_is_None"] or not flags["patch_exists"]:
            raise ArtifactMismatch("report: expected the submitted patch, got a report of none")
        status = members.get("tests_status")
        place = "report.infra_failure_reason"
        return cls(
            instance_id=instance_id,
            applied=flags["patch_successfully_applied"],
            resolved=flags["resolved"],
            infra_failure=flags["infra_failure"],
            infra_failure_reason=read_text(
                members.get("infra_failure_reason"), place, InvalidArtifacts
            ),
            tests_status=None
            if status is None
            else Transitions.from_wire(status, "report.tests_status"),
        )
