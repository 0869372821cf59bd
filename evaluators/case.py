"""One fixed input of an experiment."""

from functools import cached_property
from typing import ClassVar, Self

from pydantic import model_validator

from assay.evaluators.assessment import Assessment
from assay.evaluators.canonical import digest, spell, write
from assay.evaluators.errors import AssayError, InvalidCase
from assay.evaluators.open_map import Metadata, OpenMap
from assay.evaluators.record import Items, Record, require_text

LONGEST_ID = 1024


class Case(Record):
    """An input, and what is known about it; never something that a target produced.

    Attributes:
        id: Non-empty, trimmed, at most 1,024 bytes; unique in its dataset.
        input: What the target gets, and nothing else.
        expected: The reference answer; None says that there is none.
        metadata: Facts about the case, for evaluators and for grouping; kept as JSON texts by key,
            and decoded as `metadata.decoded()` and `sample.metadata`.
        suite: Assessments of this case alone, beside the run's: `Assessment` objects, or entries as
            a suite file writes them, which become assessments when the suite is read.

    Raises:
        InvalidCase: when a rule is broken.

    Examples:
        >>> Case(id="greeting", input="hello", expected="HELLO").has_expected
        True
    """

    category: ClassVar[type[AssayError]] = InvalidCase

    id: str
    input: object
    expected: object = None
    metadata: Metadata = OpenMap()
    suite: Items[Assessment | dict[str, object]] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        require_text(self.id, "case.id", InvalidCase)
        if len(self.id.encode()) > LONGEST_ID:
            raise self.refuse(f"case.id: expected at most {LONGEST_ID} bytes")
        return self

    @property
    def has_expected(self) -> bool:
        """True if the case has a reference answer; 0, false and "" are answers."""
        return self.expected is not None

    @property
    def assessments(self) -> tuple[Assessment, ...]:
        """The case's own assessments.

        Raises:
            InvalidCase: while entries of a suite file have not become assessments.
        """
        ready = tuple(one for one in self.suite if isinstance(one, Assessment))
        if len(ready) != len(self.suite):
            raise self.refuse("case.suite: expected Assessment objects, got entries as written")
        return ready

    @cached_property
    def input_text(self) -> str:
        """The input as JSON text, as the target gets it; raises NotJson without a JSON form."""
        return spell(self.input)

    @cached_property
    def expected_text(self) -> str | None:
        """The reference answer as JSON text, or None."""
        return spell(self.expected) if self.has_expected else None

    @cached_property
    def input_digest(self) -> str:
        """The digest of the input alone."""
        return digest(write(self.input))

    @cached_property
    def digest(self) -> str:
        """The digest of id, input, expected and metadata."""
        content = {
            "id": self.id,
            "input": self.input,
            "expected": self.expected,
            "metadata": self.metadata.wire(),
        }
        return digest(write(content))
