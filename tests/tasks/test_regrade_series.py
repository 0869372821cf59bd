"""Many runs under one suite: a row each, and one that fails stops no other."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import fsspec
import pytest

from assay.evaluators.errors import InputError
from assay.tasks.prepare_regrade import PreparedRegrade
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.regrade_chunks import grade_all
from assay.tasks.regrade_report import RegradeReport, report_regrade
from assay.tasks.regrade_series import RegradeSeries, prepare_series, regrade_series
from assay.tasks.store import open_store
from assay.tasks.tally import Tally

Execute = Callable[..., Tally]
Run = Callable[[str], PreparedRun]

LENGTHS = """
from assay import evaluator


@evaluator(revision="1")
def share(sample):
    return len(sample.output) / 10


@evaluator(revision="1")
def long(sample):
    return len(sample.output) > 1
"""


@pytest.fixture
def suite(graded_folder: Path) -> Path:
    """A suite file of a score and a decision."""
    (graded_folder / "lengths.py").write_text(LENGTHS)
    path = graded_folder / "lengths.yaml"
    path.write_text('- {id: share, use: "lengths:share"}\n- {id: long, use: "lengths:long"}\n')
    return path


@pytest.fixture
def run(graded_folder: Path, execute: Execute, address: str) -> Run:
    """Runs the experiment of the folder under an id."""

    def ran(run_id: str) -> PreparedRun:
        experiment = graded_folder / "experiment.yaml"
        prepared = prepare_run(experiment, store=address, run_id=run_id)
        execute(prepared)
        (graded_folder / "calls.log").write_text("")
        return prepared

    return ran


async def _no_host(_step: object) -> None:
    """Leave every step to the regrade itself."""


async def _regrade(prepared: PreparedRegrade) -> RegradeReport:
    return report_regrade(prepared, await grade_all(prepared, _no_host))


def _series(address: str, suite: Path, since: str | None = None) -> RegradeSeries:
    prepared = prepare_series(open_store(address), suite, since=since)
    return asyncio.run(regrade_series(prepared, _regrade))


def test_every_run_is_graded_by_the_one_suite(
    run: Run, suite: Path, address: str, graded_folder: Path
) -> None:
    """Old answers under today's questions, the oldest run first; nothing else is called."""
    first = run("one")
    (graded_folder / "bot.py").write_text("def answer(given):\n    return given[:1]\n")
    run("two")
    series = _series(address, suite)
    assert [row.entry.run_id for row in series.rows] == ["one", "two"]
    assert [row.outcome for row in series.rows] == ["graded", "graded"]
    assert [row.scores for row in series.rows] == [{"share": 0.2}, {"share": 0.1}]
    assert (graded_folder / "calls.log").read_text() == ""
    payload = series.payload()
    one, two = payload["runs"]  # type: ignore[misc]
    assert one["pass_rate"]["over_planned"] == 1
    assert two["pass_rate"]["over_planned"] == 0
    assert one["grades"] == {"computed": 8, "reused": 0}
    assert one["scores"] == {"share": 0.2}
    assert (one["outcome"], one["reason"], payload["target_calls"]) == ("graded", None, 0)
    assert one["grading_id"] == first.run.gradings()[-1].grading_id
    assert payload["exit_code"] == series.exit_code == 0
    assert series.verdict_line() == "2 runs: 2 graded, 0 skipped, 0 failed"


def test_a_second_look_computes_nothing(run: Run, suite: Path, address: str) -> None:
    """Ninety nights cost their evaluators once."""
    run("one")
    _series(address, suite)
    (row,) = _series(address, suite).rows
    assert row.report is not None
    assert (row.report.report.computed, row.report.report.reused) == (0, 8)


def test_a_run_that_cannot_be_graded_is_skipped_with_the_reason(
    run: Run, suite: Path, address: str, graded_folder: Path
) -> None:
    """It stands in the series, so that no night is missing unseen."""
    run("whole")
    prepare_run(graded_folder / "experiment.yaml", store=address, run_id="planned-only")
    damaged = run("damaged")
    memory = fsspec.filesystem("memory")
    memory.pipe_file(f"{damaged.run.place.removeprefix('memory:/')}/plan.json", b"{")
    series = _series(address, suite)
    rows = {row.entry.run_id: row for row in series.rows}
    assert {run_id: row.outcome for run_id, row in rows.items()} == {
        "whole": "graded",
        "planned-only": "skipped",
        "damaged": "skipped",
    }
    assert rows["planned-only"].reason == "it has no receipts"
    assert "plan.json" in rows["damaged"].reason
    assert series.exit_code == 0


def test_a_run_that_fails_stops_no_other(run: Run, suite: Path, address: str) -> None:
    """And the whole says so with its exit code."""
    for run_id in ("one", "two", "three"):
        run(run_id)

    async def breaks(prepared: PreparedRegrade) -> RegradeReport:
        if prepared.run.run_id == "two":
            raise ConnectionError("no host")
        return await _regrade(prepared)

    prepared = prepare_series(open_store(address), suite)
    series = asyncio.run(regrade_series(prepared, breaks))
    assert [row.outcome for row in series.rows] == ["graded", "failed", "graded"]
    assert series.rows[1].reason == "ConnectionError: no host"
    assert series.exit_code == 2


def test_runs_before_the_date_are_left_out(run: Run, suite: Path, address: str) -> None:
    """By the moment at which they were planned, in UTC."""
    run("one")
    now = datetime.now(UTC)
    assert (
        len(_series(address, suite, since=(now - timedelta(days=1)).date().isoformat()).rows) == 1
    )
    with pytest.raises(InputError, match="expected a store with runs since"):
        _series(address, suite, since=(now + timedelta(days=1)).isoformat())


def test_nothing_to_show_is_no_success(suite: Path, address: str, graded_folder: Path) -> None:
    """A nightly look at a store of which no run can be graded must not stay green."""
    prepare_run(graded_folder / "experiment.yaml", store=address, run_id="planned-only")
    assert _series(address, suite).exit_code == 2


def test_wrong_use_is_refused_before_anything_is_graded(
    run: Run, suite: Path, address: str
) -> None:
    """A suite that cannot be read would otherwise fail once for each run."""
    first = run("one")
    store = open_store(address)
    with pytest.raises(InputError, match="--all: expected --suite FILE"):
        prepare_series(store, None)
    with pytest.raises(InputError, match="--since: expected a date such as"):
        prepare_series(store, suite, since="yesterday")
    suite.write_text("- {id: x, use: nowhere.nothing}\n")
    with pytest.raises(InputError, match=r"lengths\.yaml"):
        prepare_series(store, suite)
    assert len(first.run.grading_ids()) == 1
