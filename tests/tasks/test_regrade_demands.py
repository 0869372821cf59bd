"""What a regrade computes and what it carries over, as it was asked to."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.forget import forget_case
from assay.tasks.prepare_regrade import PreparedRegrade, prepare_regrade
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.regrade_chunk import RegradeChunk
from assay.tasks.regrade_chunks import grade_all
from assay.tasks.regrade_demand import RegradeDemand
from assay.tasks.regrade_report import RegradeReport
from assay.tasks.regrade_step import RegradeStep
from assay.tasks.store import GradingStore, open_store
from assay.tasks.tally import Tally
from assay.tasks.verify_store import verify_store

Execute = Callable[..., Tally]
Regrade = Callable[..., RegradeReport]
Run = Callable[[], PreparedRun]

GRADERS = """
from pathlib import Path

from assay import evaluator
from assay.evaluators.errors import EvaluatorError

HERE = Path(__file__).parent


def called(name):
    with (HERE / "calls.log").open("a") as log:
        log.write(name + "\\n")


def nth(name):
    return (HERE / "calls.log").read_text().split().count(name)


@evaluator(revision="{revision}")
def same(sample):
    called("same")
    return sample.output == sample.expected


@evaluator(revision="1")
def shaky(sample):
    called("shaky")
    if sample.input in ("q0", "q2") and not (HERE / "mended").exists():
        raise EvaluatorError("malformed_reply", "no verdict")
    return True


@evaluator(revision="1")
def counter(sample):
    called("counter")
    return f"call {nth('counter')} for repeat {sample.repeat}"


@evaluator()
def unversioned(sample):
    called("unversioned")
    return True


@evaluator(revision="1")
def recovers(sample):
    called("recovers")
    if nth("recovers") <= 4:
        raise EvaluatorError("unavailable", "later")
    return True
"""


@pytest.fixture
def graders(graded_folder: Path) -> Callable[..., None]:
    """Writes the graders, and the suite of the run out of them."""

    def write(*names: str, revision: str = "1", more: str = "") -> None:
        text = GRADERS.replace("{revision}", revision) + more
        (graded_folder / "graders.py").write_text(text, encoding="utf-8")
        entries = (f'- {{id: {one}, use: "graders:{one}"}}\n' for one in names)
        (graded_folder / "suite.yaml").write_text("".join(entries))

    return write


@pytest.fixture
def ran(graded_folder: Path, execute: Execute, address: str) -> Run:
    """Runs the experiment of the folder, and forgets its calls."""

    def run() -> PreparedRun:
        prepared = prepare_run(graded_folder / "experiment.yaml", store=address)
        execute(prepared)
        _forget_calls(graded_folder)
        return prepared

    return run


def _forget_calls(folder: Path) -> None:
    (folder / "calls.log").write_text("")


def _calls(folder: Path) -> Counter[str]:
    return Counter((folder / "calls.log").read_text().split())


def _suite(folder: Path, *names: str) -> Path:
    path = folder / "other.yaml"
    path.write_text("".join(f'- {{id: {one}, use: "graders:{one}"}}\n' for one in names))
    return path


def _only(*words: str) -> RegradeDemand:
    return RegradeDemand(only=words)


def _grading(prepared: PreparedRun, report: RegradeReport) -> GradingStore:
    return prepared.run.grading(report.report.grading_id)


def _column(grading: GradingStore, column: str, assessment: str) -> dict[str, object]:
    rows = grading.grades(["case_id", "assessment_id", column]).rows()
    return {case_id: value for case_id, name, value in sorted(rows) if name == assessment}


def test_only_failed_computes_what_broke_and_nothing_else(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """A judge that was down for an hour costs an hour's calls; a wrong answer stays wrong."""
    graders("same", "shaky")
    first = ran()
    (graded_folder / "mended").touch()
    report = regrade(first.run.run_id, demand=_only("failed"))
    assert _calls(graded_folder) == {"shaky": 2}
    assert (report.report.computed, report.report.reused) == (2, 6)
    statuses = _column(_grading(first, report), "status", "shaky")
    assert statuses == dict.fromkeys(("c0", "c1", "c2", "c3"), "completed")
    assert [flip.reason for flip in report.flips] == ["was failed", "was failed"]


