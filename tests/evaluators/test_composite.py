"""Several evaluators as one."""

import asyncio
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assess import assess
from assay.evaluators.assessment import Assessment
from assay.evaluators.cancellation import Cancellation, current_cancellation, governed_by
from assay.evaluators.composite import Component, Composite, evaluate_all
from assay.evaluators.decision import Decided, Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import (
    AssayError,
    Canceled,
    ComponentFailed,
    EvaluatorError,
    InvalidEvaluatorConfig,
    InvalidReport,
    Skip,
    is_a,
)
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.score import Score

SUBJECT = "subject"


class Fixed:
    """An evaluator that always says the same, or raises."""

    def __init__(self, answer: Report | BaseException, name: str = "fixed") -> None:
        self.descriptor = Descriptor(name=name, revision="1")
        self.answer = answer
        self.calls = 0

    async def evaluate(self, subject: object) -> Report:  # noqa: ARG002 - what it says is fixed
        """Return the report, or raise the error."""
        self.calls += 1
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def graded(
    score: float | None = None,
    verdict: Decided | None = None,
    feedback: str = "",
    name: str = "part",
) -> Report:
    """Return a report of a part."""
    decision = None if verdict is None else Decision(policy="p", verdict=verdict)
    measurement = 1.0 if score is None and verdict is None else None
    return Report(
        metric=Metric(name=name),
        score=None if score is None else Score(score),
        decision=decision,
        feedback=feedback,
        measurement=measurement,
    )


def composed(composite: Composite[object]) -> Report:
    """Return the composite's report."""
    return asyncio.run(composite.evaluate(SUBJECT))


def weighted(scores: list[float], weights: list[float]) -> float:
    """Return the score that a composite makes of its parts' scores."""
    parts = [
        Component[object](Fixed(graded(score)), weight)
        for score, weight in zip(scores, weights, strict=True)
    ]
    score = composed(Composite(parts)).score
    assert score is not None
    return score


PART = Fixed(graded(1, "pass"))


# --- all evaluators on one subject -----------------------------------------------------------


@pytest.mark.parametrize("limit", [-1, 0, 1, 99])
def test_any_limit_runs_every_evaluator(limit: int) -> None:
    """Kernel 4.3: it is normalised to 1 up to the number of evaluators; none at all is fine."""
    one = Fixed(graded(1))
    assert asyncio.run(evaluate_all([one], SUBJECT, limit)) == (one.answer,)
    assert asyncio.run(evaluate_all([], SUBJECT, limit)) == ()


def test_a_component_may_name_what_it_looks_at() -> None:
    """`Component[Sample](...)` is how a typed caller writes it."""
    assert Component[object](PART) == Component(PART)


def test_two_evaluators_are_in_flight_together() -> None:
    """Kernel 4.3, and kernel 4.4 example 7: a concurrency of 2 is one."""
    meeting = asyncio.Barrier(2)

    class Meets(Fixed):
        async def evaluate(self, subject: object) -> Report:
            await asyncio.wait_for(meeting.wait(), 5)
            return await super().evaluate(subject)

    parts = [Component[object](Meets(graded(0.5))) for _ in range(2)]
    assert composed(Composite(parts, max_concurrency=2)).score == 0.5


def test_an_invalid_report_is_the_error_of_its_evaluator() -> None:
    """Kernel 4.3: labelled with the index, and still an invalid report."""
    bad = Fixed("no report")  # type: ignore[arg-type]
    with pytest.raises(ComponentFailed, match=r"components\[1\]") as caught:
        asyncio.run(evaluate_all([Fixed(graded(1)), bad], SUBJECT, 1))
    assert is_a(caught.value, InvalidReport)


def test_the_first_failure_in_time_is_the_error() -> None:
    """Kernel 4.3: it cancels the others, and those that have not started are not called."""
    told: list[bool] = []

    class Slow(Fixed):
        async def evaluate(self, subject: object) -> Report:
            token = current_cancellation()
            while not token.canceled:  # noqa: ASYNC110 - a token is asked, it wakes nobody
                await asyncio.sleep(0)
            told.append(True)
            return await super().evaluate(subject)

    late = Fixed(graded(1))
    parts = [Slow(ValueError("second in time")), Fixed(OSError("first in time")), late]
    with pytest.raises(ComponentFailed, match=r"components\[1\]: OSError: first in time") as caught:
        asyncio.run(evaluate_all(parts, SUBJECT, 2))
    assert is_a(caught.value, OSError)
    assert not is_a(caught.value, ValueError)
    assert (told, late.calls) == ([True], 0)


