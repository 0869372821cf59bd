"""Compacting a run: fewer files, the same run."""

from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest

from assay.evaluators.errors import InputError
from assay.tasks.compact_run import compact_run
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import report_run
from assay.tasks.verify_store import verify_run


@pytest.fixture
def executed(
    graded_folder: Path,
    address: str,
    execute: Callable[..., object],
    regrade: Callable[..., object],
) -> PreparedRun:
    """A run whose rows came one by one, graded twice."""
    settings = {"repeats": 2, "concurrency": 1}
    prepared = prepare_run(graded_folder / "experiment.yaml", store=address, overrides=settings)
    execute(prepared)
    regrade(prepared.run.run_id)
    return prepared


def test_a_compacted_run_reports_what_it_reported(executed: PreparedRun) -> None:
    """Byte for byte: nobody may see from a report whether somebody tidied up."""
    before = report_run(executed.run, executed.grading).payload()
    done = compact_run(executed.store, executed.run.run_id[:22])
    assert done.before > done.after == 5  # executions, and grades and identities of two gradings
    assert report_run(executed.run, executed.grading).payload() == before
    assert verify_run(executed.run) == ()
    assert done.payload() == {
        "run_id": executed.run.run_id,
        "before": done.before,
        "after": 5,
        "left_alone": [],
        "exit_code": 0,
    }
    assert done.lines() == (f"run {executed.run.run_id}: {done.before} part files have become 5",)


def test_compacting_again_changes_nothing(executed: PreparedRun) -> None:
    """A job may do it every night."""
    compact_run(executed.store, executed.run.run_id)
    again = compact_run(executed.store, executed.run.run_id)
    assert again.before == again.after


def test_a_run_that_is_being_written_is_left_to_its_writer(executed: PreparedRun) -> None:
    """It keeps its own parts few."""
    with (
        executed.run.lease("run"),
        pytest.raises(InputError, match=r"is being written by process .*\(run, since"),
    ):
        compact_run(executed.store, executed.run.run_id)


def test_a_damaged_part_is_left_and_named(executed: PreparedRun) -> None:
    """It can still be restored, and the rest is merged all the same."""
    system, path = fsspec.core.url_to_fs(executed.run.place)
    system.pipe_file(f"{path}/executions/part-torn.parquet", b"torn")
    done = compact_run(executed.store, executed.run.run_id)
    assert done.left_alone == (f"{executed.run.place}/executions/part-torn.parquet",)
    assert done.lines()[1].endswith("part-torn.parquet: left as it is")


def test_an_unknown_run_is_refused(executed: PreparedRun) -> None:
    """One sentence, as everywhere."""
    with pytest.raises(InputError, match="no run 'nope' here"):
        compact_run(executed.store, "nope")
