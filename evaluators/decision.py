"""A categorical judgement, and the rule that made it."""

from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, write
from assay.evaluators.errors import AssayError, InvalidReport
from assay.evaluators.open_map import Metadata, OpenMap
from assay.evaluators.record import Record, read_text, require_text

Verdict = Literal["", "pass", "fail"]
"""What was decided; empty where nothing was."""

Decided = Literal["pass", "fail"]

_MEMBERS = ("policy", "parameters", "verdict")


class Decision(Record):
    """A verdict under a named policy.

    Attributes:
        policy: Name of the rule, trimmed; slashes and dots are fine.
        verdict: `pass` or `fail`; a report without a judgement simply has no decision.
        parameters: Settings of the rule (thresholds, limits), compared in canonical spelling.

    Raises:
        InvalidReport: when a member breaks its rule.
    """

    category: ClassVar[type[AssayError]] = InvalidReport

    policy: str
    verdict: Decided
    parameters: Metadata = OpenMap()

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.policy, "decision.policy", InvalidReport)
        return self

    @property
    def passed(self) -> bool:
        """True if the verdict is `pass`."""
        return self.verdict == "pass"

    @cached_property
    def identity(self) -> str:
        """The canonical JSON of policy and parameters; the verdict is not part of the rule."""
        return write(self.rule())

    def rule(self) -> dict[str, Json]:
        """Policy and parameters as a tree; empty parameters are left out."""
        tree: dict[str, Json] = {"policy": self.policy}
        if self.parameters:
            tree["parameters"] = self.parameters.wire()
        return tree

    @override
    def wire(self) -> Json:
        """The JSON form."""
        return {**self.rule(), "verdict": self.verdict}

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The decision that a parsed wire object spells; raises InvalidReport."""
        members = cls.members(tree, _MEMBERS, "decision")
        try:
            parameters = OpenMap.from_wire(members.get("parameters"))
        except AssayError as error:
            msg = f"decision.parameters: {error}"
            raise InvalidReport(msg) from error
        return cls.model_validate(
            {
                "policy": read_text(members.get("policy"), "decision.policy", InvalidReport),
                "verdict": read_text(members.get("verdict"), "decision.verdict", InvalidReport),
                "parameters": parameters,
            }
        )

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The decision that a JSON text spells; raises InvalidReport."""
        return cls.from_wire(cls.tree_of(text))
