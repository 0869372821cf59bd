"""What an evaluator looks at: a case and the frozen receipt of one execution of it."""

from collections.abc import Callable
from typing import Generic, Self, TypeVar, overload

from typing_extensions import override

from assay.evaluators.canonical import decode_stored
from assay.evaluators.case import Case
from assay.evaluators.errors import IncompleteRecording, Skip
from assay.evaluators.execution import Execution
from assay.evaluators.open_map import OpenMap
from assay.evaluators.retained import CaseTexts, StoredReceipt

S = TypeVar("S")
T = TypeVar("T")

_NO_OUTPUT = "the execution recorded no output"
_NO_EXPECTED = "the case has no expected value"


class ReadOnce(Generic[S, T]):
    """A property that is made when it is first asked for, without `cached_property`'s lock.

    Nobody else asks at the same time, because every evaluator has a sample of its own.
    """

    def __init__(self, make: Callable[[S], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, _owner: type) -> Self: ...

    @overload
    def __get__(self, instance: S, _owner: type) -> T: ...

    def __get__(self, instance: S | None, _owner: type) -> Self | T:
        """The value; the next time it is found in the instance, and this is not asked."""
        if instance is None:
            return self
        value = vars(instance)[self._name] = self._make(instance)
        return value


class Sample:
    """A case and one execution of it, read-only.

    Attributes:
        case: The case.
        execution: The receipt.
        repeat: Which repeat of the case, from 0.
    """

    def __init__(self, case: Case, execution: Execution, repeat: int = 0) -> None:
        self.case = case
        self.execution = execution
        self.repeat = repeat

    @property
    def case_id(self) -> str:
        """The id of the case."""
        return self.case.id

    @property
    def input(self) -> object:
        """What the target got."""
        return self.case.input

    @property
    def output(self) -> object:
        """What the target answered.

        Raises:
            IncompleteRecording: when there is no candidate; the assessment becomes unverified.
        """
        if not self.execution.has_output:
            raise IncompleteRecording(_NO_OUTPUT)
        return self.execution.output

    @property
    def expected(self) -> object:
        """The reference answer.

        Raises:
            Skip: when the case has none; the assessment does not apply then.
        """
        if not self.case.has_expected:
            raise Skip(_NO_EXPECTED)
        return self.case.expected

    @property
    def has_expected(self) -> bool:
        """True if the case has a reference answer."""
        return self.case.has_expected

    @ReadOnce
    def metadata(self) -> dict[str, object]:
        """The case's metadata, decoded."""
        return self.case.metadata.decoded()

    def provides(self) -> frozenset[str]:
        """The kinds of evidence that the receipt holds."""
        return self.execution.provides()

    def fresh(self) -> "Sample":
        """A sample for the next evaluator, which sees nothing that this one's did to values."""
        return self


class RetainedSample(Sample):
    """A sample over stored JSON texts: each value is decoded when an evaluator first asks.

    Regrading reads thousands of these; most evaluators ask for one or two values. Every evaluator
    gets a fresh one, so that a value which one of them changes reaches no other.
    """

    def __init__(self, case_texts: CaseTexts, receipt: StoredReceipt, repeat: int = 0) -> None:
        self._case = case_texts
        self._execution = receipt
        self.repeat = repeat

    @ReadOnce
    @override
    def case(self) -> Case:
        """The whole case."""
        texts = self._case
        return Case(
            id=texts.id,
            input=self.input,
            expected=None if texts.expected is None else decode_stored(texts.expected),
            metadata=OpenMap.from_text(texts.metadata),
        )

    @ReadOnce
    @override
    def execution(self) -> Execution:
        """The whole receipt."""
        return self._execution.receipt()

    @property
    @override
    def case_id(self) -> str:
        """The id of the case."""
        return self._case.id

    @ReadOnce
    @override
    def input(self) -> object:
        """What the target got."""
        return decode_stored(self._case.input)

    @ReadOnce
    @override
    def output(self) -> object:
        """What the target answered; raises IncompleteRecording when there is no candidate."""
        if self._execution.output is None:
            raise IncompleteRecording(_NO_OUTPUT)
        return decode_stored(self._execution.output)

    @ReadOnce
    @override
    def expected(self) -> object:
        """The reference answer; raises Skip when the case has none."""
        if self._case.expected is None:
            raise Skip(_NO_EXPECTED)
        return decode_stored(self._case.expected)

    @property
    @override
    def has_expected(self) -> bool:
        """True if the case has a reference answer."""
        return self._case.expected is not None

    @ReadOnce
    @override
    def metadata(self) -> dict[str, object]:
        """The case's metadata, decoded."""
        return OpenMap.from_text(self._case.metadata).decoded()

    @override
    def provides(self) -> frozenset[str]:
        """The kinds of evidence that the receipt holds, from the texts that are present."""
        return self._execution.provides()

    @override
    def fresh(self) -> "RetainedSample":
        """The same texts, nothing decoded yet."""
        return RetainedSample(self._case, self._execution, self.repeat)
