"""A Python function, or an object that can be called or run, as a target."""

import copy
import functools
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from assay.evaluators.canonical import decode
from assay.evaluators.errors import InputError
from assay.evaluators.execution import Execution
from assay.evaluators.outcome import Raised
from assay.tasks.targets.identity import TargetIdentity, digest_files
from assay.tasks.targets.started_call import StartedCall, result_of
from assay.tasks.targets.target_loop import start_on_loop
from assay.tasks.targets.thread_call import start_in_thread

T = TypeVar("T")


class FunctionTarget:
    """Calls a function with the input, and nothing else.

    A coroutine function runs on the targets' own loop, any other function in a daemon thread; both
    see the caller's context variables. Each call gets an input of its own. A returned `Execution`
    is the receipt, anything else is the output: None is a candidate of null.

    Functions that block their loop hold up the other calls of this target that are in progress.
    """

    def __init__(self, function: Callable[[object], object], identity: TargetIdentity) -> None:
        self._function = function
        self._is_async = _is_coroutine_function(function)
        self.identity = identity

    @classmethod
    def of(cls, value: object, *, reference: str = "", revision: str = "") -> "FunctionTarget":
        """The target that a Python object is.

        Args:
            value: A function, a method, a partial, an object with `run`, or a callable object.
            reference: The import string it came from; by default its module and name.
            revision: What its owner declared.

        Raises:
            InputError: for anything that cannot be called with one input and return an output.
        """
        named = reference or _reference(value)
        function = _callable(value, named)
        _require_one_argument(function, named)
        source = digest_files(_source_files(value))
        return cls(function, TargetIdentity("function", named, revision, source))

    def start(self, input_text: str, keep: Callable[[Execution], T]) -> StartedCall[T]:
        """One invocation with the decoded input."""
        return self._start(lambda: decode(input_text), keep)

    async def run(self, input: object) -> Execution:  # noqa: A002 - the kernel's word
        """The receipt of one invocation, with a deep copy of the input where it can be copied."""
        return await result_of(self._start(lambda: _copied(input), lambda execution: execution))

    def _start(
        self, make_input: Callable[[], object], keep: Callable[[Execution], T]
    ) -> StartedCall[T]:
        def receive(answer: object) -> T:
            return keep(answer if isinstance(answer, Execution) else Execution(output=answer))

        if self._is_async:
            return start_on_loop(lambda: _awaited(self._function(make_input())), receive)
        return start_in_thread(lambda call: _resolved(self._function(make_input()), call), receive)


async def _awaited(answer: object) -> object:
    while inspect.isawaitable(answer):
        answer = await answer
    return answer


def _resolved(answer: object, call: StartedCall[T]) -> object:
    """The answer; an awaitable one is awaited on the targets' loop while this thread waits."""
    if not inspect.isawaitable(answer):
        return answer
    pending: Awaitable[object] = answer
    awaiting = start_on_loop(lambda: _awaited(pending), lambda value: value)
    call.on_cancel(awaiting.cancel)
    outcome = awaiting.ended.result().outcome
    if isinstance(outcome, Raised):
        raise outcome.error
    return outcome.value


def _copied(value: object) -> object:
    try:
        return copy.deepcopy(value)
    except Exception:  # noqa: BLE001 - what cannot be copied (a lock, a client) is shared
        return value


def _unwrapped(value: object) -> object:
    while isinstance(value, functools.partial):
        value = value.func
    return value


def _is_coroutine_function(function: object) -> bool:
    inner = _unwrapped(function)
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(
        getattr(inner, "__call__", None)  # noqa: B004 - the method is wanted, not whether it exists
    )


def _callable(value: object, named: str) -> Callable[[object], object]:
    function = _run_of(value) or value
    if isinstance(value, type):
        msg = (
            f"expected a function or an object, got the class {value.__name__}: "
            "make an object of it in that module, and name the object"
        )
    elif not callable(function):
        msg = (
            "expected a function, a callable object or an object with a method `run`, "
            f"got {type(value).__name__}"
        )
    elif _generates(_unwrapped(function)):
        msg = "expected a function that returns its output, got a generator function"
    else:
        called: Callable[[object], object] = function
        return called
    raise InputError(msg, place=f"target {named}", kind="target")


def _run_of(value: object) -> object:
    return None if inspect.isroutine(value) else getattr(value, "run", None)


def _generates(function: object) -> bool:
    return inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)


def _require_one_argument(function: Callable[[object], object], named: str) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # some built-in functions do not tell
    try:
        signature.bind(None)
    except TypeError:
        msg = f"expected a function that takes the input and needs nothing else, got {signature}"
        raise InputError(msg[:200], place=f"target {named}", kind="target") from None


def _reference(value: object) -> str:
    inner = _unwrapped(value)
    named = inner if hasattr(inner, "__qualname__") else type(inner)
    module, name = getattr(named, "__module__", ""), getattr(named, "__qualname__", "")
    return f"{module}:{name}"


def _source_files(value: object) -> list[Path]:
    inner = _unwrapped(value)
    named = inspect.unwrap(inner) if inspect.isfunction(inner) else inner
    if not inspect.isroutine(named):
        named = type(named)
    try:
        file = inspect.getsourcefile(named)
    except TypeError:  # built in
        return []
    return [Path(file)] if file else []
