"""Plain functions as evaluators."""

import asyncio
import functools
import pickle
import threading
from collections.abc import Callable
from contextvars import ContextVar
from typing import Annotated

import pytest
from pydantic import Field

from assay.evaluators.case import Case
from assay.evaluators.descriptor import UNVERSIONED
from assay.evaluators.errors import (
    IncompleteRecording,
    InvalidEvaluatorConfig,
    InvalidReport,
    Skip,
)
from assay.evaluators.evaluator import Evaluator
from assay.evaluators.execution import Execution
from assay.evaluators.function import FunctionEvaluator, evaluator
from assay.evaluators.measured import Measured
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample

SAMPLE = Sample(Case(id="c", input="q", expected="abc"), Execution(output="abcd"))
LANGUAGE: ContextVar[str] = ContextVar("language", default="en")


@evaluator(revision="1")
def short(sample: Sample, *, limit: int = 10) -> bool:
    """Return whether the output is short.

    More words.
    """
    return len(str(sample.output)) <= limit


@evaluator(name="slow_short", revision="1")
async def short_async(sample: Sample, *, limit: int = 10) -> bool:
    """Return the same, on the event loop."""
    await asyncio.sleep(0)
    return len(str(sample.output)) <= limit


@evaluator(revision="1", outputs=("length", "first"))
def parts(sample: Sample) -> dict[str, object]:
    """Return a mapping with two entries."""
    text = str(sample.output)
    return {"length": Measured(len(text)), "first": text[:1] or Skip("empty")}


@evaluator(revision="1", acceptance=("minimum",))
def overlap(sample: Sample, *, fold: bool = True, minimum: float = 0.5) -> bool:
    """Return whether enough letters are shared."""
    one, other = str(sample.output), str(sample.expected)
    if fold:
        one, other = one.casefold(), other.casefold()
    return len(set(one) & set(other)) / len(set(other)) >= minimum


def evaluated(one: Evaluator[Sample], sample: Sample = SAMPLE) -> Report:
    """Return the report of a sample."""
    return asyncio.run(_evaluated(one, sample))


async def _evaluated(one: Evaluator[Sample], sample: Sample) -> Report:
    return await one.evaluate(sample)


def test_a_function_becomes_an_evaluator() -> None:
    """Its name, its first line and its defaults describe it."""
    descriptor = short.descriptor
    assert isinstance(short, Evaluator)
    assert (descriptor.name, descriptor.revision, descriptor.code) == ("short", "1", "")
    assert descriptor.description == "Return whether the output is short."
    assert dict(descriptor.configuration) == {"limit": "10"}
    assert short.__doc__ == short.function.__doc__
    assert short.__name__ == "short"


@pytest.mark.parametrize("one", [short, short_async])
def test_plain_and_coroutine_functions_grade_alike(one: FunctionEvaluator[object]) -> None:
    """The author chooses, nothing else changes."""
    reports = [evaluated(each) for each in (one, one.configured({"limit": 3}))]
    assert [report.verdict for report in reports] == ["pass", "fail"]


def test_a_plain_function_runs_beside_the_loop_with_its_context() -> None:
    """A blocking grader does not stop the loop, and sees the caller's context variables."""
    seen: list[tuple[str, bool]] = []

    @evaluator(revision="1")
    def look(_: Sample) -> bool:
        seen.append((LANGUAGE.get(), threading.current_thread() is threading.main_thread()))
        return True

    async def main() -> None:
        LANGUAGE.set("de")
        await look.evaluate(SAMPLE)

    asyncio.run(main())
    assert seen == [("de", False)]


def test_a_changed_setting_is_another_identity() -> None:
    """And the same setting, however it was given, the same."""
    identities = {
        one.descriptor.identity
        for one in (short, short.configured({}), short.configured({"limit": 10}))
    }
    assert identities == {short.descriptor.identity}
    assert short.configured({"limit": 11}).descriptor.identity not in identities
    assert short.descriptor.configuration["limit"] == "10"


