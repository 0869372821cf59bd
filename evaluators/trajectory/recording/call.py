"""What calls of models and of tools have in common."""

from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import AfterValidator, Field

from assay.evaluators.canonical import canonicalize, is_blank
from assay.evaluators.errors import AssayError, MalformedJson
from assay.evaluators.record import Record, require_text
from assay.evaluators.trajectory.recording.identity import AttemptId, IncarnationId, Name, Sequence
from assay.evaluators.trajectory.recording.invalid_trajectory import InvalidTrajectory

Outcome = Literal["succeeded", "error", "failed", "input_required", "unknown", "unobserved"]
"""How a call ended. `unknown` was observed and is uncertain; `unobserved` is missing evidence."""


class Attempt(NamedTuple):
    """The identity of one physical try of an external operation."""

    process_id: str
    tree_incarnation_id: str | None
    effect_id: str
    attempt_id: str


def _diagnostic(text: str) -> str:
    require_text(text, "failure", InvalidTrajectory, empty=True)
    return text


Diagnostic = Annotated[str, AfterValidator(_diagnostic)]
"""Words about a failure, trimmed; empty where there was none."""


class ToolRequest(Record):
    """A tool call as a model asked for it.

    Attributes:
        id: The provider's id; never compared.
        name: The tool.
        arguments: Text as it came, which need not be JSON.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    id: str = ""
    name: Annotated[str, Field(min_length=1)]
    arguments: str = ""


class Call(Record):
    """To which attempt of which effect a call belongs.

    Attributes:
        process_id: Whose call it is.
        tree_incarnation_id: The activation of the tree.
        effect_id: The logical operation.
        attempt_id: The try of it.
        step_sequence: The step that asked for it.
        unknown: How it ended is uncertain.
        failure: Why it failed, or beside `unknown` a diagnostic.
    """

    category: ClassVar[type[AssayError]] = InvalidTrajectory

    process_id: Name
    tree_incarnation_id: IncarnationId
    effect_id: Name
    attempt_id: AttemptId
    step_sequence: Sequence
    unknown: bool = False
    failure: Diagnostic = ""

    @property
    def attempt(self) -> Attempt:
        """The identity of the attempt."""
        return Attempt(self.process_id, self.tree_incarnation_id, self.effect_id, self.attempt_id)


def canonical_arguments(text: str) -> str:
    """The canonical spelling of an argument text; empty for a blank one.

    Raises:
        MalformedJson: when the text is neither blank nor one strict JSON value.
    """
    return "" if is_blank(text) else canonicalize(text)


def require_arguments(text: str, category: type[AssayError]) -> None:
    """Raise the category unless the argument text is blank or one strict JSON value."""
    try:
        canonical_arguments(text)
    except MalformedJson as error:
        msg = f"arguments: {error}"
        raise category(msg) from error
