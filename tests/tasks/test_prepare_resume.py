"""A run is resumed from its store, and says first what that will do."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.find_grading import find_grading
from assay.tasks.plan import Plan
from assay.tasks.prepare_resume import Resumption, prepare_resume
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import report_run
from assay.tasks.store import open_store
from assay.tasks.stored_plan import plan_in_force
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import TrialSession
from assay.tasks.verify_store import verify_run

Execute = Callable[..., Tally]

_BOT = """
from pathlib import Path

from assay import TargetError

CALLS = Path(__file__).with_name("calls.log")

def answer(text):
    with CALLS.open("a") as calls:
        calls.write(text + "\\n")
    if (Path(__file__).parent / "down").exists():
        raise TargetError("refused", "no")
    return text.upper()
"""
_GRADERS = """
from assay import evaluator

@evaluator(revision="1")
def same(sample) -> bool:
    return sample.output == sample.expected

@evaluator(revision="1")
def long(sample, *, minimum: int = 2) -> bool:
    return len(sample.output) >= minimum
"""
_EXPERIMENT = """
name: demo
dataset: cases.jsonl
target: bot:answer
concurrency: 1
retries: {attempts: 1}
suite:
  - {id: same, use: "graders:same"}
  - {id: long, use: "graders:long"}
"""
_CASES = 4


class Folder:
    """An experiment in files, its store, and what is done with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("bot.py", _BOT)
        self.write("graders.py", _GRADERS)
        self.write("experiment.yaml", _EXPERIMENT)
        cases = [{"id": f"c{n}", "input": f"q{n}", "expected": "Q0"} for n in range(_CASES)]
        self.write("cases.jsonl", "\n".join(map(json.dumps, cases)))

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        (self.path / name).write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a file."""
        text = (self.path / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def run(self, **overrides: object) -> PreparedRun:
        """A new run `r`."""
        path, store = self.path / "experiment.yaml", str(self.path / "store")
        return prepare_run(path, store=store, run_id="r", overrides=overrides)

    def resume(self, **asked: object) -> Resumption:
        """What resuming it comes to."""
        return prepare_resume(open_store(str(self.path / "store")), "r", **asked)

    def calls(self) -> list[str]:
        """What the target was asked."""
        log = self.path / "calls.log"
        return log.read_text(encoding="utf-8").split() if log.exists() else []

    def files(self) -> set[Path]:
        """What is in the store."""
        return {one for one in (self.path / "store").rglob("*") if one.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """An experiment that is ready to run."""
    return Folder(tmp_path)


async def _one_trial(key: TrialKey, session: TrialSession) -> None:
    """A host that is asked to end as soon as a trial has begun."""
    session.stop()
    await session.attempt(key, 1)


def _report(prepared: PreparedRun) -> dict[str, object]:
    report = report_run(prepared.run, prepared.grading).payload()
    for name in ("run_id", "grading_id", "gradings", "duration_seconds"):
        del report[name]
    return report


def test_a_run_resumed_from_its_store_ends_as_an_undisturbed_one(
    folder: Folder, execute: Execute, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However often it is stopped; and its dataset and its experiment file may be gone."""
    other = Folder(tmp_path_factory.mktemp("whole"))
    whole = other.run()
    execute(whole)
    execute(folder.run(), host=_one_trial)
    (folder.path / "cases.jsonl").unlink()
    (folder.path / "experiment.yaml").unlink()
    for done in range(1, _CASES + 1):
        found = folder.resume()
        assert (found.finished, found.to_execute, found.to_grade) == (done, _CASES - done, 0)
        prepared = found.begin()
        execute(prepared, host=_one_trial)
    assert _report(prepared) == _report(whole)
    assert folder.calls() == other.calls() == ["q0", "q1", "q2", "q3"]


def test_a_changed_dataset_changes_nothing(folder: Folder, execute: Execute) -> None:
    """The run's own snapshot says what is asked."""
    execute(folder.run(), host=_one_trial)
    folder.edit("cases.jsonl", "q3", "other")
    execute(folder.resume().begin())
    assert folder.calls() == ["q0", "q1", "q2", "q3"]


def test_what_will_be_done_is_said_and_nothing_written(folder: Folder, execute: Execute) -> None:
    """A look costs nothing and leaves nothing."""
    execute(folder.run(), host=_one_trial)
    before = folder.files()
    found = folder.resume()
    assert found.lines() == ("4 trials: 1 done, 3 to execute, 0 to grade only",)
    trials = {
        "planned": 4,
        "to_execute": 3,
        "to_grade": 0,
        "done": 1,
        "failures_kept": 0,
        "failures_retried": 0,
    }
    assert found.payload()["trials"] == trials
    assert (found.payload()["exit_code"], found.payload()["grades_kept"]) == (0, 2)
    assert folder.files() == before
    assert folder.calls() == ["q0"]


