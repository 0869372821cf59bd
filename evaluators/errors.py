"""What can go wrong, sorted by who acts on it.

::

    AssayError
    ├── the author of a suite, dataset or evaluator corrects it
    │   ├── InputError                a file, flag or address that a user gave
    │   ├── InvalidEvaluatorConfig    composite, projection, suite, function evaluator
    │   ├── InvalidAssessment         ids, results
    │   ├── InvalidMetric             metric, direction
    │   ├── InvalidScore              outside [0, 1] or not finite
    │   ├── InvalidReport             report, decision, verdict, finding, evidence
    │   ├── InvalidCase / InvalidDataset / InvalidExperiment
    │   ├── InvalidExecution / InvalidTrial
    │   ├── InvalidComparison         two sides that do not belong together
    │   └── MalformedJson / NotJson   a text that is no strict JSON, a value that has no JSON form
    ├── an evaluator says why there is no report
    │   ├── Skip                      the check does not apply
    │   ├── IncompleteRecording       the evidence is not there
    │   ├── EvaluatorError            it could not decide, with an error class
    │   └── ComponentFailed           a part of it could not
    ├── a target says why there is no receipt
    │   └── TargetError               with an error class
    └── the host says why nothing was done
        ├── NotEvaluated              the work never started
        └── Canceled                  it was stopped from outside

One failure can belong to several categories (a bad metric inside a report is an invalid report
and an invalid metric): ask with `is_a`, which follows causes and groups.
"""

import asyncio
from collections.abc import Iterator
from typing import Literal, get_args

from typing_extensions import override

ErrorClass = Literal[
    "timeout",
    "canceled",
    "rate_limited",
    "unavailable",
    "malformed_reply",
    "refused",
    "unsupported",
    "invalid_report",
    "identity_mismatch",
    "invalid_input",
    "internal",
]
"""Why a target or an evaluator failed; closed, so that retry rules and counts can rely on it."""

ERROR_CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)

_LONGEST_DESCRIPTION = 2000
_TOO_MANY_REQUESTS = 429
_SERVER_ERRORS = range(500, 600)


class AssayError(Exception):
    """The root of every error that Assay raises on purpose."""


class InputError(AssayError):
    """Something that the user gave cannot be used.

    Attributes:
        kind: What kind of thing was wrong, one word: `experiment`, `dataset`, `suite`, `target`,
            `store`, `run`, `flag`, ...
        place: Where it stands: a file, or a file and line, or a flag.
    """

    def __init__(self, message: str, *, place: str = "", kind: str = "input") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.kind = kind
        self.place = place


class InvalidEvaluatorConfig(AssayError):
    """An evaluator, projection, composite or suite was configured wrongly."""


class InvalidAssessment(AssayError):
    """An assessment id, an assessment or its result breaks a rule."""


class InvalidMetric(AssayError):
    """A metric or its direction breaks a rule."""


class InvalidScore(AssayError):
    """A score is not a finite number in [0, 1]."""


class InvalidReport(AssayError):
    """A report, decision, verdict, finding or piece of evidence breaks a rule."""


class InvalidCase(AssayError):
    """A case id or its metadata breaks a rule."""


class InvalidDataset(AssayError):
    """A dataset breaks a rule; a bad case stands in the cause."""


class InvalidExperiment(AssayError):
    """An experiment or an imported report breaks a rule."""


class InvalidExecution(AssayError):
    """The receipt of an execution contradicts itself."""


class InvalidTrial(AssayError):
    """A trial lacks a target or a suite."""


class InvalidComparison(AssayError):
    """Two reports cannot be compared, or a difference cannot be represented."""


class NotEvaluated(AssayError):
    """The work never started; the cause, if there is one, says why."""


class Canceled(AssayError):
    """The work was stopped from outside."""


