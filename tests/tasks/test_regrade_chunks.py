"""Receipts graded again: without the target, and only what has changed."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import fsspec
import pytest

from assay.evaluators.errors import InputError
from assay.evaluators.schema import GRADES
from assay.tasks.prepare_regrade import prepare_regrade
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.regrade_chunks import grade_all
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.store import GradingStore, StoreError, open_store
from assay.tasks.tally import Tally

Execute = Callable[..., Tally]
Regrade = Callable[..., RegradeReport]
Run = Callable[[], PreparedRun]


@pytest.fixture
def ran(graded_folder: Path, execute: Execute, address: str) -> Run:
    """Runs the experiment of the folder."""

    def run() -> PreparedRun:
        prepared = prepare_run(graded_folder / "experiment.yaml", store=address)
        execute(prepared)
        (graded_folder / "calls.log").write_text("")
        return prepared

    return run


def _calls(folder: Path) -> Counter[str]:
    return Counter((folder / "calls.log").read_text().split())


def _grading(prepared: PreparedRun, report: RegradeReport) -> GradingStore:
    return prepared.run.grading(report.report.grading_id)


def _by_place(grading: GradingStore) -> dict[tuple[object, ...], dict[str, object]]:
    rows = grading.grades().to_dicts()
    return {(row["case_id"], row["repeat"], row["assessment_id"]): row for row in rows}


def _suite(folder: Path, *entries: str) -> Path:
    path = folder / "other.yaml"
    path.write_text("".join(f"- {entry}\n" for entry in entries), encoding="utf-8")
    return path


def test_what_has_not_changed_is_carried_over(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """With the name of the grading that paid for it, and without a call of anything."""
    first = ran()
    report = regrade(first.run.run_id)
    assert _calls(graded_folder) == {}
    assert (report.report.target_calls, report.report.computed, report.report.reused) == (0, 0, 24)
    again = _grading(first, report)
    assert set(again.grades(["reused_from"])["reused_from"]) == {first.grading.grading_id}
    assert report.flips == ()
    third = regrade(first.run.run_id)
    origins = _grading(first, third).grades(["reused_from"])["reused_from"]
    assert set(origins) == {first.grading.grading_id}


def test_carried_over_grades_say_what_they_said(ran: Run, regrade: Regrade) -> None:
    """All but where they come from, and when they were written."""
    first = ran()
    old = _by_place(first.grading)
    new = _by_place(_grading(first, regrade(first.run.run_id)))
    stamps = {"reused_from", "committed_at", "row_digest"}
    assert old.keys() == new.keys()
    for place, row in old.items():
        assert {name: row[name] for name in GRADES.names if name not in stamps} == {
            name: new[place][name] for name in GRADES.names if name not in stamps
        }


def test_no_target_is_even_loaded(ran: Run, regrade: Regrade, graded_folder: Path) -> None:
    """Its code may be gone, its provider out of business."""
    first = ran()
    (graded_folder / "bot.py").write_text("raise RuntimeError('must not be imported')\n")
    (graded_folder / "cases.jsonl").unlink()
    suite = _suite(graded_folder, '{id: long, use: "graders:long", with: {minimum: 3}}')
    assert regrade(first.run.run_id, suite=suite).report.computed == 4


def test_only_what_changed_is_graded_again(ran: Run, regrade: Regrade, graded_folder: Path) -> None:
    """Another setting is another question; the others keep their answers."""
    first = ran()
    suite = _suite(
        graded_folder,
        '{id: same, use: "graders:same"}',
        '{id: long, use: "graders:long", with: {minimum: 3}}',
    )
    report = regrade(first.run.run_id, suite=suite)
    assert _calls(graded_folder) == {"long": 4}
    assert report.payload()["by_assessment"] == [
        {"id": "same", "reused": 4, "computed": 0, "failed": 0, "not_evaluated": 0},
        {"id": "long", "reused": 0, "computed": 4, "failed": 0, "not_evaluated": 0},
    ]


def test_an_old_answer_serves_under_a_new_name(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """The id is a column's title, not a part of the question."""
    first = ran()
    suite = _suite(graded_folder, '{id: equal, use: "graders:same"}')
    report = regrade(first.run.run_id, suite=suite)
    assert (report.report.computed, report.report.reused) == (0, 4)
    assert {place[2] for place in _by_place(_grading(first, report))} == {"equal"}


