"""Ordered cases, and the identity of the selection."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset, find_clash
from assay.evaluators.errors import InvalidCase, InvalidDataset, NotJson, is_a

CASES = tuple(Case(id=name, input=name) for name in "abc")


def test_order_is_the_declared_one() -> None:
    """Kernel 6.1: iteration, length and cases agree."""
    data = Dataset(cases=CASES)
    assert [case.id for case in data] == ["a", "b", "c"]
    assert len(data) == 3
    assert data.cases == CASES


def test_there_may_be_no_case_at_all() -> None:
    """Kernel 6.1: an empty selection is a selection."""
    assert len(Dataset(cases=())) == 0
    assert Dataset(cases=()).fixture_id == Dataset(cases=[]).fixture_id


@pytest.mark.parametrize("fixture", [" a", "a\n", "a\ud800", 1, None])
def test_a_fixture_id_is_trimmed_text(fixture: str) -> None:
    """Kernel 6.1: where the host gives one."""
    with pytest.raises(InvalidDataset):
        Dataset.model_validate({"cases": CASES, "fixture": fixture})


def test_the_hosts_fixture_id_wins() -> None:
    """It knows best when two selections are the same; then nothing needs a JSON form."""
    assert Dataset(cases=CASES, fixture="release-7").fixture_id == "release-7"
    odd = (Case(id="a", input=object()),)
    assert Dataset(cases=odd, fixture="odd").fixture_id == "odd"
    with pytest.raises(NotJson):
        _ = Dataset(cases=odd).fixture_id


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(CASES[:2], id="fewer"),
        pytest.param(CASES[::-1], id="another order"),
        pytest.param((*CASES[:2], Case(id="c", input="d")), id="another input"),
        pytest.param((*CASES[:2], Case(id="c", input="c", expected=1)), id="another answer"),
    ],
)
def test_another_selection_has_another_fixture_id(cases: tuple[Case, ...]) -> None:
    """DESIGN 3: it is the digest of the cases' content, where the kernel has nothing compute it.

    Two runs over different questions are never compared by accident.
    """
    assert Dataset(cases=cases).fixture_id != Dataset(cases=CASES).fixture_id


def test_the_name_is_for_people() -> None:
    """And no identity."""
    assert Dataset(cases=CASES, name="x").fixture_id == Dataset(cases=CASES).fixture_id


@pytest.mark.parametrize(
    "cases", [[{"id": "", "input": 1}], [None], ["a"], [CASES[0], 1]], ids=repr
)
def test_what_is_no_case_is_an_invalid_dataset_and_an_invalid_case(cases: list[object]) -> None:
    """Kernel 6.1: with its index."""
    with pytest.raises(InvalidDataset, match=rf"cases\[{len(cases) - 1}\]: ") as caught:
        Dataset.model_validate({"cases": cases})
    assert is_a(caught.value, InvalidCase)


@pytest.mark.parametrize(
    ("first", "second"),
    [("a", "a"), ("é", "e\u0301"), ("\ufb01"[:1], "\ufb01"), ("\uac00", "\u1100\u1161")],
)
def test_ids_that_are_equal_after_normalisation_clash(first: str, second: str) -> None:
    """B19: both positions are named, before any target is called."""
    cases = [Case(id=first, input=1), Case(id="other", input=2), Case(id=second, input=3)]
    with pytest.raises(InvalidDataset, match="position 3, which equals the id at position 1"):
        Dataset(cases=cases)


@pytest.mark.parametrize(
    ("first", "second"), [("a", "A"), ("1", "01"), ("a b", "a  b"), ("ﬁ", "fi"), ("\x1ca", "a")]
)
def test_ids_that_only_look_alike_do_not_clash(first: str, second: str) -> None:
    """Case, inner spaces and compatibility forms are differences; so is a control at an end."""
    assert len(Dataset(cases=[Case(id=first, input=1), Case(id=second, input=2)])) == 2


def test_cases_are_a_snapshot() -> None:
    """Ownership (kernel 1.3)."""
    cases = list(CASES)
    data = Dataset(cases=cases)  # type: ignore[arg-type]
    cases.clear()
    assert len(data) == 3


@given(st.lists(st.text(max_size=3), max_size=8))
def test_a_clash_is_found_exactly_where_there_is_one(ids: list[str]) -> None:
    """The first two positions, in order."""
    spelled = [unicodedata.normalize("NFC", one).strip("\t\n\v\f\r \x85\xa0") for one in ids]
    clash = find_clash(ids)
    if clash is None:
        assert len(set(spelled)) == len(ids)
        return
    first, second = clash
    assert first < second
    assert find_clash(ids[:second]) is None
    assert find_clash([ids[first], ids[second]]) == (0, 1)