def test_acceptance_settings_decide_and_do_not_measure() -> None:
    """DESIGN 3.1: a changed threshold keeps the metric and changes the rule of the decision."""
    loose, strict = (evaluated(overlap.configured({"minimum": one})) for one in (0.1, 0.9))
    assert loose.metric == strict.metric
    assert dict(loose.metric.parameters) == {"fold": "true"}
    assert loose.rule != strict.rule
    folded = evaluated(overlap.configured({"fold": False}))
    assert folded.metric != loose.metric


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"limits": 3}, "short: expected settings out of limit, got 'limits'"),
        ({"limit": "3"}, "short: limit: expected int, got str"),
        ({"limit": 3.5}, "short: limit: expected int, got float"),
        ({"limit": True}, "short: limit: expected int, got bool"),
        ({"limit": None}, "short: limit: expected int, got NoneType"),
        ({"limit": object()}, "short: expected settings that JSON can hold: 'limit'"),
        ({"limit": float("nan")}, "short: expected settings that JSON can hold: 'limit'"),
    ],
)
def test_a_wrong_setting_is_named_with_what_was_expected(
    settings: dict[str, object], message: str
) -> None:
    """Before any model is paid."""
    with pytest.raises(InvalidEvaluatorConfig, match=message):
        short.configured(settings)


def test_a_setting_without_a_default_has_to_be_given() -> None:
    """The evaluator can be declared without it, and is asked before it is used."""

    @evaluator(revision="1")
    def contains(sample: Sample, *, word: str) -> bool:
        return word in str(sample.output)

    with pytest.raises(InvalidEvaluatorConfig, match="expected the setting 'word'"):
        contains.require_settings()
    ready = contains.configured({"word": "bc"})
    ready.require_settings()
    assert evaluated(ready).verdict == "pass"


def test_settings_arrive_in_their_annotated_types() -> None:
    """JSON knows no tuple and no set; the annotation says what the function wants."""
    seen: list[object] = []

    @evaluator(revision="1")
    def look(
        _: Sample, *, words: tuple[str, ...] = (), share: float = 0.5, kinds: frozenset[str]
    ) -> bool:
        seen.extend((words, share, kinds))
        return True

    evaluated(look.configured({"words": ["a", "b"], "share": 1, "kinds": ["x"]}))
    assert seen == [("a", "b"), 1.0, frozenset("x")]
    assert isinstance(seen[1], float)


def test_a_default_stays_what_the_function_declares() -> None:
    """It is not sent through JSON and back, whatever its annotation says."""
    seen: list[object] = []

    @evaluator(revision="1")
    def look(
        _: Sample,
        *,
        pair=(1, 2.0),  # noqa: ANN001 - a setting without annotation
        words: list[str] = None,  # type: ignore[assignment]  # noqa: RUF013 - a common slip
    ) -> bool:
        seen.extend((pair, words))
        return True

    evaluated(look)
    assert seen == [(1, 2.0), None]
    assert isinstance(seen[0], tuple)


def test_an_annotation_that_cannot_be_resolved_checks_nothing() -> None:
    """A name that exists for type checkers only must not forbid the function."""

    @evaluator(revision="1")
    def look(_: "Nowhere", *, word: str = "a") -> bool:  # type: ignore[name-defined]  # noqa: F821
        return word == "b"

    assert evaluated(look.configured({"word": "b"})).verdict == "pass"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        pytest.param(lambda: True, "first parameter is the sample", id="no parameter"),
        pytest.param(lambda *, sample: sample, "first parameter is the sample", id="keyword"),
        pytest.param(lambda *samples: samples, "first parameter is the sample", id="all"),
        pytest.param(lambda sample, *, k=b"": (sample, k), "that JSON can hold", id="default"),
    ],
)
def test_a_function_that_cannot_take_a_sample_is_refused(
    function: Callable[..., object], message: str
) -> None:
    """At decoration, with what was expected."""
    with pytest.raises(InvalidEvaluatorConfig, match=message):
        evaluator(name="n", revision="1")(function)


def test_wrong_options_are_refused_at_decoration() -> None:
    """Each names itself."""
    for options, message in (
        ({"acceptance": ("minimum",)}, "acceptance: expected settings of it, got 'minimum'"),
        ({"outputs": ("a", "a")}, "outputs: expected each name once"),
        ({"outputs": ("a ",)}, "outputs: metric.name"),
        ({"outputs": ("a/b",)}, "outputs: metric.name"),
        ({"isolation": "prison"}, "isolation: expected thread or process"),
        ({"requires": ("wombat",)}, "requires"),
        ({"name": "a/b"}, "descriptor.name"),
    ):
        with pytest.raises(InvalidEvaluatorConfig, match=message):
            evaluator(revision="1", **options)(lambda sample: sample)  # type: ignore[arg-type]


