"""The five measures of a ranking: known values, laws, edges."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.ranking import (
    average_precision_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank_at_k,
)
from assay.evaluators.report import Report

ReportOf = Callable[..., Report]

FORMULAS = {
    "precision": precision_at_k,
    "recall": recall_at_k,
    "reciprocal_rank": reciprocal_rank_at_k,
    "average_precision": average_precision_at_k,
    "ndcg": ndcg_at_k,
}
RANKING = ["a", "b", "c", "d"]
GRADES = {"b": 3, "d": 1, "e": 2}
KNOWN = {
    "precision": 0.5,
    "recall": 2 / 3,
    "reciprocal_rank": 0.5,
    "average_precision": 1 / 3,
    "ndcg": (3 / math.log2(3) + 1 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2),
}
ITEMS = "abcdefghij"


@st.composite
def judged(draw: st.DrawFn) -> tuple[list[str], dict[str, float], int]:
    """A ranking, grades with at least one above 0, and a cutoff."""
    ranking = draw(st.lists(st.sampled_from(ITEMS), unique=True))
    grades = draw(st.dictionaries(st.sampled_from(ITEMS + "xyz"), st.floats(0, 1e300)))
    return ranking, {**grades, draw(st.sampled_from(ITEMS)): 2.5}, draw(st.integers(1, 12))


every_measure = pytest.mark.parametrize("measure", FORMULAS)


@every_measure
def test_the_value_is_the_one_derived_by_hand(report_of: ReportOf, measure: str) -> None:
    """Kernel 11 example 1: e is judged but not ranked, and only recall reaches 0.6."""
    report = report_of(measure, RANKING, GRADES, cutoff=4, threshold=0.6)
    assert report.score == pytest.approx(KNOWN[measure], abs=1e-15)
    assert report.verdict == ("pass" if measure == "recall" else "fail")


def test_precision_divides_by_the_cutoff_and_decides_nothing_alone(report_of: ReportOf) -> None:
    """Kernel 11 example 2."""
    report = report_of("precision", ["relevant"], ["relevant"], cutoff=4)
    assert (report.score, report.verdict) == (0.25, "")
    assert str(report.metric) == "ranking/precision"
    assert report.metric.parameters.decoded() == {"cutoff": 4}


@pytest.mark.parametrize("grade", [1, sys.float_info.max, 5e-324])
def test_ndcg_depends_on_ratios_of_grades_alone(report_of: ReportOf, grade: float) -> None:
    """Kernel 11 example 3: also for the greatest and the smallest float."""
    perfect = report_of("ndcg", ["a", "b"], {"a": grade, "b": grade}, cutoff=2)
    second = report_of("ndcg", ["missing", "a"], {"a": grade}, cutoff=2)
    assert perfect.score == 1
    assert second.score == pytest.approx(0.6309297535714574, abs=1e-15)


@pytest.mark.parametrize(
    ("grades", "k", "value"),
    [
        # Own ideal order, and the ideal of items that were not ranked.
        ([3, 2, 3, 0, 1, 2], 6, 0.9608081943),
        ([3, 2, 3, 0, 1, 2, 3, 2], 6, 0.7850023720),
    ],
)
def test_ndcg_is_that_of_the_textbook_example(grades: list[float], k: int, value: float) -> None:
    """Reference values 2, linear gain; the second with the ideal 3,3,3,2,2,2."""
    judgments = {str(place): grade for place, grade in enumerate(grades)}
    assert ndcg_at_k([str(place) for place in range(6)], judgments, k) == pytest.approx(value)


@every_measure
def test_an_empty_ranking_scores_nothing(report_of: ReportOf, measure: str) -> None:
    """An answer with no item is an answer, and the worst one."""
    assert report_of(measure, [], GRADES, cutoff=3, threshold=0.1).verdict == "fail"


@every_measure
@settings(max_examples=40)
@given(judged())
def test_every_measure_lies_between_0_and_1(
    measure: str, case: tuple[list[str], dict[str, float], int]
) -> None:
    """A score outside would be refused; rounding must not carry it there."""
    assert 0 <= FORMULAS[measure](*case) <= 1


@pytest.mark.parametrize("measure", ["reciprocal_rank", "average_precision", "ndcg"])
@settings(max_examples=40)
@given(judged())
def test_the_ideal_order_scores_1_at_every_cutoff(
    measure: str, case: tuple[list[str], dict[str, float], int]
) -> None:
    """The law that fixes the denominators of average precision and nDCG."""
    _, grades, k = case
    ideal = sorted(grades, key=grades.__getitem__, reverse=True)
    assert FORMULAS[measure](ideal, grades, k) == pytest.approx(1)


@every_measure
@settings(max_examples=40)
@given(judged())
def test_items_without_relevance_are_interchangeable(
    measure: str, case: tuple[list[str], dict[str, float], int]
) -> None:
    """Unjudged items and items of grade 0 count the same: nothing."""
    ranking, grades, k = case
    renamed = [one if grades.get(one, 0) > 0 else f"none-{one}" for one in ranking]
    assert FORMULAS[measure](ranking, grades, k) == FORMULAS[measure](renamed, grades, k)


@every_measure
@settings(max_examples=40)
@given(judged(), st.data())
def test_moving_a_relevant_item_up_never_lowers_a_measure(
    measure: str, case: tuple[list[str], dict[str, float], int], data: st.DataObject
) -> None:
    """Monotonicity, where the item that it passes is not relevant."""
    ranking, grades, k = case
    places = [
        place
        for place in range(1, len(ranking))
        if grades.get(ranking[place], 0) > 0 and not grades.get(ranking[place - 1], 0) > 0
    ]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    better = swapped(ranking, place)
    formula = FORMULAS[measure]
    assert formula(better, grades, k) >= formula(ranking, grades, k) - 1e-12


def swapped(ranking: Sequence[str], place: int) -> list[str]:
    """The ranking with the item of the place before the one above it."""
    return [
        *ranking[: place - 1],
        ranking[place],
        ranking[place - 1],
        *ranking[place + 1 :],
    ]


@settings(max_examples=40)
@given(judged())
def test_recall_never_falls_with_the_cutoff(
    case: tuple[list[str], Mapping[str, float], int],
) -> None:
    """More places can only hold more."""
    ranking, grades, k = case
    assert recall_at_k(ranking, grades, k) <= recall_at_k(ranking, grades, k + 1)