def test_the_callers_cancellation_is_not_set_by_a_failure() -> None:
    """The group's token is derived: it ends with its parent, its parent not with it."""
    token = Cancellation()
    with governed_by(token), pytest.raises(ComponentFailed):
        asyncio.run(evaluate_all([Fixed(OSError())], SUBJECT, 1))
    assert not token.canceled


def test_a_part_that_cancels_its_own_task_harms_only_itself() -> None:
    """The others are awaited to their end, and the composite fails as any other."""

    class Suicidal(Fixed):
        async def evaluate(self, subject: object) -> Report:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
            await asyncio.sleep(0)
            return await super().evaluate(subject)

    other = Fixed(graded(1))
    with pytest.raises(ComponentFailed, match="CancelledError") as caught:
        asyncio.run(evaluate_all([Suicidal(graded(1)), other], SUBJECT, 2))
    assert is_a(caught.value, asyncio.CancelledError)
    assert other.calls == 1


# --- score, verdict, feedback, details -------------------------------------------------------


def test_weights_verdict_feedback_and_details_come_together() -> None:
    """Kernel 4.4 example 1: (3 x 1 + 1 x 0.5) / 4 = 0.875."""
    good, weak = graded(1, "pass", "good"), graded(0.5, "fail", "weak")
    composite = Composite(
        [Component[object](Fixed(good), 3, required=True), Component[object](Fixed(weak), 1)],
        policy="at_least",
        minimum=1,
    )
    report = composed(composite)
    assert (report.verdict, report.score, report.feedback) == ("pass", 0.875, "good\n\nweak")
    assert (str(report.metric), report.details) == ("composite", (good, weak))
    assert (report.measurement, dict(report.metadata)) == (None, {})
    assert report.decision is not None
    assert dict(report.decision.parameters) == {
        "configuration": '{"components":[{"required":true},{}],"minimum_passed":1,'
        '"pass_policy":"at_least"}'
    }


@pytest.mark.parametrize("score", [0.5, 1.0, 0.1, 0.0])
@pytest.mark.parametrize("weight", [1, sys.float_info.max, 5e-324, 0, -0.0])
def test_extreme_weights_are_exact(score: float, weight: float) -> None:
    """Kernel 4.4 example 2 and 1.4c: no overflow, no underflow, and a weight of 0 means 1."""
    assert weighted([score, score], [weight, weight]) == score


def test_a_weight_of_zero_means_one() -> None:
    """Kernel 4.4: it cannot express that a part is to be ignored."""
    assert weighted([1, 0], [0, 1]) == weighted([1, 0], [-0.0, 1]) == 0.5


def test_the_policy_is_no_part_of_the_metric() -> None:
    """Kernel 4.4 example 3: a score-only child, then thresholds 0.5 and 0.8 under `all`."""
    score = Score(0.6)
    alone = composed(Composite([Component[object](Fixed(graded(0.6)))]))
    loose, strict = (
        composed(
            Composite(
                [
                    Component[object](
                        Fixed(
                            Report(
                                metric=Metric(name="part"),
                                score=score,
                                decision=score.decide(threshold),
                            )
                        )
                    )
                ],
                policy="all",
            )
        )
        for threshold in (0.5, 0.8)
    )
    assert (alone.score, alone.decision) == (0.6, None)
    assert (loose.verdict, strict.verdict) == ("pass", "fail")
    assert alone.metric == loose.metric == strict.metric
    assert loose.decision is not None
    assert strict.decision is not None
    assert loose.decision.identity == strict.decision.identity
    assert loose.rule != strict.rule


@pytest.mark.parametrize(
    ("report", "policy", "message"),
    [
        pytest.param(
            graded(0.5), "all", "expected a decision", id="kernel 4.4 example 4, undecided"
        ),
        pytest.param(graded(), "", "expected a score", id="kernel 4.4 example 4, measurement"),
        pytest.param(graded(None, "pass"), "all", "expected a score", id="decision alone"),
    ],
)
def test_every_part_has_a_score_and_where_there_is_a_policy_a_decision(
    report: Report, policy: str, message: str
) -> None:
    """Kernel 4.4 example 4: or the composite has no report, and says which part it was."""
    composite = Composite(
        [Component[object](Fixed(graded(1, "pass"))), Component[object](Fixed(report))],
        policy=policy,  # type: ignore[arg-type]
    )
    with pytest.raises(InvalidReport, match=rf"components\[1\]: {message}"):
        composed(composite)


