"""Evaluators that look at a part of the subject."""

import asyncio
from collections.abc import Callable

import pytest

from assay.evaluators.cancellation import Cancellation, governed_by
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import (
    Canceled,
    EvaluatorError,
    IncompleteRecording,
    InvalidEvaluatorConfig,
    Skip,
    is_a,
)
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.projection import Projection
from assay.evaluators.report import Report


class Length:
    """Measures a text, and counts its calls."""

    def __init__(self, **configuration: object) -> None:
        self.descriptor = Descriptor(
            name="length",
            revision="1",
            requires=("output",),
            configuration=OpenMap.of(configuration),
        )
        self.calls = 0

    async def evaluate(self, subject: str) -> Report:
        """Return the length."""
        self.calls += 1
        return Report(metric=Metric(name="length"), measurement=len(subject))


def test_the_inner_report_comes_back_unchanged() -> None:
    """Kernel 4.2: a projection of n to n times "x"."""
    length = Length()
    projected = Projection(length, lambda n: "x" * n, name="repeated")
    assert asyncio.run(projected.evaluate(3)) == asyncio.run(length.evaluate("xxx"))


def test_a_failing_projection_keeps_its_error() -> None:
    """Kernel 4.2: wrapped with what was being done, and the inner evaluator is not called."""
    length = Length()

    def fail(_: int) -> str:
        raise ConnectionError("gone")

    with pytest.raises(EvaluatorError, match="project subject: ConnectionError: gone") as caught:
        asyncio.run(Projection(length, fail, name="failing").evaluate(3))
    assert is_a(caught.value, ConnectionError)
    assert caught.value.error_class == "unavailable"
    assert length.calls == 0


@pytest.mark.parametrize("error", [Skip("no such part"), IncompleteRecording("no such part")])
def test_a_missing_part_says_so_itself(error: Exception) -> None:
    """What does not apply is skipped and what was not recorded unverified, neither failed."""

    def fail(_: int) -> str:
        raise error

    with pytest.raises(type(error), match="no such part"):
        asyncio.run(Projection(Length(), fail, name="failing").evaluate(3))


def test_a_cancelled_projection_calls_nothing() -> None:
    """Kernel 4.2: neither the projection nor the evaluator."""
    length, calls, token = Length(), [], Cancellation()
    token.cancel()
    projected = Projection(length, calls.append, name="counted")
    with governed_by(token), pytest.raises(Canceled):
        asyncio.run(projected.evaluate(3))
    assert (calls, length.calls) == ([], 0)


@pytest.mark.parametrize(
    ("inner", "project", "name"),
    [
        pytest.param(None, str, "n", id="kernel 4.2: no evaluator"),
        pytest.param(Length(), None, "n", id="kernel 4.2: no projection"),
        pytest.param(Length(), "output", "n", id="projection that cannot be called"),
        pytest.param(Length(), str, "", id="no name"),
        pytest.param(
            evaluator(name="n", revision="1", outputs=("a",))(lambda _: {}), str, "n", id="outputs"
        ),
    ],
)
def test_both_parts_and_a_name_are_needed(inner: Length, project: object, name: str) -> None:
    """Kernel 4.2: found at construction."""
    with pytest.raises(InvalidEvaluatorConfig):
        Projection(inner, project, name=name)  # type: ignore[arg-type]


def test_the_identity_is_that_of_both_parts() -> None:
    """And no setting of the inner evaluator can pass for a projection."""
    project: Callable[[object], str] = str
    inner = Length(select="input")
    identities = {
        Projection(Length(), project, name="input").descriptor.identity,
        Projection(Length(), project, name="expected").descriptor.identity,
        Projection(Length(word="a"), project, name="input").descriptor.identity,
        Length().descriptor.identity,
        inner.descriptor.identity,
        Projection(inner, project, name="input").descriptor.identity,
    }
    assert len(identities) == 6
    same = Projection(Length(), project, name="input").descriptor
    assert same.identity in identities
    assert same.requires == ("output",)


def test_what_needs_a_process_needs_it_behind_a_projection_too() -> None:
    """Or a pattern that never ends would hold the interpreter after all."""
    isolated = evaluator(name="n", revision="1", isolation="process")(lambda _: True)
    assert Projection(isolated, str, name="a").isolation == "process"
    assert Projection(Length(), str, name="a").isolation == "thread"


def test_an_unversioned_evaluator_stays_unversioned_behind_a_projection() -> None:
    """Its source goes on standing for it."""
    inner = evaluator()(lambda sample: sample == "a")
    outer = Projection(inner, str, name="a").descriptor
    assert outer.reusable
    assert outer.code != inner.descriptor.code
    assert outer.code != Projection(inner, str, name="b").descriptor.code
