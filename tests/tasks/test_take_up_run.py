"""A run that has begun goes on where it ended, and calls nothing twice."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import EvaluatorError, InputError, TargetError
from assay.evaluators.function import evaluator
from assay.evaluators.registry import find
from assay.evaluators.sample import Sample
from assay.tasks.plan import Plan
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import report_run
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import TrialSession

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]
MakePlan = Callable[..., Plan]


def test_a_finished_run_has_nothing_left(prepare: Prepare, execute: Execute) -> None:
    """Taking it up calls neither target nor evaluator, and reports the same."""
    calls: Counter[object] = Counter()

    def answer(given: str) -> str:
        calls[given] += 1
        return given.upper()

    first = prepare(answer)
    execute(first)
    again = prepare(answer, run_id=first.run.run_id)
    tally = execute(again)
    assert (again.trials_left(), tally.target_calls, tally.computed, tally.reused) == (0, 0, 0, 3)
    assert set(calls.values()) == {1}
    before = report_run(first.run, first.grading).payload()
    assert report_run(again.run, again.grading).payload() == before


def test_a_run_that_was_only_planned_is_run(prepare: Prepare, execute: Execute) -> None:
    """In the grading that it began with."""
    first = prepare()
    again = prepare(run_id=first.run.run_id)
    assert again.grading.grading_id == first.grading.grading_id
    assert again.trials_left() == 3
    assert execute(again).target_calls == 3


def test_a_run_that_died_before_its_grading_gets_one(
    make_plan: MakePlan, execute: Execute, tmp_path: Path
) -> None:
    """The plan is written first."""
    first = prepare_run(make_plan(), store=str(tmp_path))
    shutil.rmtree(Path(first.run.place) / "gradings")
    again = prepare_run(make_plan(), store=str(tmp_path), run_id=first.run.run_id)
    assert execute(again).computed == 3


def test_the_runs_own_grading_is_filled_not_a_later_one(prepare: Prepare) -> None:
    """Somebody may have regraded what was there in the meantime."""
    first = prepare()
    first.run.create_grading("a-regrade", grading={"origin": "regrade"})
    assert prepare(run_id=first.run.run_id).grading.grading_id == first.grading.grading_id


def test_a_receipt_that_is_there_is_graded_and_not_made_again(
    prepare: Prepare, execute: Execute
) -> None:
    """A grader that crashed has cost no execution."""
    calls: Counter[object] = Counter()
    works = False

    def answer(given: str) -> str:
        calls[given] += 1
        return given.upper()

    @evaluator(revision="1")
    def judge(_sample: Sample) -> bool:
        if not works:
            raise EvaluatorError("unavailable", "judge is down")
        return True

    suite = [Assessment("judge", judge), Assessment("exact", find("text.equals_expected"))]
    first = prepare(answer, suite=suite)
    execute(first)
    works = True
    again = prepare(answer, suite=suite, run_id=first.run.run_id)
    assert again.trials_left() == 3
    tally = execute(again)
    assert (tally.target_calls, tally.computed, tally.reused) == (0, 3, 3)
    assert set(calls.values()) == {1}
    grades = again.grading.grades()
    assert set(grades["status"]) == {"completed"}
    # Three attempts failed in the first process, so the fourth is the one that counts.
    judged = grades.filter(grades["assessment_id"].cast(str) == "judge")
    assert set(judged["attempt"]) == {4}


def test_a_failed_trial_is_done(prepare: Prepare, execute: Execute) -> None:
    """Its attempts are used up; only a wish of its own repeats it."""
    calls: Counter[object] = Counter()

    def answer(given: str) -> str:
        calls[given] += 1
        raise TargetError("refused", "no")

    first = prepare(answer)
    execute(first)
    again = prepare(answer, run_id=first.run.run_id)
    assert again.trials_left() == 0
    assert execute(again).target_calls == 0


def test_an_interrupted_run_ends_as_an_undisturbed_one(prepare: Prepare, execute: Execute) -> None:
    """However often it is taken up."""
    whole = prepare(cases=6)
    execute(whole)
    parts = prepare(cases=6)
    calls = 0
    for _ in range(6):
        parts = prepare(cases=6, run_id=parts.run.run_id, concurrency=1)

        async def one_trial(key: TrialKey, session: TrialSession) -> None:
            await session.attempt(key, 1)
            session.stop()

        calls += execute(parts, host=one_trial).target_calls
    assert calls == 6
    reports = [report_run(one.run, one.grading).payload() for one in (whole, parts)]
    for report in reports:
        for name in ("run_id", "grading_id", "gradings", "duration_seconds"):
            del report[name]
    assert reports[0] == reports[1]


def _other_cases() -> list[Case]:
    return [Case(id=f"c{n}", input=f"q{n}", expected="other") for n in range(3)]


def _other(given: str) -> str:
    return given


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"cases": 2}, "dataset"),
        ({"cases": _other_cases()}, "dataset"),
        ({"target": _other}, "target"),
        ({"target_revision": "2"}, "target"),
        ({"suite": [Assessment("other", find("text.equals_expected"))]}, "suite"),
        ({"repeats": 2}, "repeats"),
        ({"repeats": 2, "cases": 2}, "dataset, another repeats"),
    ],
)
def test_another_experiment_is_refused(
    change: dict[str, object], what: str, prepare: Prepare
) -> None:
    """Half of one and half of another is no run at all."""
    first = prepare()
    with pytest.raises(InputError, match=f"got another {what}; give the changed experiment"):
        prepare(run_id=first.run.run_id, **change)
    assert first.run.journal() == ()


def test_cases_under_a_declared_identity_are_compared_all_the_same(prepare: Prepare) -> None:
    """A fixture id is a promise, and a digest a proof."""
    first = prepare(fixture_id="v1")
    with pytest.raises(InputError, match="another dataset"):
        prepare(fixture_id="v1", cases=_other_cases(), run_id=first.run.run_id)


def test_another_suite_of_a_case_is_refused(prepare: Prepare) -> None:
    """It is no part of the case's digest, and decides about its grades."""

    def cases(identity: str) -> list[Case]:
        own = Assessment(identity, find("text.equals_expected"))
        return [Case(id="a", input="x", expected="X", suite=[own])]

    first = prepare(cases=cases("own"))
    with pytest.raises(InputError, match="another suite"):
        prepare(cases=cases("other"), run_id=first.run.run_id)


