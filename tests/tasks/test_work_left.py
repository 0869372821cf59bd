"""What is left of a run, as its store says."""

from collections.abc import Callable

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import EvaluatorError, TargetError
from assay.evaluators.function import evaluator
from assay.evaluators.registry import find
from assay.evaluators.sample import Sample
from assay.tasks.plan import Plan
from assay.tasks.plan_run import plan_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.tally import Tally
from assay.tasks.trial_key import TrialKey
from assay.tasks.work_left import WorkLeft, work_left

Prepare = Callable[..., PreparedRun]
Execute = Callable[..., Tally]


def _left(prepared: PreparedRun, **asked: bool) -> WorkLeft:
    return work_left(prepared.run, prepared.grading, prepared.planned, **asked)


def _keys(*numbers: int) -> set[TrialKey]:
    return {TrialKey(f"c{number}", 0) for number in numbers}


def test_all_is_left_of_a_run_that_is_planned(prepare: Prepare) -> None:
    """With or without a grading to look at."""
    prepared = prepare()
    assert _left(prepared) == WorkLeft()
    assert work_left(prepared.run, None, prepared.planned) == WorkLeft()


def test_nothing_is_left_of_a_run_that_has_ended(prepare: Prepare, execute: Execute) -> None:
    """Every trial is graded, and every grade counted as there."""
    prepared = prepare()
    execute(prepared)
    left = _left(prepared)
    assert (left.done, left.received, left.failed) == (_keys(0, 1, 2), set(), set())
    assert (left.grades_kept, left.graded) == (3, {})


def test_a_receipt_without_a_grading_is_to_be_graded(prepare: Prepare, execute: Execute) -> None:
    """A process may have died, or a store lost its derived files."""
    prepared = prepare()
    execute(prepared)
    left = work_left(prepared.run, None, prepared.planned)
    assert (left.done, left.received) == (set(), _keys(0, 1, 2))


def test_a_trial_that_failed_is_done_unless_it_is_to_be_repeated(
    prepare: Prepare, execute: Execute
) -> None:
    """It is named as failed in both cases."""

    def answer(given: str) -> str:
        if given == "q1":
            raise TargetError("refused", "no")
        return given.upper()

    prepared = prepare(answer)
    execute(prepared)
    kept, repeated = _left(prepared), _left(prepared, retry_failed=True)
    assert (kept.done, kept.failed) == (_keys(0, 1, 2), _keys(1))
    assert (repeated.done, repeated.failed) == (_keys(0, 2), _keys(1))
    assert repeated.received == set()


def test_a_grade_that_failed_is_to_be_made_again(prepare: Prepare, execute: Execute) -> None:
    """Beside it, the ones that are there stay; the attempt goes on counting."""

    @evaluator(revision="1")
    def judge(sample: Sample) -> bool:
        if sample.input == "q1":
            raise EvaluatorError("refused", "no")
        return True

    prepared = prepare(suite=[Assessment("judge", judge), Assessment("exact", _exact())])
    execute(prepared)
    left = _left(prepared)
    assert (left.done, left.received) == (_keys(0, 2), _keys(1))
    before = left.graded_before(TrialKey("c1", 0))
    assert (before.ids, before.attempts) == ({"exact"}, 1)
    assert left.graded_before(TrialKey("other", 0)).attempts == 0


def test_a_grade_by_another_evaluator_is_to_be_made_again(
    make_plan: Callable[..., Plan], prepare: Prepare, execute: Execute
) -> None:
    """Of the suite, or of a case of its own; the rest stays."""

    def parts(suite_case: bool, own_case: bool) -> dict[str, object]:  # noqa: FBT001 - two settings
        own = Assessment("own", _exact(ignore_case=own_case))
        cases = [
            Case(id="c0", input="q0", expected="Q0"),
            Case(id="c1", input="q1", expected="Q1", suite=[own]),
        ]
        return {"cases": cases, "suite": [Assessment("exact", _exact(ignore_case=suite_case))]}

    prepared = prepare(**parts(suite_case=False, own_case=False))
    execute(prepared)

    def left(**cases: bool) -> WorkLeft:
        return work_left(prepared.run, prepared.grading, plan_run(make_plan(**parts(**cases))))

    assert left(suite_case=False, own_case=False).received == set()
    assert left(suite_case=True, own_case=False).received == _keys(0, 1)
    changed = left(suite_case=False, own_case=True)
    assert changed.received == _keys(1)
    assert changed.graded_before(TrialKey("c1", 0)).ids == {"exact"}


def _exact(**settings: object) -> object:
    return find("text.equals_expected").configured(settings)
