"""The harness's totals agree with themselves and with what was collected."""

import json
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.swebench import Failure, InvalidArtifacts, Outcome, RunResults
from assay.evaluators.swebench import require_reconciled as reconcile
from assay.evaluators.swebench.outcome import Status

OUTCOMES = (
    Outcome("case-empty", "empty_patch", completed=False),
    Outcome("case-error", "error", completed=False),
    Outcome("case-infra", "unresolved", completed=True),
    Outcome("case-invalid", "error", completed=True),
    Outcome("case-missing", "missing_prediction", completed=False),
    Outcome("case-resolved", "resolved", completed=True),
    Outcome("case-unresolved", "unresolved", completed=True),
)
STATUSES: dict[str, Status] = {
    "incomplete": "missing_prediction",
    "resolved": "resolved",
    "unresolved": "unresolved",
    "empty_patch": "empty_patch",
    "error": "error",
}
INFRA = ("case-error", "case-infra")
AMBIGUOUS = ("case-unresolved",)


def tree_of(
    outcomes: Iterable[Outcome], infra: Iterable[str] = (), ambiguous: Iterable[str] = ()
) -> dict[str, object]:
    """What a right harness writes of these outcomes."""
    tasks = list(outcomes)
    lists = {
        "submitted": [one.instance_id for one in tasks if one.status != "missing_prediction"],
        "completed": [one.instance_id for one in tasks if one.completed],
        "infra_failure": sorted(infra),
        "ambiguous_failure": sorted(ambiguous),
        **{
            name: [one.instance_id for one in tasks if one.status == status]
            for name, status in STATUSES.items()
        },
    }
    return {
        "total_instances": len(tasks),
        **{f"{name}_instances": len(ids) for name, ids in lists.items() if name != "incomplete"},
        **{f"{name}_ids": ids for name, ids in lists.items()},
        "failure_reasons": dict.fromkeys([*infra, *ambiguous], "out_of_memory"),
        "schema_version": 2,
    }


RIGHT = tree_of(OUTCOMES, INFRA, AMBIGUOUS)


def check(tree: dict[str, object]) -> None:
    """Read the results and hold them against the seven outcomes."""
    reconcile(RunResults.decode(json.dumps(tree)), OUTCOMES)


def test_right_results_reconcile_and_carry_the_advice() -> None:
    """Kernel 13.5, on the seven tasks of kernel 13 example 1."""
    results = RunResults.decode(json.dumps(RIGHT))
    reconcile(results, OUTCOMES)
    infra = Failure(kind="infrastructure", reason="out_of_memory")
    ambiguous = Failure(kind="ambiguous", reason="out_of_memory")
    assert dict(results.failures) == {
        "case-error": infra,
        "case-infra": infra,
        "case-unresolved": ambiguous,
    }


def test_what_the_harness_left_behind_is_optional() -> None:
    """Kernel 13.5: their count is the length of the list of containers, when given."""
    left = {"unstopped_instances": 1, "unstopped_containers": ["c"], "unremoved_images": []}
    check({**RIGHT, **left})
    check({**RIGHT, "unstopped_instances": 0})
    check({**RIGHT, "unstopped_containers": ["c"], "unremoved_images": None})
    with pytest.raises(InvalidArtifacts, match="unstopped_instances"):
        check({**RIGHT, **left, "unstopped_instances": 2})


def blaming(infra: Iterable[str], ambiguous: Iterable[str], reason: str = "r") -> dict[str, object]:
    """The right results with other failures."""
    tree = tree_of(OUTCOMES, infra, ambiguous)
    return {**tree, "failure_reasons": dict.fromkeys([*infra, *ambiguous], reason)}


WRONG = {
    "total 1": {**RIGHT, "total_instances": 1},
    "submitted 7": {**RIGHT, "submitted_instances": 7},
    "submitted 7 of a list": {
        **RIGHT,
        "submitted_instances": 7,
        "submitted_ids": [one.instance_id for one in OUTCOMES],
    },
    "a duplicated id": {
        **RIGHT,
        "unresolved_instances": 3,
        "unresolved_ids": ["case-infra", "case-infra", "case-unresolved"],
    },
    "a foreign id": {**RIGHT, "resolved_ids": ["case-other"]},
    "an infra id of a resolved case": blaming(["case-resolved"], []),
    "an ambiguous id of an empty patch": blaming([], ["case-empty"]),
    "a foreign infra id": blaming(["case-other"], []),
    "an id in both": blaming(["case-infra"], ["case-infra"]),
    "an infra id twice": {
        **blaming(["case-infra"], []),
        "infra_failure_instances": 2,
        "infra_failure_ids": ["case-infra"] * 2,
    },
    "an empty reason": blaming(["case-infra"], [], ""),
    "an untrimmed reason": blaming(["case-infra"], [], "r "),
    "a reason that is null": {**RIGHT, "failure_reasons": dict.fromkeys([*INFRA, *AMBIGUOUS])},
    "no reason": {**RIGHT, "failure_reasons": {}},
    "a reason too many": {
        **RIGHT,
        "failure_reasons": dict.fromkeys([*INFRA, *AMBIGUOUS, "case-invalid"], "r"),
    },
    "reasons that are a list": {**RIGHT, "failure_reasons": []},
    "schema 3": {**RIGHT, "schema_version": 3},
    "schema 2.0": {**RIGHT, "schema_version": 2.0},
    "an extra member": {**RIGHT, "more": 1},
    "a negative count": {**RIGHT, "error_instances": -2},
    "a count that is text": {**RIGHT, "error_instances": "2"},
    "an id that is a number": {**RIGHT, "resolved_ids": [1]},
    **{f"no {name}": {**RIGHT, name: None} for name in RIGHT},
}


@pytest.mark.parametrize("name", WRONG)
def test_results_that_say_something_else_are_invalid(name: str) -> None:
    """Kernel 13 example 5; a null array fails as an absent one does."""
    with pytest.raises(InvalidArtifacts):
        check(WRONG[name])


@st.composite
def outcomes(draw: st.DrawFn) -> list[Outcome]:
    """What may have been collected of up to six tasks."""
    kinds = st.sampled_from([(one.status, one.completed) for one in OUTCOMES])
    drawn = draw(st.lists(kinds, max_size=6))
    return [
        Outcome(f"t{place}", status, completed=completed)
        for place, (status, completed) in enumerate(drawn)
    ]


@settings(max_examples=60)
@given(one=outcomes(), other=outcomes())
def test_totals_reconcile_exactly_with_the_tasks_they_are_of(
    one: list[Outcome], other: list[Outcome]
) -> None:
    """Whatever is wrong with a single task shows."""
    results = RunResults.decode(json.dumps(tree_of(one)))
    if one == other:
        reconcile(results, other)
    else:
        reconcile(results, one)
        with pytest.raises(InvalidArtifacts):
            reconcile(results, other)


@settings(max_examples=40)
@given(tasks=outcomes(), data=st.data())
def test_decoding_gives_back_what_was_encoded(tasks: list[Outcome], data: st.DataObject) -> None:
    """Counts are those of the lists, so none of them is stored twice."""
    blamable = [one.instance_id for one in tasks if one.status in {"error", "unresolved"}]
    infra = [name for name in blamable if data.draw(st.booleans())]
    results = RunResults.decode(json.dumps(tree_of(tasks, infra)))
    assert RunResults.decode(results.encode()) == results
    reconcile(results, tasks)