def test_outputs_of_one_evaluator_are_not_confused(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """A length must not come back as a first letter."""
    first = ran()
    suite = _suite(graded_folder, '{id: other, use: "graders:facts"}')
    new = _by_place(_grading(first, regrade(first.run.run_id, suite=suite)))
    assert _calls(graded_folder) == {}
    row = new["c0", 0, "other.length"]
    assert (row["measurement"], row["label"]) == (2.0, None)
    row = new["c0", 0, "other.first"]
    assert (row["measurement"], row["label"]) == (None, "Q")


def test_failed_grades_are_always_computed(ran: Run, regrade: Regrade, graded_folder: Path) -> None:
    """An outage is no answer."""
    _ = (graded_folder / "suite.yaml").write_text('- {id: broken, use: "graders:broken"}\n')
    first = ran()
    report = regrade(first.run.run_id)
    assert _calls(graded_folder) == {"broken": 4}
    assert (report.report.computed, report.report.reused) == (4, 0)
    assert report.tally.failed["broken"] == 4


def test_an_evaluator_without_a_source_is_never_reused(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Nothing says that it is still the same."""
    (graded_folder / "suite.yaml").write_text('- {id: hidden, use: "graders:sourceless"}\n')
    first = ran()
    assert regrade(first.run.run_id).report.computed == 4
    assert _calls(graded_folder) == {"hidden": 4}


def test_an_edited_evaluator_without_revision_is_graded_again(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Its source stands for its revision."""
    unversioned = (
        "from assay import evaluator\n\n@evaluator()\ndef check(sample):\n    return {answer}\n"
    )
    (graded_folder / "edited.py").write_text(unversioned.format(answer=True))
    (graded_folder / "suite.yaml").write_text('- {id: check, use: "edited:check"}\n')
    first = ran()
    assert regrade(first.run.run_id).report.computed == 0
    (graded_folder / "edited.py").write_text(unversioned.format(answer=False))
    report = regrade(first.run.run_id)
    assert report.report.computed == 4
    assert {flip.reason for flip in report.flips} == {"evaluator changed: code"}


def test_a_suite_file_brings_its_own_folder(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Its import strings mean what they mean beside it."""
    first = ran()
    folder = graded_folder / "elsewhere"
    folder.mkdir()
    (folder / "elsewhere_graders.py").write_text(
        'from assay import evaluator\n\n@evaluator(revision="1")\ndef yes(sample): return True\n'
    )
    suite = _suite(folder, '{id: yes, use: "elsewhere_graders:yes"}')
    report = regrade(first.run.run_id, suite=suite)
    assert report.report.summary.headline.passes == 4


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (["{id: x, use: nowhere.nothing}"], "other.yaml"),
        ([], "expected"),
        (['{id: same, use: "graders:same"}'] * 2, "expected each id once"),
    ],
)
def test_a_wrong_suite_begins_no_grading(
    entries: list[str], words: str, ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """The older gradings stand as they were."""
    first = ran()
    with pytest.raises(InputError, match=words):
        regrade(first.run.run_id, suite=_suite(graded_folder, *entries))
    assert first.run.grading_ids() == [first.grading.grading_id]


def test_cases_keep_their_own_assessments_under_any_suite(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """They belong to the case."""
    own = {"id": "own", "use": "graders:long", "with": {"minimum": 1}}
    cases = [{"id": "a", "input": "x", "expected": "X", "suite": [own]}, {"id": "b", "input": "y"}]
    (graded_folder / "cases.jsonl").write_text("\n".join(map(json.dumps, cases)))
    first = ran()
    suite = _suite(graded_folder, '{id: same, use: "graders:same"}')
    report = regrade(first.run.run_id, suite=suite)
    assert set(_by_place(_grading(first, report))) == {
        ("a", 0, "same"),
        ("a", 0, "own"),
        ("b", 0, "same"),
    }
    assert (report.report.computed, report.report.reused) == (0, 3)
    assert report.tally.ids() == ["same", "own"]
    clash = _suite(graded_folder, '{id: own, use: "graders:same"}')
    with pytest.raises(InputError, match="expected each id once, got 'own' again"):
        regrade(first.run.run_id, suite=clash)


def test_only_receipts_are_graded(ran: Run, regrade: Regrade, graded_folder: Path) -> None:
    """A target that failed has left nothing to look at."""
    (graded_folder / "bot.py").write_text(
        "def answer(given):\n    if given == 'q1': raise ValueError\n    return given\n"
    )
    first = ran()
    report = regrade(first.run.run_id)
    assert {place[0] for place in _by_place(_grading(first, report))} == {"c0", "c2", "c3"}
    assert report.report.summary.trials.target_failed == 1


def test_a_grader_that_holds_the_interpreter_is_killed(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """`faults.md` B32: a pattern that needs longer than the sun has."""
    first = ran()
    (graded_folder / "hanging.py").write_text(
        "import re\nfrom assay import evaluator\n\n"
        '@evaluator(revision="1", isolation="process")\n'
        "def search(sample):\n"
        "    return bool(re.search('(a+)+$', 'a' * 40 + 'b')) or True\n"
    )
    first.run.add_journal(
        {
            "kind": "settings",
            "experiment": {
                **dict(first.run.plan["experiment"]),  # type: ignore[call-overload]
                "evaluator_timeout_seconds": 0.3,
                "limit": None,
            },
        }
    )
    suite = _suite(graded_folder, '{id: search, use: "hanging:search"}')
    report = regrade(first.run.run_id, suite=suite)
    rows = _by_place(_grading(first, report)).values()
    assert {(row["status"], row["error_class"]) for row in rows} == {("failed", "timeout")}


GREEDY_BOT = """
from datetime import UTC, datetime

from assay import Execution
from assay.evaluators.execution import ToolCall, Usage

ANSWERS = [
    {"b": 3.0, "a": 3},
    None,
    "é\\u2028\\U0001f600 \\"quoted\\"",
    [1e300, -0.0, 0.1, 12345678901234567890],
]


def answer(given):
    number = int(given[1:])
    return Execution(
        output=ANSWERS[number],
        usage=Usage(input_tokens=number, output_tokens=2),
        cost=0.25,
        messages=[{"role": "user", "content": given}],
        tool_calls=[ToolCall(name="look", arguments={"z": 1.0, "a": [None]})],
        metadata={"n": number},
        started_at=datetime(2030, 1, 1, tzinfo=UTC),
    )
"""
GREEDY_GRADERS = """
from hashlib import sha256

from assay import evaluator


@evaluator(revision="1", outputs=("output", "rest"))
def seen(sample):
    receipt = sample.execution
    rest = [receipt.usage, receipt.cost, receipt.messages, receipt.tool_calls, receipt.started_at]
    rest += [receipt.metadata, sample.metadata, sample.input, sample.case.id, sample.repeat]
    return {"output": repr(sample.output), "rest": sha256(repr(rest).encode()).hexdigest()}


@evaluator(revision="1", requires=("spans",))
def spans(sample):
    return True


@evaluator(revision="1")
async def slowly(sample):
    return 0.5 if sample.output else 0.25
"""


def test_grading_again_sees_what_grading_saw(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Equal keys, digests, reports: a receipt of the store is the receipt of the run."""
    (graded_folder / "bot.py").write_text(GREEDY_BOT)
    (graded_folder / "greedy.py").write_text(GREEDY_GRADERS)
    names = ("seen", "spans", "slowly")
    (graded_folder / "suite.yaml").write_text(
        "".join(f'- {{id: {one}, use: "greedy:{one}"}}\n' for one in names)
    )
    first = ran()
    old = _by_place(first.grading)
    memory = fsspec.filesystem("memory")
    memory.rm(first.run.place.removeprefix("memory:/") + "/gradings", recursive=True)
    report = regrade(first.run.run_id)
    assert (report.report.computed, report.report.reused) == (16, 0)
    new = _by_place(_grading(first, report))
    times = {"committed_at", "row_digest", "duration_seconds"}
    assert old.keys() == new.keys()
    for place, row in old.items():
        for name in GRADES.names:
            assert name in times or row[name] == new[place][name], (place, name)
    assert {row["status"] for row in old.values()} == {"completed", "unverified"}


def test_a_host_that_fails_changes_nothing(ran: Run, address: str) -> None:
    """Whether before a step has begun or after it has ended."""
    first = ran()

    async def dies_before(_step: RegradeStep) -> None:
        raise ConnectionError("no host")

    async def dies_after(step: RegradeStep) -> None:
        await step.attempt(1)
        raise ConnectionError("no host")

    for host in (dies_before, dies_after):
        prepared = prepare_regrade(open_store(address), first.run.run_id)
        tally = asyncio.run(grade_all(prepared, host))
        assert (tally.receipts, tally.reused.total()) == (4, 24)
        assert prepared.grading.grades(["status"]).height == 24


def test_what_breaks_within_a_step_is_raised(ran: Run, address: str) -> None:
    """It is not tried again: the writer that failed takes nothing more."""
    first = ran()
    prepared = prepare_regrade(open_store(address), first.run.run_id)
    begun: list[RegradeStep] = []

    async def breaks(step: RegradeStep) -> None:
        begun.append(step)
        fsspec.filesystem("memory").rm(first.grading.place.removeprefix("memory:/"), recursive=True)
        await step.attempt(1)

    with pytest.raises(StoreError):
        asyncio.run(grade_all(prepared, breaks))
    assert len(begun) == 1


def test_a_plan_made_in_python_needs_a_suite_file(
    make_plan: Callable[..., object],
    address: str,
    execute: Execute,
    regrade: Regrade,
    graded_folder: Path,
) -> None:
    """No text can load a function of a program that has ended."""
    prepared = prepare_run(make_plan(), store=address)
    execute(prepared)
    with pytest.raises(InputError, match=r"'exact' was made in Python.*--suite"):
        regrade(prepared.run.run_id)
    suite = _suite(graded_folder, "{id: exact, use: text.equals_expected}")
    report = regrade(prepared.run.run_id, suite=suite)
    assert (report.report.computed, report.report.reused) == (0, 3)