def test_a_run_whose_plan_alone_exists_is_resumed_as_a_whole(
    folder: Folder, execute: Execute
) -> None:
    """A process may have died right after it wrote the plan."""
    folder.run()
    for one in (folder.path / "store" / "runs" / "r" / "gradings").rglob("*"):
        if one.is_file():
            one.unlink()
    found = folder.resume()
    assert (found.to_execute, found.finished) == (_CASES, 0)
    assert execute(found.begin()).computed == 2 * _CASES


def test_a_folder_without_a_plan_is_no_run(folder: Folder) -> None:
    """Whoever died before the plan was whole has begun nothing."""
    torn = folder.path / "store" / "runs" / ".r-1.tmp"
    torn.mkdir(parents=True)
    (torn / "cases.parquet").write_bytes(b"PAR1")
    (folder.path / "store" / "runs" / "r").mkdir()
    with pytest.raises(InputError, match="no run 'r' here"):
        folder.resume()


def test_failures_are_kept_unless_their_repetition_is_asked_for(
    folder: Folder, execute: Execute
) -> None:
    """Then a receipt takes the place of the failure in every number."""
    (folder.path / "down").touch()
    execute(folder.run())
    (folder.path / "down").unlink()
    kept = folder.resume()
    assert (kept.to_execute, kept.finished) == (0, 0)
    assert kept.lines()[1] == (
        "4 trials whose attempts are used up: kept; --retry-failed repeats them"
    )
    assert execute(kept.begin()).target_calls == 0
    repeated = folder.resume(retry_failed=True)
    assert repeated.to_execute == _CASES
    assert repeated.lines()[1] == "4 trials whose attempts are used up: executed again"
    prepared = repeated.begin()
    assert execute(prepared).target_calls == _CASES
    trials = report_run(prepared.run, prepared.grading).payload()["trials"]
    assert isinstance(trials, dict)
    assert (trials["graded"], trials["target_failed"]) == (_CASES, 0)
    assert set(prepared.run.executions()["kind"]) == {"receipt"}
    assert folder.resume(retry_failed=True).to_execute == 0


def test_a_repeated_failure_that_fails_again_stays_one_failure(
    folder: Folder, execute: Execute
) -> None:
    """The newest one stands for the trial."""
    (folder.path / "down").touch()
    execute(folder.run())
    prepared = folder.resume(retry_failed=True).begin()
    execute(prepared)
    trials = report_run(prepared.run, prepared.grading).payload()["trials"]
    assert isinstance(trials, dict)
    assert (trials["planned"], trials["target_failed"]) == (_CASES, _CASES)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("experiment.yaml", "concurrency: 1", "concurrency: 3", "concurrency is now 3, not 1"),
        ("experiment.yaml", "bot:answer", "bot:CALLS", 'target is now "bot:CALLS"'),
        ("experiment.yaml", "target:", "target_revision: v2\ntarget:", 'revision is now "v2", not'),
        ("experiment.yaml", "id: long", "id: short", "suite is now"),
        ("experiment.yaml", "name: demo", "name: [", "the experiment file cannot be used"),
    ],
)
def test_a_changed_experiment_file_is_refused_until_it_is_said_what_to_use(
    folder: Folder, execute: Execute, file: str, old: str, new: str, said: str
) -> None:
    """Half a run under one experiment and half under another is nobody's wish by default."""
    execute(folder.run(), host=_one_trial)
    folder.edit(file, old, new)
    with pytest.raises(InputError, match=r"something has changed: .*; say --use planned or") as no:
        folder.resume()
    assert said in str(no.value)
    planned = folder.resume(use="planned")
    execute(planned.begin())
    assert folder.calls() == ["q0", "q1", "q2", "q3"]
    assert planned.run.journal() == ()


def test_settings_that_were_given_beside_the_file_are_no_change(folder: Folder) -> None:
    """The plan keeps them, so that the command line need not be typed again."""
    folder.run(limit=3, concurrency=2)
    found = folder.resume()
    assert (found.planned.settings.concurrency, found.to_execute) == (2, 3)


def test_the_current_experiment_goes_on_where_that_is_asked_for(
    folder: Folder, execute: Execute
) -> None:
    """The journal says so, and from then on the run goes by it."""
    execute(folder.run(), host=_one_trial)
    folder.edit("experiment.yaml", "concurrency: 1", "concurrency: 3\ntarget_revision: v2")
    found = folder.resume(use="current")
    assert found.planned.settings.concurrency == 3
    assert found.warnings == ("the target is now bot:answer at revision v2, not bot:answer",)
    found.begin()
    plan = plan_in_force(found.run)
    assert (plan.experiment.concurrency, plan.target["revision"]) == (3, "v2")
    assert folder.resume().to_execute == 3, "nothing has changed since"


