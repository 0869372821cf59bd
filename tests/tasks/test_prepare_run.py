"""A run is written once all of it is known to be good, and taken up under its id."""

from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest

from assay.evaluators.errors import InputError
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.store import open_store

Prepare = Callable[..., PreparedRun]
MakePlan = Callable[..., Plan]


def test_a_new_run_stands_in_the_store_before_its_first_trial(
    prepare: Prepare, address: str
) -> None:
    """A process that dies at once leaves something to go on with."""
    prepared = prepare(cases=4)
    (entry,) = open_store(address).runs()
    assert entry.run_id == prepared.run.run_id
    assert entry.counts["trials"] == 4
    assert prepared.run.cases(["case_id"])["case_id"].to_list() == ["c0", "c1", "c2", "c3"]
    assert prepared.grading.info["origin"] == "run"
    assert prepared.trials_left() == 4


def test_the_snapshot_of_the_cases_is_what_the_target_gets(prepare: Prepare) -> None:
    """A regrade needs no dataset file."""
    (row,) = prepare(cases=1).run.cases().to_dicts()
    assert (row["input"], row["expected"], row["metadata"]) == ('"q0"', '"Q0"', "{}")


@pytest.mark.parametrize("run_id", ["my-run", "2"])
def test_a_new_run_may_be_named(run_id: str, prepare: Prepare) -> None:
    """For scripts, which cannot guess an id."""
    assert prepare(run_id=run_id).run.run_id == run_id


def test_the_beginning_of_an_id_is_a_name_of_its_own(prepare: Prepare) -> None:
    """A named run is never another one that merely begins so."""
    long = prepare(run_id="nightly-2")
    short = prepare(run_id="nightly")
    assert (long.run.run_id, short.run.run_id) == ("nightly-2", "nightly")


def test_an_impossible_name_is_refused(prepare: Prepare, address: str) -> None:
    """It would be a path."""
    with pytest.raises(InputError, match="expected a run id"):
        prepare(run_id="../elsewhere")
    assert open_store(address).runs() == ()


def test_nothing_is_written_for_a_wrong_experiment(make_plan: MakePlan, address: str) -> None:
    """Half a run in the store would be a riddle."""
    with pytest.raises(InputError):
        prepare_run(make_plan(gates=["mean(other) > 1"]), store=address)
    assert not fsspec.filesystem("memory").exists(address.removeprefix("memory:/"))


def test_a_store_that_cannot_be_is_refused_before_anything_is_written(
    make_plan: MakePlan, tmp_path: Path
) -> None:
    """Before the first call of the target, too."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="expected a folder for the store"):
        prepare_run(make_plan(), store=str(tmp_path / "file" / "store"))


def test_the_store_comes_from_flag_then_environment_then_experiment(
    make_plan: MakePlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest wish wins."""
    monkeypatch.chdir(tmp_path)
    plan = make_plan(store="declared")
    assert prepare_run(plan).store.url.endswith("declared")
    monkeypatch.setenv("ASSAY_STORE", str(tmp_path / "environment"))
    assert prepare_run(plan).store.url.endswith("environment")
    assert prepare_run(plan, store=str(tmp_path / "flag")).store.url.endswith("flag")
