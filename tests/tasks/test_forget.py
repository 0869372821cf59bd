"""Forgetting a case or a run, as the command does it."""

from collections.abc import Callable
from pathlib import Path

import fsspec
import polars as pl
import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import InputError
from assay.evaluators.function import evaluator
from assay.evaluators.registry import find
from assay.tasks.forget import forget_case, forget_run
from assay.tasks.grade_forgotten import grade_forgotten
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import report_run
from assay.tasks.store import RunStore
from assay.tasks.store.part_file import encode_stamped, read_whole
from assay.tasks.verify_store import verify_run, verify_store


@evaluator(name="echo", revision="1")
def echo(sample: object) -> str:
    """A label that does not repeat the answer."""
    return "long" if len(str(sample.output)) > 3 else "short"  # type: ignore[attr-defined]


@pytest.fixture
def runs(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> tuple[PreparedRun, PreparedRun]:
    """Two runs in one store; the case `secret` is in both, `plain` in the first alone."""
    secret = Case(id="secret", input="whisper", expected="WHISPER", metadata={"who": "whisperer"})
    plain = Case(id="plain", input="shout", expected="SHOUT")
    suite = [Assessment("exact", find("text.equals_expected")), Assessment("echo", echo)]
    made = []
    for cases in ([secret, plain], [secret]):
        prepared = prepare(cases=cases, suite=suite, repeats=2)
        execute(prepared)
        report_run(prepared.run, prepared.grading)
        prepared.grading.write_report("<p>WHISPER</p>")
        made.append(prepared)
    return made[0], made[1]


def _said(run: RunStore) -> str:
    system, path = fsspec.core.url_to_fs(run.place)
    files = [name for name in system.find(path) if not name.endswith(".parquet")]
    text = "".join(system.cat_file(name).decode() for name in files)
    frames = [run.cases(), run.executions(), *(one.grades() for one in run.gradings())]
    return text + "".join(repr(frame.rows()) for frame in frames)


def test_a_forgotten_case_is_gone_from_every_run(runs: tuple[PreparedRun, PreparedRun]) -> None:
    """Whoever asks to be forgotten does not know in which runs the case was."""
    first, second = runs
    forgot = forget_case(first.store, "secret")
    for one in runs:
        assert "hisper" not in _said(one.run).lower().replace("[forgotten]", "")
    assert "SHOUT" in _said(first.run)
    assert set(forgot.runs) == {first.run.run_id, second.run.run_id}
    assert forgot.payload()["exit_code"] == 0
    assert "forgot case 'secret': 2 executions, 4 grades" in forgot.lines()[0]


def test_a_forgotten_run_keeps_its_numbers_and_verifies(
    runs: tuple[PreparedRun, PreparedRun],
) -> None:
    """Baselines and series over time stay what they were."""
    first, _ = runs
    before = report_run(first.run, first.grading).payload()
    forget_run(first.store, first.run.run_id)
    assert verify_store(first.store) == ()
    assert report_run(first.run, first.grading).payload() == before
    assert verify_run(first.run) == ()
    assert "SHOUT" not in _said(first.run)
    assert first.run.forgotten_cases() == {"secret", "plain"}


def test_edited_numbers_of_a_forgotten_case_are_found(
    runs: tuple[PreparedRun, PreparedRun],
) -> None:
    """Its digests cannot be made again, so that the journal keeps one of what was left."""
    first, _ = runs
    forget_case(first.store, "secret")
    assert verify_run(first.run) == ()
    parts = first.grading.grade_parts()
    for name in parts.names():
        rows = read_whole(parts.folder, name).rows
        place = rows.schema.names.index("duration_seconds")
        column = rows["duration_seconds"].to_pylist()
        edited = pl.Series([None if one is None else one + 1 for one in column]).to_arrow()
        field = rows.schema.field(place)
        changed = rows.set_column(place, field, edited.cast(field.type))
        parts.folder.replace(name, encode_stamped(changed))
    problems = [str(one) for one in verify_run(first.run)]
    assert [one for one in problems if "what was kept of forgotten rows has been changed" in one]


def test_a_payload_that_comes_back_is_found(runs: tuple[PreparedRun, PreparedRun]) -> None:
    """A backup that is restored brings back what was to be forgotten."""
    first, _ = runs
    parts = first.run.execution_parts()
    name = parts.names()[0]
    backup = parts.folder.read(name)
    forget_run(first.store, first.run.run_id)
    parts.folder.replace(name, backup)
    problems = [str(one) for one in verify_run(first.run)]
    assert [one for one in problems if "a forgotten payload is here again" in one]
    forget_run(first.store, first.run.run_id)
    assert verify_run(first.run) == ()


def test_a_run_that_is_being_written_is_named_and_others_are_done(
    runs: tuple[PreparedRun, PreparedRun],
) -> None:
    """Its writer would write again what was just erased."""
    first, second = runs
    with first.run.lease("resume"):
        forgot = forget_case(first.store, "secret")
        with pytest.raises(InputError, match="is being written by process"):
            forget_run(first.store, first.run.run_id)
    assert set(forgot.runs) == {second.run.run_id}
    assert forgot.exit_code == 2
    assert "is being written by process" in forgot.problems[0]
    assert set(forget_case(first.store, "secret").runs) == {first.run.run_id, second.run.run_id}


def test_a_grading_that_is_being_written_keeps_its_run_from_being_forgotten(
    runs: tuple[PreparedRun, PreparedRun],
) -> None:
    """A regrade holds answers in memory and writes what evaluators say of them."""
    first, _ = runs
    with (
        first.grading.lease("regrade"),
        pytest.raises(InputError, match=r"grading g.* \(regrade, since"),
    ):
        forget_run(first.store, first.run.run_id)


def test_an_unknown_case_is_refused_with_close_ones(
    runs: tuple[PreparedRun, PreparedRun],
) -> None:
    """A misspelt id must not pass for a case that was forgotten."""
    with pytest.raises(InputError, match=r"no run here has a case 'secrets'; did you mean secret"):
        forget_case(runs[0].store, "secrets")


def test_runs_that_were_never_finished_being_made_are_forgotten_too(
    tmp_path: Path, make_plan: Callable[..., object]
) -> None:
    """Their hidden folders hold the cases; one of a moment ago may still become a run."""
    prepared = prepare_run(make_plan(), store=str(tmp_path))  # type: ignore[arg-type]
    runs = tmp_path / "runs"
    old = runs / ".r-0199e0b0-0000-7000-8000-000000000000.tmp"
    new = runs / ".r-7fffffff-ffff-7000-8000-000000000000.tmp"
    for folder in (old, new):
        folder.mkdir()
        (folder / "cases.parquet").write_bytes(b"secret")
    forget_run(prepared.store, prepared.run.run_id)
    assert not (old / "cases.parquet").exists()
    assert (new / "cases.parquet").exists()


def test_what_was_forgotten_cannot_be_graded() -> None:
    """Neither passed nor failed nor skipped: unverified, with a sentence."""
    (result,) = grade_forgotten(Assessment("echo", echo))
    assert (result.id, result.status) == ("echo", "unverified")
    assert "the case was forgotten" in str(result.error)
    assert result.verdict == ""


def test_a_forgotten_case_is_not_executed_when_its_run_goes_on(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """Its dataset may still hold it, and its answers must not come back."""
    asked: list[object] = []

    def ask(given: object) -> object:
        asked.append(given)
        return given

    first = prepare(ask, cases=3)
    forget_case(first.store, "c1")
    again = prepare(ask, cases=3, run_id=first.run.run_id)
    assert again.up_to_date().trials_left() == 2
    execute(again)
    assert sorted(map(str, asked)) == ["q0", "q2"]
    assert verify_run(again.run) == ()


def test_a_forgotten_receipt_is_unverified_when_it_is_graded_again(
    graded_folder: Path,
    address: str,
    execute: Callable[..., object],
    regrade: Callable[..., object],
) -> None:
    """Old grades are carried over; what would have to be computed cannot be."""
    prepared = prepare_run(graded_folder / "experiment.yaml", store=address)
    execute(prepared)
    forget_case(prepared.store, "c1")
    regrade(prepared.run.run_id)
    carried = prepared.run.gradings()[-1].grades(["case_id", "status", "reused_from"])
    mine = carried.filter(pl.col("case_id").cast(pl.String) == "c1")
    assert mine["reused_from"].null_count() == 0
    suite = graded_folder / "other.yaml"
    suite.write_text("- {id: strict, use: 'graders:long', with: {minimum: 9}}\n", encoding="utf-8")
    regrade(prepared.run.run_id, suite=suite)
    grades = prepared.run.gradings()[-1].grades(["case_id", "status", "error"])
    said = {str(row[0]): (str(row[1]), row[2]) for row in grades.iter_rows()}
    assert said["c0"] == ("completed", None)
    assert said["c1"][0] == "unverified"
    assert "the case was forgotten" in str(said["c1"][1])
    assert verify_run(prepared.run) == ()
