"""What a regrade is asked to compute."""

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.regrade_demand import RegradeDemand


def test_nothing_said_means_what_changed() -> None:
    """Only what changed is graded again."""
    for demand in (RegradeDemand(), RegradeDemand(only=("changed",))):
        assert demand.missing
        assert (demand.statuses, demand.verdicts, demand.ids) == ([], [], frozenset())


def test_failed_is_a_status_and_fail_a_verdict() -> None:
    """An evaluator that broke and an answer that is wrong are two things."""
    assert RegradeDemand(only=("failed",)).statuses == ["failed"]
    assert RegradeDemand(only=("failed",)).verdicts == []
    assert RegradeDemand(only=("fail",)).verdicts == ["fail"]
    assert not RegradeDemand(only=("fail",)).missing


def test_demands_add_up() -> None:
    """`--only failed --only tone` computes both."""
    demand = RegradeDemand(only=("failed", "tone", "changed"))
    assert demand.statuses == ["failed"]
    assert demand.ids == {"tone"}
    assert demand.missing


def test_an_unknown_id_is_refused_with_what_there_is() -> None:
    """A typing error must not look like a regrade with nothing to do."""
    with pytest.raises(InputError, match=r"--only: expected .*failed, fail, tone, got 'tune'"):
        RegradeDemand(only=("tune",)).require_known(["tone"])
    RegradeDemand(only=("tone", "failed")).require_known(["tone"])


def test_everything_and_only_something_is_refused() -> None:
    """One of them was not meant."""
    with pytest.raises(InputError, match="got both"):
        RegradeDemand(only=("failed",), fresh=True)
