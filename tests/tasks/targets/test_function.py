"""A Python function, method or object as a target."""

import asyncio
import contextvars
import functools
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.evaluators.execution import Execution
from assay.evaluators.target import Target
from assay.tasks.targets import FunctionTarget, HostTarget

REQUEST = contextvars.ContextVar("REQUEST", default="none")


def _shout(text: str) -> str:
    return text.upper()


async def _whisper(text: str) -> str:
    await asyncio.sleep(0)
    return text.lower()


def _weigh(factor: int, text: str) -> int:
    return factor * len(text)


class _Echo:
    def run(self, text: str) -> str:
        return f"run {text}"

    def __call__(self, text: str) -> str:
        return f"call {text}"

    def method(self, text: str) -> str:
        return f"method {text}"


class _Polite:
    async def run(self, text: str) -> Execution:
        return Execution(output=text, reason="no time left", status="budget_exhausted")


class _Callable:
    async def __call__(self, text: str) -> str:
        return f"called {text}"


def _answer(value: object, given: object) -> object:
    execution = asyncio.run(FunctionTarget.of(value).run(given))
    return execution.output


@pytest.mark.parametrize(
    ("target", "output"),
    [
        (_shout, "HI"),
        (_whisper, "hi"),
        (functools.partial(_weigh, 3), 6),
        (functools.partial(_whisper), "hi"),
        (_Echo(), "run Hi"),
        (_Echo().method, "method Hi"),
        (_Polite(), "Hi"),
        (_Callable(), "called Hi"),
        (len, 2),
        (lambda text: _whisper(text[:]), "hi"),
    ],
)
def test_whatever_can_be_called_with_one_input_is_a_target(target: object, output: object) -> None:
    """Nobody should have to wrap what he has; `run` wins, as it is the kernel's word."""
    assert _answer(target, "Hi") == output


def test_a_returned_execution_is_the_receipt() -> None:
    """It must not become the output of another receipt."""
    execution = asyncio.run(FunctionTarget.of(_Polite()).run("x"))
    assert (execution.status, execution.reason) == ("budget_exhausted", "no time left")


def test_none_is_a_candidate_of_null() -> None:
    """A target that returns nothing answered null, which is not the absence of an answer."""
    execution = asyncio.run(FunctionTarget.of(lambda _: None).run("x"))
    assert execution.has_output
    assert execution.output is None


def test_each_call_gets_an_input_of_its_own() -> None:
    """A target that changes its input must not change the next repeat."""
    seen: list[int] = []

    def greedy(items: list[int]) -> None:
        items.append(1)
        seen.append(len(items))

    target = FunctionTarget.of(greedy)
    given = [1]
    for _ in range(3):
        asyncio.run(target.run(given))
    assert (seen, given) == ([2, 2, 2], [1])


@pytest.mark.parametrize("asynchronous", [True, False])
def test_targets_see_the_callers_context_variables(*, asynchronous: bool) -> None:
    """Tracers and loggers find their place by context variables."""

    async def look(_: object) -> str:
        return REQUEST.get()

    def look_now(_: object) -> str:
        return REQUEST.get()

    REQUEST.set("mine")
    assert _answer(look if asynchronous else look_now, None) == "mine"
    REQUEST.set("none")


def test_synchronous_calls_run_at_the_same_time() -> None:
    """They must not queue behind the size of some pool: each meets the others at the barrier."""
    barrier = threading.Barrier(40, timeout=30)
    target = FunctionTarget.of(lambda _: barrier.wait())

    async def all_at_once() -> list[Execution]:
        return await asyncio.gather(*(target.run(None) for _ in range(40)))

    assert sorted(one.output for one in asyncio.run(all_at_once())) == list(range(40))


def test_asynchronous_calls_share_one_loop_across_runs() -> None:
    """A model client that a module made once stays usable in every trial, run and retry."""

    async def loop_id(_: object) -> int:
        await asyncio.sleep(0)
        return id(asyncio.get_running_loop())

    assert _answer(loop_id, 1) == _answer(loop_id, 2)


def test_the_hosts_loop_stays_free_while_a_coroutine_blocks() -> None:
    """`time.sleep` in a coroutine is the commonest mistake, and not the host's to suffer."""

    async def blocking(_: object) -> None:
        time.sleep(0.5)  # noqa: ASYNC251 - the mistake in question

    async def ticks_meanwhile() -> int:
        call = asyncio.create_task(FunctionTarget.of(blocking).run(None))
        ticks = 0
        while not call.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    assert asyncio.run(ticks_meanwhile()) > 3


def _generate(_: object) -> Iterator[int]:
    yield 1


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (_Echo, "got the class _Echo: make an object of it"),
        (7, "a callable object or an object with a method `run`, got int"),
        (_generate, "got a generator function"),
        (lambda: 1, r"takes the input and needs nothing else, got \(\)"),
        (lambda one, two: one + two, r"takes the input and needs nothing else, got \(one, two\)"),
        (lambda *, text: text, r"takes the input and needs nothing else, got \(\*, text\)"),
    ],
)
def test_what_cannot_be_called_is_refused_before_the_run(value: object, message: str) -> None:
    """A run that fails in each of its trials for one reason should not have begun."""
    with pytest.raises(InputError, match=message):
        FunctionTarget.of(value)


def test_its_identity_names_function_and_source() -> None:
    """A resumed run warns when the file is another one."""
    identity = FunctionTarget.of(_shout).identity
    assert identity.kind == "function"
    assert str(identity).endswith(":_shout")
    assert identity.source == FunctionTarget.of(_Echo()).identity.source
    assert identity.source.startswith("sha256:")
    assert FunctionTarget.of(len).identity.source == ""


def test_the_reference_is_the_import_string_where_there_is_one() -> None:
    """What the experiment file says is what the plan keeps."""
    identity = FunctionTarget.of(_shout, reference="bot:shout", revision="7").identity
    assert (identity.reference, identity.revision) == ("bot:shout", "7")


def test_it_is_a_target_for_kernel_and_host() -> None:
    """An experiment in memory and a run on Prefect take the same object."""
    target = FunctionTarget.of(_shout)
    assert isinstance(target, Target)
    assert isinstance(target, HostTarget)
    assert Path(__file__).exists()
