"""What is a ranking, what are judgments, and what is neither."""

import asyncio
import pickle
from collections.abc import Callable

import pytest

from assay.evaluators.cancellation import Cancellation, governed_by
from assay.evaluators.case import Case
from assay.evaluators.errors import (
    Canceled,
    IncompleteRecording,
    InvalidEvaluatorConfig,
    Skip,
    classify,
)
from assay.evaluators.execution import Execution
from assay.evaluators.ranking import InvalidSample, JudgedRanking, ndcg, precision
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample

ReportOf = Callable[..., Report]

VALID = {"a": 1}


@pytest.mark.parametrize(
    "expected",
    [
        {"b": 1, "e": 1},
        ["b", "e"],
        [{"identity": "b", "relevance": 1.0}, {"identity": "e", "relevance": 1}],
        {"b": 7, "e": 7, "a": 0, "c": -0.0},
    ],
)
def test_judgments_have_three_forms(report_of: ReportOf, expected: object) -> None:
    """A mapping of grades, a list of what is relevant, the objects of the wire."""
    assert report_of("ndcg", ["a", "b"], expected, cutoff=2).score == pytest.approx(
        0.6309297535714574 / (1 + 0.6309297535714574)
    )


@pytest.mark.parametrize(
    ("output", "expected", "place"),
    [
        (["a"], {}, "relevance above 0"),
        (["a"], [], "relevance above 0"),
        ([" "], VALID, r"ranking\[0\]"),
        (["a", ""], VALID, r"ranking\[1\]"),
        (["a", "a"], VALID, "ranking: expected each identity once"),
        (["a"], {"a": 0, "b": 0.0}, "relevance above 0"),
        (["a"], {"a": -1}, "relevance"),
        (["a"], {"a": float("nan")}, "relevance"),
        (["a"], {"a": float("inf")}, "relevance"),
        (["a"], {"a": 10**400}, "relevance"),
        (["a"], {"a": True}, "relevance"),
        (["a"], ["a", "a"], "judgments: expected each identity once"),
        (["a\ud800"], VALID, r"ranking\[0\]"),
        (["a"], {"a\ud800": 1}, "identity"),
        (["a"], [" a"], "identity"),
        ([1], VALID, "ranking"),
        ("a", VALID, "ranking: expected an output that is a list, got a string"),
        (None, VALID, "ranking: expected an output that is a list, got null"),
        (["a"], "a", "judgments: expected an expected value that is an object or a list"),
        (["a"], [{"id": "a"}], "identity"),
    ],
)
def test_what_no_measure_is_defined_for_is_refused(
    output: object, expected: object, place: str
) -> None:
    """Kernel 11 example 4: an error of its own category, never a score of 0."""
    sample = Sample(Case(id="c", input=1, expected=expected), Execution(output=output))
    with pytest.raises(InvalidSample, match=place) as caught:
        JudgedRanking.of(sample)
    assert classify(caught.value) == "invalid_input"


def test_a_cancelled_caller_gets_no_value() -> None:
    """Kernel 11 example 5: the cancellation is asked for before the sample is looked at."""
    token = Cancellation()
    token.cancel()
    sample = Sample(Case(id="c", input=1, expected={}), Execution(output=[]))
    with governed_by(token), pytest.raises(Canceled):
        ndcg.configured({"cutoff": 1}).grade(sample)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "expected the setting 'cutoff'"),
        ({"cutoff": 0}, "cutoff: expected a value greater than 0"),
        ({"cutoff": 2.5}, "cutoff: expected int, got float"),
        ({"cutoff": 3, "threshold": 2}, "threshold: expected a value less than or equal to 1"),
        ({"cutoff": 3, "threshold": -0.1}, "threshold: expected a value greater than or equal"),
        ({"k": 3}, "expected settings out of cutoff, threshold"),
    ],
)
def test_wrong_settings_are_found_before_anything_runs(
    settings: dict[str, object], message: str
) -> None:
    """Kernel 11 example 5: a missing or impossible cutoff, a threshold that no score reaches."""
    with pytest.raises(InvalidEvaluatorConfig, match=message):
        ndcg.configured(settings).require_settings()


def test_without_judgments_it_does_not_apply_and_without_an_output_nothing_is_known() -> None:
    """DESIGN 3.1: skipped and unverified are no scores."""
    with pytest.raises(Skip):
        precision.configured({"cutoff": 1}).grade(
            Sample(Case(id="c", input=1), Execution(output=[]))
        )
    with pytest.raises(IncompleteRecording):
        precision.configured({"cutoff": 1}).grade(
            Sample(Case(id="c", input=1, expected=VALID), Execution())
        )


def test_a_threshold_changes_the_decision_and_not_the_metric(report_of: ReportOf) -> None:
    """Scores stay comparable when somebody moves the bar."""
    low, high = (report_of("ndcg", ["a"], VALID, cutoff=1, threshold=t) for t in (0.5, 1.0))
    assert low.metric == high.metric
    assert low.rule != high.rule
    other = report_of("ndcg", ["a"], VALID, cutoff=2)
    assert other.metric != low.metric


def test_one_object_serves_concurrent_trials() -> None:
    """Fault B53: a shared measure gives each ranking its own value."""
    shared = ndcg.configured({"cutoff": 50})

    def sample(place: int) -> Sample:
        ranking = [f"n{index}" for index in range(place)] + ["a"]
        return Sample(Case(id="c", input=1, expected=VALID), Execution(output=ranking))

    async def together() -> list[Report]:
        return list(await asyncio.gather(*(shared.evaluate(sample(one)) for one in range(20))))

    alone = [shared.grade(sample(one)) for one in range(20)]
    assert asyncio.run(together()) == alone
    assert len({report.score for report in alone}) == 20


def test_the_error_crosses_a_process() -> None:
    """What a worker process refuses is refused in the same words."""
    error = pickle.loads(pickle.dumps(InvalidSample("ranking: no")))  # noqa: S301 - made here
    assert (str(error), classify(error)) == ("ranking: no", "invalid_input")