@pytest.mark.parametrize(
    ("component", "options"),
    [
        pytest.param({"required": True}, {}, id="kernel 4.4 example 5, required without policy"),
        pytest.param({"weight": -1}, {}, id="kernel 4.4 example 5, weight -1"),
        pytest.param({"weight": math.nan}, {}, id="kernel 4.4 example 5, NaN"),
        pytest.param({"weight": math.inf}, {}, id="kernel 4.4 example 5, Inf"),
        pytest.param({}, {"policy": "unsupported"}, id="kernel 4.4 example 5, policy"),
        pytest.param({}, {"policy": "at_least"}, id="kernel 4.4 example 5, at_least 0"),
        pytest.param({}, {"policy": "all", "minimum": 1}, id="kernel 4.4 example 5, all with 1"),
        pytest.param({}, {"policy": "any", "minimum": 1}, id="kernel 4.4 example 5, any with 1"),
        pytest.param({}, {"max_concurrency": -1}, id="kernel 4.4 example 5, concurrency"),
        pytest.param({}, {"policy": "at_least", "minimum": 2}, id="more than there are"),
        pytest.param({}, {"minimum": 1}, id="minimum without policy"),
        pytest.param({"weight": "1"}, {}, id="text as weight"),
        pytest.param({"weight": True}, {}, id="boolean as weight"),
        pytest.param({"weight": 10**400}, {}, id="weight that no float holds"),
        pytest.param({"evaluator": None}, {}, id="no evaluator"),
        pytest.param(
            {"evaluator": evaluator(name="n", revision="1", outputs=("a",))(lambda _: {})},
            {},
            id="several outputs",
        ),
    ],
)
def test_a_broken_rule_is_found_at_construction(
    component: dict[str, object], options: dict[str, object]
) -> None:
    """Kernel 4.4 example 5: and nothing was evaluated."""
    part = Component[object](**{"evaluator": PART, **component})  # type: ignore[arg-type]
    with pytest.raises(InvalidEvaluatorConfig, match=r"components|policy|minimum|max_conc"):
        Composite([part], **options)  # type: ignore[arg-type]
    assert PART.calls == 0


def test_a_composite_has_a_part() -> None:
    """Kernel 4.4 example 5: a mean over nothing is no number."""
    with pytest.raises(InvalidEvaluatorConfig, match="at least one"):
        Composite([])


def test_the_error_of_a_part_is_in_the_composites_error() -> None:
    """Kernel 4.4 example 6: and the caller's list is not the composite's."""
    parts = [Component[object](Fixed(OSError("disk")))]
    composite = Composite(parts)
    parts.clear()
    with pytest.raises(ComponentFailed, match="disk") as caught:
        composed(composite)
    assert is_a(caught.value, OSError)


@pytest.mark.parametrize(
    ("policy", "minimum", "verdicts", "required", "expected"),
    [
        ("all", 0, "pp", "", "pass"),
        ("all", 0, "pf", "", "fail"),
        ("any", 0, "pf", "", "pass"),
        ("any", 0, "ff", "", "fail"),
        ("at_least", 2, "ppf", "", "pass"),
        ("at_least", 2, "pff", "", "fail"),
        ("at_least", 1, "pff", "0", "pass"),
        ("at_least", 1, "pff", "1", "fail"),
        ("any", 0, "pf", "1", "fail"),
        ("any", 0, "ppf", "01", "pass"),
    ],
)
def test_the_policy_table(
    policy: str, minimum: int, verdicts: str, required: str, expected: str
) -> None:
    """Kernel 4.4: minimum of the policy, and every required part has to pass."""
    words: dict[str, Decided] = {"p": "pass", "f": "fail"}
    parts = [
        Component[object](Fixed(graded(0.5, words[verdict])), required=str(index) in required)
        for index, verdict in enumerate(verdicts)
    ]
    composite = Composite(parts, policy=policy, minimum=minimum)  # type: ignore[arg-type]
    report = composed(composite)
    assert report.verdict == expected
    assert report.decision is not None
    effective = {"all": len(parts), "any": 1, "at_least": minimum}[policy]
    assert f'"minimum_passed":{effective}' in report.decision.parameters["configuration"]


def test_a_report_too_deep_to_be_a_part_is_the_composites_failure() -> None:
    """Kernel 4.4: children at depth 64 leave no room for their parent."""
    report = graded(1)
    for _ in range(63):
        report = Report(metric=Metric(name="m"), score=Score(1), details=(report,))
    with pytest.raises(InvalidReport, match="64 levels"):
        composed(Composite([Component[object](Fixed(report))]))


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, sys.float_info.max)), min_size=1, max_size=6)
)
def test_the_score_lies_between_those_of_the_parts(parts: list[tuple[float, float]]) -> None:
    """Whatever the weights: not even rounding takes it outside."""
    scores = [score for score, _ in parts]
    score = weighted(scores, [weight for _, weight in parts])
    assert min(scores) <= score <= max(scores)


