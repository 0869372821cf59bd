"""One tree of errors, and what a foreign exception means in it."""

import asyncio
import copy
import http
import pickle

import pytest

from assay.evaluators.errors import (
    ERROR_CLASSES,
    AssayError,
    Canceled,
    ComponentFailed,
    ErrorClass,
    EvaluatorError,
    IncompleteRecording,
    InputError,
    InvalidCase,
    InvalidDataset,
    InvalidMetric,
    InvalidReport,
    InvalidScore,
    NotEvaluated,
    NotJson,
    Skip,
    TargetError,
    causes,
    classify,
    describe,
    is_a,
    is_wholly,
    retry_after_of,
)


def because(error: BaseException, cause: BaseException) -> BaseException:
    """Return the error with the cause."""
    error.__cause__ = cause
    return error


class WithStatus(Exception):
    """What HTTP clients raise."""

    def __init__(self, **attributes: object) -> None:
        super().__init__("http")
        for name, value in attributes.items():
            setattr(self, name, value)


class Unprintable(Exception):
    """An exception that fails whenever anybody looks at it."""

    def __str__(self) -> str:
        raise SystemExit(3)

    @property
    def status_code(self) -> int:
        """Raise."""
        raise KeyboardInterrupt

    @property
    def retry_after(self) -> float:
        """Raise."""
        raise RecursionError


class OddText(str):
    """A text whose formatting fails."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        raise ValueError(spec)


class OddMessage(Exception):
    """An exception whose message is such a text."""

    def __str__(self) -> str:
        return OddText("odd")


def test_one_failure_belongs_to_every_category_in_its_chain() -> None:
    """Kernel 1.1: the error itself, its causes, and the members of its groups."""
    error = because(InvalidDataset("d"), because(InvalidCase("c"), ValueError("v")))
    group = ExceptionGroup("g", [ExceptionGroup("h", [Skip("s")]), because(OSError(), error)])
    for category in (InvalidDataset, InvalidCase, ValueError, Skip, OSError, AssayError):
        assert is_a(group, category)
    assert not is_a(group, InvalidMetric)
    assert not is_a(None, AssayError)


def test_a_chain_that_bites_its_tail_ends() -> None:
    """An exception may be its own cause, or that of a member of its group."""
    one, other = ValueError("1"), ComponentFailed("2")
    one.__cause__, other.__cause__ = other, one
    group = ExceptionGroup("g", [one])
    one.__cause__ = group
    assert {id(error) for error in causes(group)} == {id(group), id(one)}
    other.__cause__ = other
    assert classify(other) == "internal"
    assert not is_wholly(group, Skip)


def test_only_a_context_is_no_cause() -> None:
    """An error that was merely being handled says nothing about the next one."""
    error = ValueError("own")
    error.__context__ = Skip("another")
    assert not is_a(error, Skip)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Skip("s"), True),
        (because(ComponentFailed("c"), Skip("s")), True),
        (ExceptionGroup("g", [Skip("a"), Skip("b")]), True),
        (ExceptionGroup("g", [Skip("a"), ValueError("b")]), False),
        (because(ComponentFailed("c"), ExceptionGroup("g", [Skip(), OSError()])), False),
        (because(Skip("s"), ExceptionGroup("g", [OSError()])), True),
        (ValueError("v"), False),
    ],
)
def test_a_group_is_wholly_something_only_if_every_member_is(
    error: BaseException, *, expected: bool
) -> None:
    """One check that does not apply must not hide another that broke."""
    assert is_wholly(error, Skip) is expected


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TargetError("refused"), "refused"),
        (EvaluatorError("malformed_reply"), "malformed_reply"),
        (because(ComponentFailed("c"), EvaluatorError("unsupported")), "unsupported"),
        (
            because(ComponentFailed("c"), because(ComponentFailed("d"), TimeoutError())),
            "timeout",
        ),
        (ComponentFailed("without a cause"), "internal"),
        (WithStatus(status_code=429), "rate_limited"),
        (WithStatus(status=429), "rate_limited"),
        (WithStatus(status=http.HTTPStatus.BAD_GATEWAY), "unavailable"),
        (WithStatus(status_code=500), "unavailable"),
        (WithStatus(status_code=599), "unavailable"),
        (WithStatus(status_code=600), "internal"),
        (WithStatus(status_code=404), "internal"),
        (WithStatus(status_code="429"), "internal"),
        (WithStatus(status_code=True), "internal"),
        (WithStatus(status_code=None, status=503), "unavailable"),
        (TimeoutError(), "timeout"),
        (ConnectionError(), "unavailable"),
        (ConnectionRefusedError(), "unavailable"),
        (BrokenPipeError(), "unavailable"),
        (asyncio.CancelledError(), "canceled"),
        (Canceled(), "canceled"),
        (InvalidReport("r"), "invalid_report"),
        (InvalidScore("s"), "invalid_report"),
        (InvalidMetric("m"), "invalid_report"),
        (NotJson("bytes"), "invalid_input"),
        (ValueError("v"), "internal"),
        (OSError(), "internal"),
        (SystemExit(1), "internal"),
        (RecursionError(), "internal"),
        (MemoryError(), "internal"),
        (ExceptionGroup("g", [TimeoutError()]), "internal"),
        (Unprintable(), "internal"),
    ],
)
def test_every_exception_has_one_class(error: BaseException, expected: ErrorClass) -> None:
    """DESIGN 4: a declared class, then an HTTP status, then the type; all else is internal."""
    assert classify(error) == expected


def test_the_classes_are_closed() -> None:
    """Retry rules and counts rely on these eleven words."""
    assert len(set(ERROR_CLASSES)) == 11
    with pytest.raises(ValueError, match="expected an error class"):
        TargetError("broken")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (TargetError("rate_limited", retry_after=2), 2.0),
        (TargetError("rate_limited", retry_after=0), 0.0),
        (TargetError("rate_limited"), None),
        (WithStatus(retry_after=1.5), 1.5),
        (WithStatus(retry_after=-1), None),
        (WithStatus(retry_after=float("nan")), None),
        (WithStatus(retry_after=float("inf")), None),
        (WithStatus(retry_after=10**400), None),
        (WithStatus(retry_after="3"), None),
        (WithStatus(retry_after=True), None),
        (Unprintable(), None),
    ],
)
def test_a_wait_is_honoured_only_where_it_is_a_usable_number(
    error: BaseException, expected: float | None
) -> None:
    """A provider's nonsense never makes a trial wait for ever."""
    assert retry_after_of(error) == expected