def test_an_edited_evaluator_is_another_suite_unless_only_its_words_changed(
    prepare: Prepare,
) -> None:
    """A revision says that the meaning changed; a docstring does not."""

    def suite(revision: str, words: str) -> list[Assessment]:
        def check(_sample: Sample) -> bool:
            return True

        check.__doc__ = words
        return [Assessment("check", evaluator(revision=revision)(check))]

    first = prepare(suite=suite("1", "Old words."))
    assert prepare(suite=suite("1", "New words."), run_id=first.run.run_id).trials_left() == 3
    with pytest.raises(InputError, match="another suite"):
        prepare(suite=suite("2", "New words."), run_id=first.run.run_id)


def test_a_changed_file_of_the_target_is_warned_about(tmp_path: Path) -> None:
    """It may be a comment, and it may be another bot: the owner knows."""
    (tmp_path / "cases.jsonl").write_text('{"id": "a", "input": 1}\n')
    (tmp_path / "warned_bot.py").write_text("def answer(given):\n    return 1\n")
    experiment = tmp_path / "experiment.yaml"
    experiment.write_text(
        "name: x\ndataset: cases.jsonl\ntarget: warned_bot:answer\n"
        "suite: [{id: exact, use: text.equals_expected}]\n"
    )
    first = prepare_run(experiment, store=str(tmp_path / "store"))
    assert first.warnings == ()
    (tmp_path / "warned_bot.py").write_text("def answer(given):\n    return 22\n")
    again = prepare_run(experiment, store=str(tmp_path / "store"), run_id=first.run.run_id)
    assert len(again.warnings) == 1
    assert "answers of both" in again.warnings[0]