@given(
    st.floats(0, 1),
    st.lists(st.floats(0, sys.float_info.max), min_size=1, max_size=6),
)
def test_equal_scores_stay_equal(score: float, weights: list[float]) -> None:
    """A mean of equal values is that value, bit by bit."""
    assert weighted([score] * len(weights), weights) == score


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.5, 8)), min_size=1, max_size=5),
    st.integers(-1020, 1000),
)
def test_only_proportions_of_weights_matter(
    parts: list[tuple[float, float]], exponent: int
) -> None:
    """Weights scaled by a power of two give the same score, bit by bit."""
    scores, weights = [score for score, _ in parts], [weight for _, weight in parts]
    scaled = [math.ldexp(weight, exponent) for weight in weights]
    assert weighted(scores, scaled) == weighted(scores, weights)


def test_a_weight_that_is_lost_beside_another_contributes_nothing() -> None:
    """Kernel 4.4: the smallest beside the greatest float."""
    assert weighted([0, 1], [5e-324, sys.float_info.max]) == 1


# --- identity, and what becomes of a composite in a suite --------------------------------------


def test_parts_weights_policy_and_minimum_are_identity() -> None:
    """A grade of the one composite is never taken for a grade of the other."""
    one, other = Fixed(graded(1, "pass")), Fixed(graded(1, "pass"), name="other")
    composites = [
        Composite([Component[object](one), Component[object](other)]),
        Composite([Component[object](other), Component[object](one)]),
        Composite([Component[object](one, 2), Component[object](other)]),
        Composite([Component[object](one), Component[object](other)], policy="all"),
        Composite([Component[object](one, required=True), Component[object](other)], policy="all"),
        Composite([Component[object](one), Component[object](other)], policy="at_least", minimum=1),
    ]
    assert len({one.descriptor.identity for one in composites}) == len(composites)
    again = Composite([Component[object](one, 0), Component[object](other)], max_concurrency=1)
    assert again.descriptor.identity == composites[0].descriptor.identity


def test_a_composite_requires_what_its_parts_require() -> None:
    """Missing evidence is noticed before any part is called."""
    first = evaluator(name="a", revision="1", requires=("usage", "output"))(lambda _: 0.5)
    second = evaluator(name="b", revision="1", requires=("output", "spans"))(lambda _: 0.5)
    composite = Composite([Component(first), Component(second)])
    assert composite.descriptor.requires == ("usage", "output", "spans")


def test_a_composite_needs_a_process_where_a_part_does() -> None:
    """One part that holds the interpreter holds the whole."""
    isolated = evaluator(name="n", revision="1", isolation="process")(lambda _: 0.5)
    assert Composite([Component(isolated), Component[object](PART)]).isolation == "process"
    assert Composite([Component[object](PART)]).isolation == "thread"


def test_a_composite_of_a_part_that_is_not_reusable_is_not_reusable() -> None:
    """Nobody could tell whether the whole has changed."""
    unknown = evaluator(name="a")(len)
    assert not Composite([Component(unknown)]).descriptor.reusable
    assert Composite([Component[object](PART)]).descriptor.reusable


@pytest.mark.parametrize(
    ("error", "status", "error_class"),
    [
        (Skip("no reference"), "skipped", None),
        (TimeoutError(), "failed", "timeout"),
        (EvaluatorError("refused"), "failed", "refused"),
        (asyncio.CancelledError(), "failed", "canceled"),
    ],
)
def test_a_failing_part_decides_what_becomes_of_the_assessment(
    error: BaseException, status: str, error_class: str | None
) -> None:
    """The class of the part's own error is the class of the composite's."""
    assessment = Assessment("all", Composite([Component[object](Fixed(error))]))
    (result,) = asyncio.run(assess(assessment, SUBJECT, Cancellation()))
    assert (result.status, result.error_class) == (status, error_class)


def test_a_composite_that_is_cancelled_from_outside_is_cancelled() -> None:
    """It is not failed, though its error came wrapped in a part's."""
    token = Cancellation()

    class Cancels(Fixed):
        async def evaluate(self, subject: object) -> Report:
            token.cancel()
            current_cancellation().raise_if_canceled()
            return await super().evaluate(subject)

    assessment = Assessment("all", Composite([Component[object](Cancels(graded(1)))]))
    (result,) = asyncio.run(assess(assessment, SUBJECT, token))
    assert result.status == "canceled"
    assert is_a(result.error, Canceled)
    assert is_a(result.error, AssayError)