def test_a_description_is_type_and_message() -> None:
    """No traceback, and nothing behind the type where there is no message."""
    assert describe(ValueError("bad")) == "ValueError: bad"
    assert describe(Canceled()) == "Canceled"


def test_a_description_is_bounded() -> None:
    """A megabyte of error text stays out of the store."""
    assert len(describe(ValueError("x" * 1_000_000))) == 2000


def test_an_exception_that_cannot_be_printed_is_described_all_the_same() -> None:
    """Whatever its `__str__` raises, or gives."""
    assert describe(Unprintable()) == ("Unprintable: (its message cannot be read: SystemExit)")
    assert describe(OddMessage()) == "OddMessage: (its message cannot be read: ValueError)"


def test_a_description_can_be_written_as_utf8() -> None:
    """A lone surrogate in a message does not break the store."""
    assert describe(ValueError("a\ud800b")) == "ValueError: a?b"


def test_an_input_error_says_where() -> None:
    """The whole sentence is the message, the place can be asked for."""
    error = InputError("expected a list", place="cases.json", kind="dataset")
    assert str(error) == "cases.json: expected a list"
    assert (error.place, error.kind) == ("cases.json", "dataset")
    assert str(InputError("expected a list")) == "expected a list"


@pytest.mark.parametrize(
    "error",
    [
        TargetError("rate_limited", "slow down", retry_after=3),
        EvaluatorError("refused", "no"),
        Skip("not here"),
        IncompleteRecording("no spans"),
        NotEvaluated("never"),
        InputError("bad", place="file", kind="flag"),
    ],
)
def test_errors_cross_processes(error: AssayError) -> None:
    """A worker process answers with the error that was raised in it."""
    for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301
        assert type(copied) is type(error)
        assert str(copied) == str(error)
        assert vars(copied) == vars(error)
