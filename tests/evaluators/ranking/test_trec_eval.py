"""The measures against trec_eval: through its Python binding, and against NIST's own output.

Where the definitions agree the numbers do: precision, recall, reciprocal rank, nDCG, and average
precision where no more items are relevant than the cutoff. Where they differ:

* ties: trec_eval orders items of equal score by identity, descending; here a ranking is a strict
  order, and whoever makes it breaks ties;
* average precision: trec_eval's `map` and `map_cut_k` divide by all relevant items R, ours by
  min(R, k);
* reciprocal rank: trec_eval has no cutoff, so a ranking is compared at its own length;
* a query without a relevant item: trec_eval says 0, here it is no sample.
"""

from collections.abc import Mapping
from pathlib import Path

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

NIST = Path(__file__).parents[4] / "shared" / "data" / "trec_eval"
needs_nist = pytest.mark.skipif(
    not NIST.is_dir(), reason="NOT COMPARED with NIST: ../shared/data/trec_eval is not there"
)
CUTOFFS = (1, 3, 5, 10)
CUT = ",".join(map(str, CUTOFFS))
Grades = Mapping[str, int]


def ordered(scores: Mapping[str, float]) -> list[str]:
    """The items as trec_eval orders them: by score, then by identity, both descending."""
    return sorted(scores, key=lambda one: (scores[one], one), reverse=True)


def values(scores: Mapping[str, float], grades: Grades) -> dict[str, float]:
    """Our numbers under trec_eval's names, where the definitions agree."""
    ranking = ordered(scores)
    relevant = sum(grade > 0 for grade in grades.values())
    whole = max(len(ranking), relevant, 1)
    found = {
        "recip_rank": reciprocal_rank_at_k(ranking, grades, whole),
        "map": average_precision_at_k(ranking, grades, whole),
    }
    for k in CUTOFFS:
        found[f"P_{k}"] = precision_at_k(ranking, grades, k)
        found[f"recall_{k}"] = recall_at_k(ranking, grades, k)
        found[f"ndcg_cut_{k}"] = ndcg_at_k(ranking, grades, k)
        if relevant <= k:
            found[f"map_cut_{k}"] = average_precision_at_k(ranking, grades, k)
    return found


@pytest.fixture(scope="module")
def trec_eval() -> object:
    """The binding of trec_eval, or a skip that says what was not compared."""
    return pytest.importorskip(
        "pytrec_eval", reason="NOT COMPARED with trec_eval: pytrec-eval-terrier is not installed"
    )


def official(binding: object, scores: Mapping[str, float], grades: Grades) -> dict[str, float]:
    """What trec_eval says of one query."""
    measures = {"recip_rank", "map", f"P.{CUT}", f"recall.{CUT}", f"ndcg_cut.{CUT}"}
    kind = binding.RelevanceEvaluator  # type: ignore[attr-defined]  # the binding has no types
    evaluator = kind({"q": dict(grades)}, {*measures, f"map_cut.{CUT}"})
    found: dict[str, float] = evaluator.evaluate({"q": dict(scores)})["q"]
    return found


ITEMS = [f"d{number}" for number in range(14)]
SCORES = st.lists(st.sampled_from(ITEMS), min_size=1, unique=True).map(
    lambda items: {one: float(len(items) - place) for place, one in enumerate(items)}
)
GRADES = st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 4), min_size=1).filter(
    lambda grades: any(grades.values())
)


@settings(max_examples=60)
@given(scores=SCORES, grades=GRADES)
def test_generated_rankings_score_as_in_trec_eval(
    trec_eval: object, scores: dict[str, float], grades: dict[str, int]
) -> None:
    """An independent implementation, the one that the field compares with."""
    theirs = official(trec_eval, scores, grades)
    ours = values(scores, grades)
    assert ours == pytest.approx({name: theirs[name] for name in ours}, abs=1e-9)


def test_ties_are_the_rankings_business(trec_eval: object) -> None:
    """Where we differ: trec_eval reorders equal scores, a ranking here is in order already."""
    scores, grades = {"d1": 0.9, "d5": 0.9, "d2": 0.9}, {"d5": 1}
    assert official(trec_eval, scores, grades)["ndcg_cut_5"] == 1
    assert ndcg_at_k(["d1", "d5", "d2"], grades, 5) == pytest.approx(0.6309297535714574)
    assert ndcg_at_k(ordered(scores), grades, 5) == 1


def test_average_precision_is_capped_by_the_cutoff(trec_eval: object) -> None:
    """Where we differ: a perfect ranking scores 1 here at every cutoff."""
    scores, grades = {"a": 2.0, "b": 1.0}, {"a": 1, "b": 1, "c": 1, "d": 1}
    assert official(trec_eval, scores, grades)["map_cut_1"] == 0.25
    assert average_precision_at_k(["a", "b"], grades, 1) == 1


def rows(name: str) -> list[list[str]]:
    """The fields of every line of a NIST file."""
    lines = (NIST / name).read_text(encoding="ascii").splitlines()
    return [line.split() for line in lines]


@needs_nist
def test_the_measures_are_those_that_nist_published() -> None:
    """1,500 retrieved items and 3,681 judgments of three queries, to the four printed digits."""
    grades: dict[str, dict[str, int]] = {}
    scores: dict[str, dict[str, float]] = {}
    for query, _, item, grade in rows("qrels.test"):
        grades.setdefault(query, {})[item] = int(grade)
    for query, _, item, _, score, _ in rows("results.test"):
        scores.setdefault(query, {})[item] = float(score)
    printed = {
        (query, measure): value
        for measure, query, value in rows("out.test.aq")
        if query in scores and measure[-1].isdecimal() | (measure in {"map", "recip_rank"})
    }
    compared = 0
    for (query, measure), value in printed.items():
        ours = nist_value(measure, ordered(scores[query]), grades[query])
        if ours is not None:
            assert f"{ours:.4f}" == value, (query, measure)
            compared += 1
    assert (sorted(scores), compared) == (["301", "302", "303"], 87)


def nist_value(measure: str, ranking: list[str], grades: Grades) -> float | None:
    """Our number for a measure by its name in the printed output, None where there is no such."""
    name, _, cutoff = measure.rpartition("_")
    whole = max(len(ranking), sum(grade > 0 for grade in grades.values()))
    if measure == "map":
        return average_precision_at_k(ranking, grades, whole)
    if measure == "recip_rank":
        return reciprocal_rank_at_k(ranking, grades, whole)
    formulas = {"P": precision_at_k, "recall": recall_at_k, "ndcg_cut": ndcg_at_k}
    return formulas[name](ranking, grades, int(cutoff)) if name in formulas else None