class Skip(AssayError):
    """The check does not apply to this sample.

    An evaluator raises or returns it; the assessment is then complete and neither passes nor fails.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class IncompleteRecording(AssayError):
    """Evidence that the evaluator needs was not recorded: the assessment is unverified."""


class MalformedJson(AssayError):
    """A text is not exactly one strict JSON value.

    Attributes:
        reason: What is wrong, without any of the text itself.
        line: 1-based line of the fault, 0 where unknown.
        column: 1-based column of the fault, 0 where unknown.
    """

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        at = f" at line {line}, column {column}" if line else ""
        super().__init__(f"{reason}{at}")
        self.reason = reason
        self.line = line
        self.column = column


class NotJson(AssayError):
    """A Python value has no JSON form; the message names the path within the value."""


class _Classified(AssayError):
    def __init__(
        self, error_class: ErrorClass, message: str = "", *, retry_after: float | None = None
    ) -> None:
        if error_class not in ERROR_CLASSES:
            msg = f"expected an error class out of {', '.join(ERROR_CLASSES)}"
            raise ValueError(msg)
        super().__init__(message)
        self.error_class: ErrorClass = error_class
        self.retry_after = retry_after

    @override
    def __reduce__(self) -> tuple[object, ...]:
        """Keep the class and the wait when the error crosses a process."""
        return _rebuild, (type(self), self.error_class, str(self), self.retry_after)


def _rebuild(
    kind: type[_Classified], error_class: ErrorClass, message: str, retry_after: float | None
) -> _Classified:
    return kind(error_class, message, retry_after=retry_after)


class ComponentFailed(AssayError):
    """A part of a composite failed; the message names the part, the cause is its own error."""


class TargetError(_Classified):
    """A target has no usable receipt and knows why.

    Attributes:
        error_class: The reason, which decides whether the trial is tried again.
        retry_after: Seconds that the provider asked to wait before the next attempt, or None.
    """


class EvaluatorError(_Classified):
    """An evaluator could not decide and knows why; attributes as for `TargetError`."""


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error itself, then everything it wraps: causes, and the members of groups."""
    seen: set[int] = set()
    waiting: list[BaseException] = [error]
    while waiting:
        current = waiting.pop(0)
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)
        if current.__cause__ is not None:
            waiting.append(current.__cause__)


def is_a(error: BaseException | None, category: type[BaseException]) -> bool:
    """True if the error, one of its causes, or a member of its groups is of the category."""
    return error is not None and any(isinstance(one, category) for one in causes(error))


def is_wholly(error: BaseException, category: type[BaseException]) -> bool:
    """True as `is_a`, but where there are groups only if it holds for each of their members."""
    if isinstance(error, category):
        return True
    groups = (one for one in causes(error) if isinstance(one, BaseExceptionGroup))
    members = [member for group in groups for member in group.exceptions]
    return is_a(error, category) and all(is_a(member, category) for member in members)


def classify(error: BaseException) -> ErrorClass:
    """The error class of anything a target or an evaluator may raise.

    A declared class wins; then an HTTP status (429 is `rate_limited`, 5xx `unavailable`) on the
    attribute `status_code` or `status`; then the standard exceptions; anything else is `internal`.
    """
    own = next((one for one in causes(error) if not isinstance(one, ComponentFailed)), error)
    if isinstance(own, _Classified):
        return own.error_class
    return _class_of_status(own) or _class_of_type(own)


def _class_of_status(error: BaseException) -> ErrorClass | None:
    for name in ("status_code", "status"):
        status = _number_on(error, name)
        if status == _TOO_MANY_REQUESTS:
            return "rate_limited"
        if status in _SERVER_ERRORS:
            return "unavailable"
    return None


def _number_on(error: BaseException, name: str) -> float | None:
    try:
        value = getattr(error, name, None)
        number = None if isinstance(value, bool) or not isinstance(value, int | float) else value
        return None if number is None else float(number)
    except BaseException:  # noqa: BLE001 - a foreign exception's property may raise anything
        return None


def _class_of_type(error: BaseException) -> ErrorClass:
    table: tuple[tuple[type[BaseException], ErrorClass], ...] = (
        (Canceled, "canceled"),
        (asyncio.CancelledError, "canceled"),
        (InvalidReport, "invalid_report"),
        (InvalidScore, "invalid_report"),
        (InvalidMetric, "invalid_report"),
        (TimeoutError, "timeout"),
        (ConnectionError, "unavailable"),
        (NotJson, "invalid_input"),
    )
    for kind, error_class in table:
        if isinstance(error, kind):
            return error_class
    return "internal"


def retry_after_of(error: BaseException) -> float | None:
    """Seconds that the provider asked to wait, when the error carries a usable number."""
    wait = _number_on(error, "retry_after")
    return wait if wait is not None and 0 <= wait < float("inf") else None


def describe(error: BaseException) -> str:
    """The error as `<type>: <message>`, at most 2,000 characters, without a traceback.

    Works for an exception that cannot be printed; a lone surrogate becomes a question mark.
    """
    name = type(error).__name__
    try:
        message = str(error)
        text = f"{name}: {message}" if message else name
    except BaseException as broken:  # noqa: BLE001 - whatever a foreign __str__ raises
        text = f"{name}: (its message cannot be read: {type(broken).__name__})"
    return text.encode("utf-8", "replace").decode("utf-8")[:_LONGEST_DESCRIPTION]
