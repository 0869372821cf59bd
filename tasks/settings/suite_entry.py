"""An assessment as a suite file writes it, and its parts."""

from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from assay.tasks.settings.file_model import AtLeastOne, FileModel, Filled, Text

COMPOSITE = "composite"
"""The `use` that makes one evaluator of several components."""


class EvaluatorEntry(FileModel):
    """Which evaluator, and how it is configured."""

    use: Text
    """`<family>.<evaluator>`, `composite`, or an import string `module:attribute`."""
    settings: Annotated[dict[str, JsonValue], Field(alias="with", default_factory=dict)]
    """The evaluator's own settings."""
    select: Text | None = None
    """What it sees as output: input, output, expected, metadata.<key>, or a pointer into it."""
    components: "Filled[ComponentEntry] | None" = None
    """The parts of a composite."""
    policy: Literal["all", "any", "at_least"] | None = None
    """How many of a composite's parts must pass; without a policy it only scores."""
    minimum: AtLeastOne | None = None
    """How many parts must pass under the policy at_least."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.use == COMPOSITE:
            if not self.components:
                raise ValueError("expected components beside use: composite, got none")
            if self.settings:
                raise ValueError("expected no 'with' beside use: composite: its components have it")
            return self
        for key in ("components", "policy", "minimum"):
            if getattr(self, key) is not None:
                raise ValueError(f"expected {key!r} only beside use: composite")
        return self


class ComponentEntry(EvaluatorEntry):
    """A part of a composite."""

    weight: Annotated[float, Field(ge=0)] = 1.0
    """Its share of the composite's score; 0 means 1."""
    required: bool = False
    """True if the composite fails whenever this part does not pass."""


class SuiteEntry(EvaluatorEntry):
    """An id, and the evaluator that it stands for."""

    id: Text
    """Names the assessment in every report; unique in the suite."""
