"""Something that looks at a subject and reports, and changes nothing."""

from collections.abc import Iterable
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.off_loop import run_off_loop
from assay.evaluators.outcome import value_of
from assay.evaluators.report import Report

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)

Isolation = Literal["thread", "process"]
"""Where a synchronous evaluator runs: `process` for code that can hold the interpreter."""


@runtime_checkable
class Evaluator(Protocol[S_contra]):
    """A descriptor, and a coroutine that gives a report of a subject.

    Evaluators are shared by concurrent trials: they keep no state of one call for another. An
    exception says that it could not decide; `Skip` that it does not apply; `IncompleteRecording`
    that evidence is missing. None of these is ever expressed as a failing verdict.
    """

    @property
    def descriptor(self) -> Descriptor:
        """Who this evaluator is."""
        ...

    async def evaluate(self, subject: S_contra) -> Report:
        """The report of the subject."""
        ...


class Synchronous(Generic[S]):
    """An evaluator whose work is a plain function call, run in a thread when it is awaited.

    A subclass gives `descriptor` and `grade`. Grading many receipts calls `grade` directly, which
    saves an event loop's round trip for each.

    Attributes:
        isolation: `process` runs it in a worker process that is killed at the time limit.
    """

    isolation: Isolation = "thread"

    @property
    def descriptor(self) -> Descriptor:
        """Who this evaluator is."""
        raise NotImplementedError

    def grade(self, subject: S) -> Report:
        """The report of the subject."""
        raise NotImplementedError

    async def evaluate(self, subject: S) -> Report:
        """The report of the subject, from a daemon thread with this context's variables."""
        return value_of(await run_off_loop(lambda: self.grade(subject)))


def require_evaluator(value: object, place: str) -> None:
    """Raise InvalidEvaluatorConfig for None and for anything that is no evaluator."""
    described = isinstance(getattr(value, "descriptor", None), Descriptor)
    if not described or not callable(getattr(value, "evaluate", None)):
        msg = f"{place}: expected an evaluator, got {_kind(value)}"
        raise InvalidEvaluatorConfig(msg)


def require_one_report(value: object, place: str) -> None:
    """Raise InvalidEvaluatorConfig as above, and for an evaluator of several outputs."""
    require_evaluator(value, place)
    outputs = outputs_of(value)
    if outputs:
        names = ", ".join(outputs)
        msg = f"{place}: expected an evaluator of one report, got one with the outputs {names}"
        raise InvalidEvaluatorConfig(msg)


def isolation_of(evaluators: Iterable[object]) -> Isolation:
    """Where evaluators run as parts of one: in a process as soon as one of them has to."""
    wanted = (getattr(one, "isolation", "thread") for one in evaluators)
    return "process" if "process" in wanted else "thread"


def outputs_of(evaluator: object) -> tuple[str, ...]:
    """The names of the outputs that an evaluator declares; none where it gives one report."""
    outputs = getattr(evaluator, "outputs", ())
    return outputs if isinstance(outputs, tuple) else ()


def _kind(value: object) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
