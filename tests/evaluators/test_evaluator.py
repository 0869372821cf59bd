"""What an evaluator is, and what is none."""

import asyncio

import pytest
from typing_extensions import override

from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.evaluator import (
    Evaluator,
    Synchronous,
    require_evaluator,
    require_one_report,
)
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report


class Length(Synchronous[str]):
    """Measures a text."""

    @property
    @override
    def descriptor(self) -> Descriptor:
        return Descriptor(name="length", revision="1")

    @override
    def grade(self, subject: str) -> Report:
        if not subject:
            raise StopIteration
        return Report(metric=Metric(name="length"), measurement=len(subject))


class WithoutDescriptor:
    """Evaluates, but nobody knows who it is."""

    async def evaluate(self, subject: object) -> Report:
        """Return nothing useful."""
        raise NotImplementedError(subject)


class WithText(WithoutDescriptor):
    """Describes itself by a text."""

    descriptor = "length"


class WithoutMethod:
    """Knows who it is and does nothing."""

    descriptor = Descriptor(name="n")
    evaluate = None


def test_a_synchronous_evaluator_is_an_evaluator() -> None:
    """One method is enough; awaiting it runs it in a thread."""
    length = Length()
    assert isinstance(length, Evaluator)
    require_evaluator(length, "here")
    assert asyncio.run(length.evaluate("abc")) == length.grade("abc")


def test_a_stop_iteration_of_its_own_arrives_as_an_error() -> None:
    """Python turns it into a RuntimeError at the edge of a coroutine; it is not a result."""
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(Length().evaluate(""))


@pytest.mark.parametrize(
    "value",
    [
        None,
        "graders:tone",
        lambda sample: sample,
        Length,
        object(),
        WithoutDescriptor(),
        WithText(),
        WithoutMethod(),
    ],
)
def test_what_is_no_evaluator_is_refused_by_its_kind(value: object) -> None:
    """Kernel 1.4: null, a class, a function without a descriptor, a descriptor that is none."""
    with pytest.raises(InvalidEvaluatorConfig, match="here: expected an evaluator, got"):
        require_evaluator(value, "here")


def test_an_evaluator_of_several_outputs_has_no_place_where_one_report_is_wanted() -> None:
    """A part of a composite and what a projection wraps give one report."""
    several = evaluator(name="n", revision="1", outputs=("a", "b"))(lambda _: {})
    require_evaluator(several, "here")
    with pytest.raises(InvalidEvaluatorConfig, match="here: expected an evaluator of one report"):
        require_one_report(several, "here")
