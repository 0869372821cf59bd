"""What a recorded run is held against."""

from typing import ClassVar, Self

from pydantic import model_validator
from typing_extensions import override

from assay.evaluators.canonical import Json, canonicalize, decode, parse, write
from assay.evaluators.errors import AssayError, MalformedJson
from assay.evaluators.record import Record, kind_of
from assay.evaluators.trajectory.invalid_sample import InvalidSample
from assay.evaluators.trajectory.recording.expected_tool import ExpectedTools
from assay.evaluators.trajectory.recording.run_limits import RunLimits
from assay.evaluators.trajectory.recording.termination import TerminalStatus
from assay.evaluators.trajectory.recording.trajectory import Trajectory


class ExpectedRun(Record):
    """Expectations of a run; what is None is not asserted.

    Attributes:
        status: How the root should have ended.
        output: JSON text of its output, only beside `completed`; `null` asserts null.
        tools: All tool calls of the run; an empty list asserts that there are none.
        baseline: A run that this one should repeat.
        limits: The most that the run may have used.

    Raises:
        InvalidSample: when a rule is broken.
    """

    category: ClassVar[type[AssayError]] = InvalidSample

    status: TerminalStatus
    output: str | None = None
    tools: ExpectedTools | None = None
    baseline: Trajectory | None = None
    limits: RunLimits = RunLimits()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.output is None:
            return self
        if self.status != "completed":
            raise self.refuse("expected.output: expected none beside a status but completed")
        try:
            object.__setattr__(self, "output", canonicalize(self.output))
        except MalformedJson as error:
            raise self.refuse(f"expected.output: {error}") from error
        return self

    @override
    def wire(self) -> Json:
        """The JSON form; what is not asserted is left out."""
        tree: dict[str, object] = {"status": self.status}
        if self.output is not None:
            tree["output"] = parse(self.output)
        if self.tools is not None:
            tree["tools"] = self.tools
        if self.baseline is not None:
            tree["baseline"] = self.baseline
        if self.limits != RunLimits():
            tree["limits"] = self.limits
        return parse(write(tree))

    def encode(self) -> str:
        """The canonical JSON text; `ExpectedRun.decode` reads it back to equal expectations."""
        return write(self.wire())

    @classmethod
    def decode(cls, text: str | bytes) -> Self:
        """The expectations that a JSON text spells; raises as the constructor."""
        return cls.from_wire(cls.tree_of(text))

    @classmethod
    def from_wire(cls, tree: Json) -> Self:
        """The expectations that a parsed JSON object spells; raises as the constructor."""
        if not isinstance(tree, dict):
            raise cls.refuse(f"expected: expected a JSON object, got {kind_of(tree)}")
        members: dict[str, object] = {name: decode(write(one)) for name, one in tree.items()}
        if "output" in tree:
            members["output"] = write(tree["output"])  # numbers keep their spelling
        if "baseline" in tree:
            members["baseline"] = Trajectory.from_wire(tree["baseline"])
        return cls.model_validate(members)


class RunSample(Record):
    """A recorded run beside what was expected of it.

    Attributes:
        actual: The run.
        expected: The expectations.

    Raises:
        InvalidSample: when one of them is missing.
    """

    category: ClassVar[type[AssayError]] = InvalidSample

    actual: Trajectory
    expected: ExpectedRun
