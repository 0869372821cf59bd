"""Old answers may be graded against corrected cases only where the question is the same."""

import pytest

from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.errors import InputError
from assay.tasks.corrected_cases import corrected_cases
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.plan_case import plan_case
from assay.tasks.planned_case import PlannedCase


def _planned(*cases: Case) -> dict[str, PlannedCase]:
    return {case.id: plan_case(case, (), NO_SECRETS, place="") for case in cases}


BEFORE = _planned(
    Case(id="a", input="1+1", expected="3"),
    Case(id="b", input="2+2", expected="4"),
    Case(id="c", input="3+3", expected="6"),
)


def test_only_cases_with_the_same_input_are_graded() -> None:
    """An answer to another question is neither right nor wrong; every case left out is named."""
    corrected = _planned(
        Case(id="d", input="4+4", expected="8"),
        Case(id="b", input="2*2", expected="4"),
        Case(id="a", input="1+1", expected="2"),
    )
    found = corrected_cases(corrected, BEFORE, place="cases.jsonl")
    assert list(found.cases) == ["a"]
    assert found.cases["a"].texts.expected == '"2"'
    assert found.left_out.document() == {
        "changed_input": ["b"],
        "vanished": ["c"],
        "new": ["d"],
    }
    assert str(found.left_out) == "1 changed input, 1 vanished, 1 new"


def test_the_fixture_is_that_of_the_graded_cases() -> None:
    """Numbers over other cases must not look comparable."""
    kept = Case(id="a", input="1+1", expected="2")
    corrected = _planned(kept, Case(id="d", input="x"))
    found = corrected_cases(corrected, BEFORE, place="")
    assert found.fixture_id == Dataset(cases=[kept]).fixture_id


def test_another_spelling_of_an_input_is_the_same_input() -> None:
    """A dataset that went through another program keeps its answers."""
    before = _planned(Case(id="a", input={"x": 1, "y": 2.0}))
    corrected = _planned(Case(id="a", input={"y": 2, "x": 1}, expected=3))
    assert list(corrected_cases(corrected, before, place="").cases) == ["a"]


def test_a_dataset_of_other_cases_is_refused() -> None:
    """It is the wrong file, and a grading of nothing would pass for one."""
    with pytest.raises(InputError, match="0 changed input, 3 vanished, 1 new"):
        corrected_cases(_planned(Case(id="z", input=1)), BEFORE, place="other.jsonl")