def test_an_edited_evaluator_is_refused_and_then_grades_what_it_has_not_graded(
    folder: Folder, execute: Execute
) -> None:
    """Only its own grades are made again, over the receipts that are there."""
    execute(folder.run(), host=_one_trial)
    folder.edit("graders.py", '"1")\ndef long', '"2")\ndef long')
    for use in (None, "planned"):
        with pytest.raises(InputError, match="assessment long is graded by another evaluator; put"):
            folder.resume(use=use)
    found = folder.resume(use="current")
    assert (found.to_execute, found.to_grade, found.finished) == (3, 1, 0)
    assert found.warnings == ("assessment long is graded by another evaluator",)
    prepared = found.begin()
    tally = execute(prepared)
    assert (tally.target_calls, tally.computed, tally.reused) == (3, 7, 1)
    grades = prepared.grading.grades()
    assert grades.height == 2 * _CASES
    long = grades.filter(grades["assessment_id"].cast(str) == "long")
    assert long["evaluator"].n_unique() == 1
    same = grades.filter(grades["assessment_id"].cast(str) == "same")
    assert same["reused_from"].drop_nulls().to_list() == [found.run.gradings()[0].grading_id]
    assert prepared.grading.grading_id == find_grading(found.store, "r")[1].grading_id
    assert verify_run(found.run) == ()
    assert (folder.resume().to_grade, len(found.run.gradings())) == (0, 2)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cases.jsonl", "others.jsonl", "keeps its cases and repeats, and dataset is another one"),
        ("concurrency: 1", "repeats: 2", "and repeats is another one now"),
        ("concurrency: 1", "limit: 2", "and limit is another one now"),
        ("id: long", "id: short", "graded by the assessments that it was planned with"),
    ],
)
def test_the_current_experiment_must_be_one_of_the_same_trials_and_assessments(
    folder: Folder, execute: Execute, old: str, new: str, said: str
) -> None:
    """A run's trials were chosen when it was planned; other assessments are a regrade."""
    execute(folder.run(), host=_one_trial)
    folder.edit("experiment.yaml", old, new)
    with pytest.raises(InputError, match=said):
        folder.resume(use="current")


def test_a_suite_in_a_file_of_its_own_is_compared_too(folder: Folder, execute: Execute) -> None:
    """Its path stays the same when its content changes."""
    suite = '- {id: same, use: "graders:same"}\n- {id: long, use: "graders:long"}\n'
    folder.write("suite.yaml", suite)
    folder.write("experiment.yaml", f"{_EXPERIMENT.partition('suite')[0]}suite: suite.yaml\n")
    execute(folder.run(), host=_one_trial)
    assert folder.resume().to_execute == 3
    folder.edit("suite.yaml", '"graders:long"', '"graders:long", with: {minimum: 9}')
    with pytest.raises(InputError, match=r"the suite file suite\.yaml has other assessments or"):
        folder.resume()
    assert folder.resume(use="current").warnings == (
        "assessment long is graded by another evaluator",
    )


def test_changed_files_of_the_target_are_warned_about_once(
    folder: Folder, execute: Execute
) -> None:
    """It may be a comment; the journal keeps that the run went on with them."""
    execute(folder.run(), host=_one_trial)
    folder.edit("bot.py", "return", "return  ")
    found = folder.resume()
    assert len(found.warnings) == 1
    assert "this run holds answers of both" in found.warnings[0]
    execute(found.begin(), host=_one_trial)
    assert folder.resume().warnings == ()


def test_a_target_made_in_python_is_resumed_by_its_program(
    address: str, make_plan: Callable[..., Plan]
) -> None:
    """No plan can load it; the sentence says who can."""
    prepare_run(make_plan(), store=address, run_id="r")
    with pytest.raises(InputError, match=r"made in Python .* with run_id='r'"):
        prepare_resume(open_store(address), "r")


def test_an_input_that_holds_a_secret_needs_its_dataset(
    folder: Folder, execute: Execute, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store has it masked, and the target must not be asked something else."""
    monkeypatch.setenv("BOT_KEY", "hush-hush-hush")
    folder.edit("cases.jsonl", "q2", "say hush-hush-hush")
    folder.edit("experiment.yaml", "concurrency: 1", "concurrency: 1\nsecrets: [BOT_KEY]")
    execute(folder.run(), host=_one_trial)
    with pytest.raises(InputError, match=r"case 'c2' holds a secret.*assay run .* --run-id r"):
        folder.resume()
    execute(folder.run())
    assert folder.resume().to_execute == 0
