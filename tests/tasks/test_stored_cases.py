"""Cases of a snapshot are what they were, and are made when somebody asks."""

from collections.abc import Callable

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.open_map import OpenMap
from assay.evaluators.registry import find
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.stored_cases import CASE_COLUMNS, StoredCases, own_assessments

CASES = [
    Case(id="b", input={"q": 1.0}, expected=None, metadata=OpenMap.of({"k": [1]})),
    Case(id="a", input="x", expected="X"),
]


@pytest.fixture
def prepared(prepare: Callable[..., PreparedRun]) -> PreparedRun:
    """A run of two cases."""
    return prepare(cases=CASES)


def test_they_are_the_cases_of_the_run(prepared: PreparedRun) -> None:
    """In the order of the dataset, digest for digest."""
    stored = StoredCases(prepared.run.cases(CASE_COLUMNS), {})
    assert list(stored) == ["b", "a"]
    assert dict(stored) == dict(prepared.planned.cases)
    assert len(stored) == 2
    assert "c" not in stored
    with pytest.raises(KeyError):
        stored["c"]


def test_many_texts_are_those_of_each(prepared: PreparedRun) -> None:
    """In the order in which they were asked for, a case as often as it was."""
    stored = StoredCases(prepared.run.cases(CASE_COLUMNS), {})
    asked = ["a", "b", "a"]
    assert stored.texts(asked) == [(stored[one].texts, stored[one].digest) for one in asked]
    assert stored.texts([]) == []
    assert dict(stored.digests().rows()) == {one: stored[one].digest for one in stored}


def test_assessments_of_single_cases_stay_theirs(prepared: PreparedRun) -> None:
    """Whichever kind of cases is asked for them."""
    own = {"a": (Assessment("own", find("text.equals_expected")),)}
    stored = StoredCases(prepared.run.cases(CASE_COLUMNS), own)
    assert stored["a"].assessments == own["a"]
    assert stored["b"].assessments == ()
    assert own_assessments(stored) == own_assessments(dict(stored)) == own