def test_only_fail_computes_the_answers_that_were_judged_wrong(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """By the verdict: what failed to be judged is carried over as it is."""
    graders("same", "shaky")
    first = ran()
    report = regrade(first.run.run_id, demand=_only("fail"))
    assert _calls(graded_folder) == {"same": 2}
    assert report.carried == {"completed": 4, "failed": 2}
    assert report.payload()["carried"] == {"completed": 4, "failed": 2}
    statuses = _column(_grading(first, report), "status", "shaky")
    assert [one for one, status in statuses.items() if status == "failed"] == ["c0", "c2"]


def test_only_an_assessment_computes_it_and_carries_the_others_over(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Even a failed grade, which nobody asked about."""
    graders("same", "shaky", "counter")
    first = ran()
    report = regrade(first.run.run_id, demand=_only("counter"))
    assert _calls(graded_folder) == {"counter": 4}
    assert report.tally.absent.total() == 0
    origins = _grading(first, report).grades(["assessment_id", "reused_from"]).rows()
    assert {origin for name, origin in origins if name != "counter"} == {first.grading.grading_id}
    assert {origin for name, origin in origins if name == "counter"} == {None}


def test_demands_are_added_up(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """What broke, and one assessment anew."""
    graders("same", "shaky", "counter")
    first = ran()
    regrade(first.run.run_id, demand=_only("failed", "counter"))
    assert _calls(graded_folder) == {"counter": 4, "shaky": 2}


def test_what_cannot_be_carried_over_stays_visible(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """The evaluator beside it has changed: its old grades are not its own, and none is invented."""
    graders("same", "shaky")
    first = ran()
    (graded_folder / "mended").touch()
    graders("same", "shaky", revision="2")
    report = regrade(first.run.run_id, demand=_only("failed"))
    assert _calls(graded_folder) == {"shaky": 2}
    statuses = _column(_grading(first, report), "status", "same")
    assert set(statuses.values()) == {"not_evaluated"}
    (same, shaky) = report.payload()["by_assessment"]  # type: ignore[misc]
    assert same == {"id": "same", "reused": 0, "computed": 0, "failed": 0, "not_evaluated": 4}
    assert shaky == {"id": "shaky", "reused": 2, "computed": 2, "failed": 0, "not_evaluated": 0}
    summary = report.report.summary
    assert (summary.trials.planned, summary.trials.partly_graded) == (4, 4)
    assert summary.headline.planned == summary.headline.unknown == 4
    assert "4 not evaluated because not asked for" in report.verdict_line()
    assert report.flips[0].assessment_id == "shaky", "a grade that nobody made has not flipped"
    # And the next one, which is asked for what changed, computes them.
    _forget_calls(graded_folder)
    after = regrade(first.run.run_id)
    assert _calls(graded_folder) == {"same": 4}
    assert after.tally.absent.total() == 0


def test_a_changed_revision_is_computed_and_an_edit_under_one_is_not(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Who declares a revision answers for it; who does not is held to every edit of the module."""
    graders("same", "unversioned")
    first = ran()
    graders("same", "unversioned", more="\n\ndef unrelated():\n    return 1\n")
    report = regrade(first.run.run_id)
    assert _calls(graded_folder) == {"unversioned": 4}
    _forget_calls(graded_folder)
    graders("same", revision="2")
    report = regrade(first.run.run_id, suite=_suite(graded_folder, "same"))
    assert _calls(graded_folder) == {"same": 4}
    assert report.flips == (), "the answers are the same"


def test_fresh_carries_nothing_over_and_is_what_counts_from_then_on(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """A judge that answers otherwise today was asked because of that."""
    graders("counter")
    first = ran()
    fresh = regrade(first.run.run_id, demand=RegradeDemand(fresh=True))
    assert _calls(graded_folder) == {"counter": 4}
    assert fresh.report.reused == 0
    after = regrade(first.run.run_id)
    assert after.report.reused == 4
    labels = [_column(_grading(first, one), "label", "counter") for one in (fresh, after)]
    assert labels[0] == labels[1]
    assert set(_grading(first, after).grades(["reused_from"])["reused_from"]) == {
        fresh.report.grading_id
    }


def test_repeats_with_equal_answers_keep_their_own_grades(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Equal receipts have one key; a judge that wavers said something of each, and nobody asked."""
    experiment = graded_folder / "experiment.yaml"
    experiment.write_text(experiment.read_text() + "repeats: 3\n")
    graders("counter")
    first = ran()

    def labels(grading: GradingStore) -> list[tuple[str, int, str]]:
        return sorted(grading.grades(["case_id", "repeat", "label"]).rows())

    report = regrade(first.run.run_id)
    assert labels(_grading(first, report)) == labels(first.grading)
    assert len({(case_id, label) for case_id, _, label in labels(first.grading)}) == 12


def test_an_assessment_that_there_is_not_is_refused(
    graders: Callable[..., None], ran: Run, regrade: Regrade
) -> None:
    """Before a grading is begun."""
    graders("same")
    first = ran()
    with pytest.raises(InputError, match=r"--only: expected .*, same, got 'sane'"):
        regrade(first.run.run_id, demand=_only("sane"))
    assert len(first.run.grading_ids()) == 1


def test_several_outputs_are_computed_or_carried_over_together(
    ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """They come from one call; either name means both."""
    first = ran()
    for word in ("facts", "facts.first"):
        report = regrade(first.run.run_id, demand=_only(word))
        assert _calls(graded_folder) == {"facts": 4}
        _forget_calls(graded_folder)
        assert (report.report.computed, report.report.reused) == (8, 16)


def test_an_evaluator_that_recovers_is_called_again(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """By the experiment's retries; each grade counts once, with the attempt that made it."""
    graders("same")
    experiment = graded_folder / "experiment.yaml"
    text = experiment.read_text().replace("{attempts: 1}", "{attempts: 3, backoff_seconds: 0}")
    experiment.write_text(text)
    first = ran()
    report = regrade(first.run.run_id, suite=_suite(graded_folder, "same", "recovers"))
    assert _calls(graded_folder) == {"recovers": 8}
    grading = _grading(first, report)
    assert set(_column(grading, "status", "recovers").values()) == {"completed"}
    assert set(_column(grading, "attempt", "recovers").values()) == {2}
    assert (report.tally.computed["recovers"], report.tally.failed["recovers"]) == (4, 0)


class _Killed(BaseException):
    """Stands for a process that dies."""


@pytest.mark.parametrize("demand", [RegradeDemand(), RegradeDemand(fresh=True), _only("counter")])
def test_a_regrade_that_was_killed_goes_on_where_it_was(
    demand: RegradeDemand,
    graders: Callable[..., None],
    ran: Run,
    regrade: Regrade,
    graded_folder: Path,
) -> None:
    """What a judge was paid for is not paid again, whatever was asked for."""
    graders("same")
    first = ran()
    suite = _suite(graded_folder, "same", "counter")
    if demand.ids:
        regrade(first.run.run_id, suite=suite)
        _forget_calls(graded_folder)
    opened = open_store(first.store.url)
    prepared = prepare_regrade(opened, first.run.run_id, suite=suite, demand=demand)
    _kill_within(prepared)
    assert 0 < _calls(graded_folder)["counter"] < 4
    report = regrade(first.run.run_id, suite=suite, demand=demand)
    assert _calls(graded_folder)["counter"] == 4, "no call was made twice"
    labels = _column(_grading(first, report), "label", "counter")
    assert len(set(labels.values())) == 4
    assert report.before != prepared.grading.grading_id
    # Asked for once more, after it has ended, it is another regrade.
    computed = {"changed": 0, "fresh": 8, "counter": 4}
    word = "fresh" if demand.fresh else "".join(demand.only) or "changed"
    again = regrade(first.run.run_id, suite=suite, demand=demand)
    assert again.report.computed == computed[word]


def _kill_within(prepared: PreparedRegrade) -> None:
    """Begin a regrade whose process dies when some of its receipts are graded."""
    chunks: list[RegradeStep] = []

    async def dies(step: RegradeStep) -> None:
        chunks.extend([step] if isinstance(step, RegradeChunk) else [])
        if len(chunks) == 3:
            raise _Killed
        await step.attempt(1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.tasks.regrade_chunk.CHUNK_ROWS", 1)
        with pytest.raises(_Killed):
            asyncio.run(grade_all(prepared, dies))


def test_a_forgotten_case_is_unverified_where_a_grade_is_missing(
    ran: Run, regrade: Regrade, address: str, graded_folder: Path
) -> None:
    """Its old grades stay; a new question about it has no answer, and no evaluator is called."""
    first = ran()
    forget_case(open_store(address), "c1")
    suite = _suite(graded_folder, "same", "long")
    suite.write_text(suite.read_text().replace(':long"}', ':long", with: {minimum: 1}}'))
    report = regrade(first.run.run_id, suite=suite)
    assert _calls(graded_folder) == {"long": 3}
    statuses = _column(_grading(first, report), "status", "long")
    assert statuses == {"c0": "completed", "c1": "unverified", "c2": "completed", "c3": "completed"}
    assert _column(_grading(first, report), "status", "same")["c1"] == "completed"


def _write_cases(folder: Path, *cases: dict[str, object]) -> str:
    path = folder / "corrected.jsonl"
    path.write_text("\n".join(map(json.dumps, cases)))
    return str(path)


def test_a_corrected_dataset_grades_old_answers_anew(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Only the cases that it corrects; the others keep their grades, and those left out a name."""
    graders("same")
    first = ran()
    dataset = _write_cases(
        graded_folder,
        {"id": "c0", "input": "q0", "expected": "Q0"},
        {"id": "c2", "input": "q2", "expected": "Q2"},
        {"id": "c3", "input": "another question", "expected": "Q3"},
        {"id": "c9", "input": "q9", "expected": "Q9"},
    )
    report = regrade(first.run.run_id, dataset=dataset)
    assert _calls(graded_folder) == {"same": 1}
    assert [(flip.case_id, flip.before, flip.after, flip.reason) for flip in report.flips] == [
        ("c2", "fail", "pass", "expected value changed")
    ]
    left_out = {"changed_input": ["c3"], "vanished": ["c1"], "new": ["c9"]}
    assert report.payload()["left_out"] == left_out
    grading = _grading(first, report)
    assert grading.info["left_out"] == left_out
    assert grading.info["fixture_id"] != first.grading.info["fixture_id"]
    summary = report.report.summary
    assert (summary.trials.planned, summary.headline.passes) == (2, 2)
    cases = grading.cases(["case_id", "expected"])
    assert cases is not None
    assert cases.rows() == [("c0", '"Q0"'), ("c2", '"Q2"')]


def test_a_corrected_metadata_is_named_as_the_reason(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """Evaluators read it; and with another evaluator, both are reasons."""
    graders("same")
    first = ran()
    more = (
        '\n\n@evaluator(name="same", revision="3")\ndef strict(sample):\n'
        "    return bool(sample.metadata)\n"
    )
    graders("same", more=more)
    suite = graded_folder / "other.yaml"
    suite.write_text('- {id: same, use: "graders:strict"}\n')
    cases = [{"id": f"c{n}", "input": f"q{n}", "expected": f"Q{n % 2}"} for n in range(4)]
    dataset = _write_cases(graded_folder, *cases[:3], {**cases[3], "metadata": {"level": 2}})
    report = regrade(first.run.run_id, suite=suite, dataset=dataset)
    assert {flip.case_id: flip.reason for flip in report.flips} == {
        "c0": "evaluator changed: revision",
        "c1": "evaluator changed: revision",
        "c3": "metadata changed; evaluator changed: revision",
    }


def test_without_the_dataset_the_runs_own_cases_are_graded_again(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """A correction belongs to its grading; the older one's grades are still there."""
    graders("same")
    first = ran()
    dataset = _write_cases(graded_folder, {"id": "c2", "input": "q2", "expected": "Q2"})
    regrade(first.run.run_id, dataset=dataset)
    _forget_calls(graded_folder)
    report = regrade(first.run.run_id)
    assert _calls(graded_folder) == {}
    assert report.report.summary.trials.planned == 4
    assert [(flip.case_id, flip.reason) for flip in report.flips] == [
        ("c2", "expected value changed")
    ]


def test_a_dataset_of_other_cases_begins_no_grading(
    graders: Callable[..., None], ran: Run, regrade: Regrade, graded_folder: Path
) -> None:
    """It is the wrong file."""
    graders("same")
    first = ran()
    with pytest.raises(InputError, match=r"corrected\.jsonl"):
        regrade(first.run.run_id, dataset=_write_cases(graded_folder, {"id": "z", "input": 1}))
    assert len(first.run.grading_ids()) == 1


def test_every_kind_of_regrade_leaves_a_store_that_verifies(
    graders: Callable[..., None], ran: Run, regrade: Regrade, address: str, graded_folder: Path
) -> None:
    """Keys, references and counts fit, whatever was carried over, computed and left out."""
    graders("same", "shaky", "counter")
    first = ran()
    run_id = first.run.run_id
    regrade(run_id)
    regrade(run_id, demand=_only("failed"))
    regrade(run_id, demand=RegradeDemand(fresh=True))
    graders("same", "shaky", "counter", revision="2")
    regrade(run_id, demand=_only("shaky"))
    regrade(
        run_id,
        dataset=_write_cases(
            graded_folder,
            {"id": "c2", "input": "q2", "expected": "Q2"},
            {"id": "c0", "input": "q0", "expected": "Q0", "metadata": {"new": True}},
        ),
    )
    suite = graded_folder / "other.yaml"
    suite.write_text('- {id: renamed, use: "graders:same"}\n')
    regrade(run_id, suite=suite)
    assert verify_store(open_store(address)) == ()


def test_a_case_is_forgotten_in_corrected_cases_too(
    graders: Callable[..., None], ran: Run, regrade: Regrade, address: str, graded_folder: Path
) -> None:
    """A grading's own snapshot says as much of it as the run's."""
    graders("same")
    first = ran()
    case = {"id": "c2", "input": "q2", "expected": "top secret"}
    report = regrade(first.run.run_id, dataset=_write_cases(graded_folder, case))
    forget_case(open_store(address), "c2")
    cases = open_store(address).run(first.run.run_id).grading(report.report.grading_id).cases()
    assert cases is not None
    assert "secret" not in str(cases.rows())
    assert verify_store(open_store(address)) == ()
    again = regrade(
        first.run.run_id,
        dataset=_write_cases(graded_folder, {**case, "input": "q9"}, {"id": "c0", "input": "q0"}),
    )
    assert again.left_out is not None
    assert again.left_out.changed_input == ("c2",)
