"""The plan of a run, read back."""

from collections.abc import Callable

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.stored_plan import parse_plan, read_plan, settings_in_force

Prepare = Callable[..., PreparedRun]


def test_a_plan_is_read_as_it_was_written(prepare: Prepare) -> None:
    """Settings, counts and assessments."""
    prepared = prepare(repeats=2, gates=["pass_rate >= 0.5"])
    plan = read_plan(prepared.run)
    assert plan.experiment == prepared.planned.settings
    assert plan.counts["repeats"] == 2
    assert [one.ids for one in plan.assessments] == [("exact",)]
    assert plan.fixture_id == prepared.planned.fixture_id


@pytest.mark.parametrize("document", [None, {}, {"name": "x"}, {"name": float("nan")}])
def test_a_plan_that_cannot_be_read_is_refused_with_the_name_of_its_run(document: object) -> None:
    """In a sentence, whatever another version or a hand has written."""
    with pytest.raises(InputError, match=r"run r1.*expected a plan of this version"):
        parse_plan(document, "r1")


def test_settings_under_which_a_run_went_on_are_in_force(prepare: Prepare) -> None:
    """Whoever shows it later judges it by the gates that were asked for last."""
    first = prepare(gates=["pass_rate >= 0.5"])
    assert settings_in_force(first.run).gates == ("pass_rate >= 0.5",)
    again = prepare(gates=["pass_rate >= 0.9"], run_id=first.run.run_id)
    assert settings_in_force(again.run).gates == ("pass_rate >= 0.9",)
    assert read_plan(again.run).experiment.gates == ("pass_rate >= 0.5",)
    assert len(again.run.journal()) == 1


def test_the_same_settings_are_no_news(prepare: Prepare) -> None:
    """A run that goes on ten times has no ten entries in its journal."""
    first = prepare()
    assert prepare(run_id=first.run.run_id).run.journal() == ()


def test_settings_of_another_version_are_refused(prepare: Prepare) -> None:
    """In the journal as in the plan."""
    run = prepare().run
    run.add_journal({"kind": "settings", "experiment": {"name": "x"}})
    with pytest.raises(InputError, match="expected a plan of this version"):
        settings_in_force(run)
