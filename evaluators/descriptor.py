"""Who an evaluator is: the identity that decides whether an old grade may be used again."""

from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, digest, write
from assay.evaluators.errors import AssayError, InvalidEvaluatorConfig
from assay.evaluators.evidence import Requirement
from assay.evaluators.finding import LONGEST_NAME
from assay.evaluators.open_map import Metadata, OpenMap
from assay.evaluators.record import Items, Record, require_bytes, require_text

Method = Literal["programmatic", "model", "composite"]
"""How an evaluator comes to its answer; nothing branches on it."""

UNVERSIONED = "unversioned"
"""The revision of a function that declares none; its source stands in."""

_LONGEST_DESCRIPTION = 1024


class Descriptor(Record):
    """Name, revision, method and configuration of an evaluator.

    Attributes:
        name: At most 256 bytes, trimmed, without `/`.
        revision: Changes when the meaning changes; `unversioned` when nobody declared one.
        method: How it decides.
        description: For people, at most 1,024 bytes.
        requires: Kinds of evidence without which it is not called.
        configuration: Its settings; other settings are another identity.
        code: Digest of its source where the revision is `unversioned`, else empty.

    Raises:
        InvalidEvaluatorConfig: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidEvaluatorConfig

    name: str
    revision: str = UNVERSIONED
    method: Method = "programmatic"
    description: str = ""
    requires: Items[Requirement] = ()
    configuration: Metadata = OpenMap()
    code: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        for field, text in (("name", self.name), ("revision", self.revision)):
            require_text(text, f"descriptor.{field}", InvalidEvaluatorConfig)
            require_bytes(text, f"descriptor.{field}", InvalidEvaluatorConfig, LONGEST_NAME)
        if "/" in self.name:
            raise self.refuse("descriptor.name: expected no '/'")
        require_text(
            self.description,
            "descriptor.description",
            InvalidEvaluatorConfig,
            empty=True,
            trimmed=False,
        )
        require_bytes(
            self.description,
            "descriptor.description",
            InvalidEvaluatorConfig,
            _LONGEST_DESCRIPTION,
        )
        if len(set(self.requires)) != len(self.requires):
            raise self.refuse("descriptor.requires: expected each kind of evidence once")
        return self

    @property
    def reusable(self) -> bool:
        """True if the identity changes whenever the meaning does, so that grades may be reused."""
        return self.revision != UNVERSIONED or bool(self.code)

    @cached_property
    def identity_text(self) -> str:
        """The canonical JSON of what makes two evaluators the same."""
        tree: dict[str, Json] = {
            "name": self.name,
            "revision": self.revision,
            "method": self.method,
            "configuration": self.configuration.wire(),
        }
        if self.code:
            tree["code"] = self.code
        return write(tree)

    @cached_property
    def identity(self) -> str:
        """The digest of the identity text."""
        return digest(self.identity_text)

    @override
    def wire(self) -> Json:
        """The JSON form that a plan stores."""
        return {
            "name": self.name,
            "revision": self.revision,
            "method": self.method,
            "description": self.description,
            "requires": list(self.requires),
            "configuration": self.configuration.wire(),
            "code": self.code,
            "identity": self.identity,
        }
