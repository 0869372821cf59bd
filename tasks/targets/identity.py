"""Who a target is, so that a run can say what it ran and a resumed run can tell the same target."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from typing_extensions import override

from assay.evaluators.errors import InputError

TargetKind = Literal["function", "command", "http"]
"""How a target is called."""

_KINDS: tuple[TargetKind, ...] = ("function", "command", "http")


@dataclass(frozen=True, slots=True)
class TargetIdentity:
    """Who a target is.

    Attributes:
        kind: How it is called.
        reference: Its import string, its argument list, or its address.
        revision: What its owner declared, or empty.
        source: The digest of the files that it consists of, or empty where they are not known.
    """

    kind: TargetKind
    reference: str | tuple[str, ...]
    revision: str = ""
    source: str = ""

    @override
    def __str__(self) -> str:
        """The reference as a person would write it."""
        return self.reference if isinstance(self.reference, str) else " ".join(self.reference)

    def wire(self) -> dict[str, object]:
        """The members that a plan keeps."""
        many = not isinstance(self.reference, str)
        return {
            "kind": self.kind,
            "reference": list(self.reference) if many else self.reference,
            "revision": self.revision,
            "source": self.source,
        }

    @classmethod
    def from_wire(cls, members: object) -> "TargetIdentity":
        """The identity that a plan kept; raises InputError for anything else."""
        fields = members if isinstance(members, dict) else {}
        kind = next((kind for kind in _KINDS if kind == fields.get("kind")), None)
        reference = _reference(fields.get("reference"))
        revision, source = fields.get("revision", ""), fields.get("source", "")
        if kind is None or reference is None:
            msg = "expected a target's kind and reference"
            raise InputError(msg, place="plan.json: target", kind="run")
        if not isinstance(revision, str) or not isinstance(source, str):
            msg = "expected revision and source to be text"
            raise InputError(msg, place="plan.json: target", kind="run")
        return cls(kind, reference, revision, source)


def _reference(value: object) -> str | tuple[str, ...] | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def same_target(one: TargetIdentity, other: TargetIdentity) -> bool:
    """True if both name the same target at the same declared revision, whatever its files hold."""
    return (one.kind, one.reference, one.revision) == (other.kind, other.reference, other.revision)


def source_changed(one: TargetIdentity, other: TargetIdentity) -> bool:
    """True if both know what their files held and it was not the same: worth a warning."""
    return bool(one.source and other.source) and one.source != other.source


def digest_files(files: list[Path]) -> str:
    """`sha256:` and the digest of the files' contents in order, or empty without readable files."""
    contents = hashlib.sha256()
    for file in files:
        try:
            contents.update(hashlib.sha256(file.read_bytes()).digest())
        except OSError:
            return ""
    return f"sha256:{contents.hexdigest()}" if files else ""
