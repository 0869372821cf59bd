"""A tool call that a run should have made."""

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import AliasChoices, Field, model_validator

from assay.evaluators.equality import equal
from assay.evaluators.errors import AssayError, InvalidEvaluatorConfig
from assay.evaluators.record import Items, Record, require_bytes, require_text

LONGEST_TOOL_NAME = 256


class ExpectedCall(Record):
    """The name of a tool, and which arguments are right.

    Attributes:
        name: Compared exactly; non-empty, trimmed, at most 256 bytes.
        arguments: Values by name, also spelled `args`. None allows any arguments, an empty mapping
            none at all.
        accepted: For further arguments the values of which one has to be given.
        optional: Names out of `arguments` and `accepted` that may be left out.

    Raises:
        InvalidEvaluatorConfig: when a rule is broken.

    Examples:
        >>> call = ExpectedCall(name="area", accepted={"unit": ("cm", "centimetre")})
        >>> call.accepts({"unit": "cm"}), call.accepts({"unit": "m"})
        (True, False)
    """

    category: ClassVar[type[AssayError]] = InvalidEvaluatorConfig

    name: str
    arguments: dict[str, object] | None = Field(
        default=None, validation_alias=AliasChoices("arguments", "args")
    )
    accepted: dict[str, Items[object]] = Field(default_factory=dict)
    optional: Items[str] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.name, "name", InvalidEvaluatorConfig)
        require_bytes(self.name, "name", InvalidEvaluatorConfig, LONGEST_TOOL_NAME)
        twice = [name for name in self.accepted if name in (self.arguments or {})]
        if twice:
            raise self.refuse(f"accepted: expected names beside the arguments, got {twice[0]!r}")
        unknown = [name for name in self.optional if name not in self.values]
        if unknown:
            raise self.refuse(f"optional: expected names of its arguments, got {unknown[0]!r}")
        return self

    @property
    def any_arguments(self) -> bool:
        """True if nothing is said about the arguments."""
        return self.arguments is None and not self.accepted

    @property
    def values(self) -> Mapping[str, tuple[object, ...]]:
        """For every expected argument the values that are right."""
        return {**{name: (one,) for name, one in (self.arguments or {}).items()}, **self.accepted}

    def accepts(self, arguments: object, *, partial: bool = False) -> bool:
        """True if the arguments of a call are right.

        Values compare as JSON: 1 equals 1.0 but no boolean and no text; the order of keys does not
        matter, that of lists does.

        Args:
            arguments: Decoded arguments of a call of this tool.
            partial: Keys beyond the expected ones are ignored, in objects at every level outside
                lists; lists must match whole.
        """
        if self.any_arguments:
            return True
        if not isinstance(arguments, Mapping):
            return False
        values = self.values
        if not partial and any(name not in values for name in arguments):
            return False
        return all(
            _among(arguments[name], right, partial=partial)
            if name in arguments
            else name in self.optional
            for name, right in values.items()
        )


def _among(value: object, right: tuple[object, ...], *, partial: bool) -> bool:
    fits = _included if partial else equal
    return any(fits(one, value) for one in right)


def _included(expected: object, value: object) -> bool:
    if isinstance(expected, Mapping) and isinstance(value, Mapping):
        return all(name in value and _included(one, value[name]) for name, one in expected.items())
    return equal(expected, value)