def test_declared_outputs_are_one_answer_each() -> None:
    """A mapping with exactly the declared keys; an entry may be a Skip of its own."""
    answers = parts.grade_outputs(SAMPLE)
    assert list(answers) == ["length", "first"]
    length, first = answers["length"], answers["first"]
    assert isinstance(length, Report)
    assert (length.measurement, str(length.metric)) == (4.0, "parts.length")
    assert isinstance(first, Report)
    assert first.label == "a"
    empty = parts.grade_outputs(Sample(SAMPLE.case, Execution(output="")))
    assert isinstance(empty["first"], Skip)
    assert isinstance(empty["length"], Report)


@pytest.mark.parametrize("value", [{}, {"length": 1}, {"length": 1, "first": 1, "x": 1}, 1, None])
def test_other_keys_than_the_declared_are_a_failure(value: object) -> None:
    """A missing grade is not quietly left out."""
    one = evaluator(name="n", revision="1", outputs=("length", "first"))(lambda _: value)
    with pytest.raises(InvalidReport, match="exactly the keys length, first"):
        one.grade_outputs(SAMPLE)


def test_one_bad_entry_does_not_spoil_the_others() -> None:
    """Each output is an assessment of its own."""
    one = evaluator(name="n", revision="1", outputs=("a", "b"))(lambda _: {"a": None, "b": 0.5})
    answers = one.grade_outputs(SAMPLE)
    assert isinstance(answers["a"], InvalidReport)
    assert isinstance(answers["b"], Report)


def test_an_evaluator_of_several_outputs_has_no_single_report() -> None:
    """It says so, instead of failing with something unintelligible."""
    with pytest.raises(InvalidReport, match="an evaluator of length, first"):
        parts.grade(SAMPLE)
    with pytest.raises(InvalidReport, match="an evaluator of length, first"):
        evaluated(parts)


@pytest.mark.parametrize("output", [None, "", 0, False])
def test_an_evaluator_sees_null_and_empty_outputs_as_they_are(output: object) -> None:
    """Only an absent one is missing evidence."""
    one = evaluator(name="n", revision="1")(lambda sample: sample.output == output)
    assert evaluated(one, Sample(SAMPLE.case, Execution(output=output))).verdict == "pass"
    with pytest.raises(IncompleteRecording):
        evaluated(one, Sample(SAMPLE.case, Execution()))


class Grader:
    """A callable object with a coroutine method."""

    def __init__(self, *, answer: bool) -> None:
        self.answer = answer

    async def __call__(self, sample: Sample, *, limit: int = 3) -> bool:
        """Return the answer."""
        await asyncio.sleep(0)
        return self.answer and len(str(sample.output)) > limit


def test_callable_objects_partials_and_methods_are_functions_too() -> None:
    """Whatever can be called with a sample."""

    def longer(than: int, sample: Sample) -> bool:
        return len(str(sample.output)) > than

    for function in (Grader(answer=True), Grader(answer=True).__call__):
        one = evaluator(name="n", revision="1")(function)
        assert one.is_async
        assert evaluated(one).verdict == "pass"
    partial = evaluator(name="n", revision="1")(functools.partial(longer, 3))
    assert not partial.is_async
    assert evaluated(partial).verdict == "pass"


def test_a_decorated_function_travels_to_another_process() -> None:
    """DESIGN 4: by its name and settings, since pickle cannot carry the function behind it."""
    for one in (short, short_async, parts, short.configured({"limit": 3})):
        there = pickle.loads(pickle.dumps(one))  # noqa: S301
        assert there.descriptor == one.descriptor
        assert there.function is one.function


def test_a_function_without_revision_stands_for_its_source() -> None:
    """An edited function never silently reuses grades."""
    one = evaluator()(lambda sample: sample)
    assert one.descriptor.revision == UNVERSIONED
    assert one.descriptor.code.startswith("sha256:")
    assert one.descriptor.reusable


def test_calling_the_evaluator_calls_the_function() -> None:
    """With its settings, and without turning the answer into a report."""
    assert short(SAMPLE) is True
    assert short.configured({"limit": 1})(SAMPLE) is False


def test_a_setting_may_declare_its_bounds() -> None:
    """A cutoff of 0 is refused before anything runs, in words that a user understands."""

    @evaluator(revision="1")
    def cut(sample: Sample, *, cutoff: Annotated[int, Field(gt=0)]) -> bool:
        return len(str(sample.output)) <= cutoff

    with pytest.raises(InvalidEvaluatorConfig, match="cutoff: expected a value greater than 0"):
        cut.configured({"cutoff": 0})
    with pytest.raises(InvalidEvaluatorConfig, match="cutoff: expected int, got str"):
        cut.configured({"cutoff": "many"})
