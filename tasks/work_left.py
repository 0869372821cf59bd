"""What is left of a run: trials without an execution, and missing grades."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.tasks.planned_run import PlannedRun
from assay.tasks.result_makers import ResultMakers
from assay.tasks.reusable_grades import REUSABLE
from assay.tasks.store import GradingStore, RunStore
from assay.tasks.trial_key import TrialKey


@dataclass(frozen=True, slots=True)
class GradedBefore:
    """What earlier processes graded of a trial.

    Attributes:
        ids: Results that need not be made again.
        attempts: The highest attempt that any of the trial's grades is of; 0 where it has none.
    """

    ids: frozenset[str] = frozenset()
    attempts: int = 0


_NOTHING = GradedBefore()


@dataclass(frozen=True, slots=True)
class WorkLeft:
    """What of the planned trials has been done.

    Attributes:
        done: Trials with nothing left to do: they failed for good, are fully graded, or are of a
            case that was forgotten.
        received: Of the other trials, those whose receipt is there.
        failed: Trials whose attempts are used up, whether they are done or to be repeated.
        graded: What is graded already, of trials that are not done.
        grades_kept: How many grades earlier processes left that are not made again.
    """

    done: frozenset[TrialKey] = frozenset()
    received: frozenset[TrialKey] = frozenset()
    failed: frozenset[TrialKey] = frozenset()
    graded: Mapping[TrialKey, GradedBefore] = field(default_factory=dict)
    grades_kept: int = 0

    def graded_before(self, key: TrialKey) -> GradedBefore:
        """What earlier processes graded of the trial."""
        return self.graded.get(key, _NOTHING)


def work_left(
    run: RunStore,
    grading: GradingStore | None,
    planned: PlannedRun,
    *,
    retry_failed: bool = False,
) -> WorkLeft:
    """What is left of a run, as its store says.

    A grade that failed is to be made again, and so is one by an evaluator that is not the planned
    one any more.

    Args:
        run: The run.
        grading: The grading that its trials fill; None where it has none yet.
        planned: What the run does.
        retry_failed: Trials whose attempts are used up are to be repeated.

    Raises:
        StoreError: when a part cannot be read.
    """
    executions = run.executions(["case_id", "repeat", "kind"])
    kinds = {TrialKey(case_id, repeat): kind for case_id, repeat, kind in executions.iter_rows()}
    received = frozenset(key for key, kind in kinds.items() if kind == "receipt")
    failed = frozenset(kinds) - received
    graded = {} if grading is None else _graded_before(grading, planned)
    erased = _erased(run, planned)
    whole = frozenset(key for key in received if _is_graded(planned, key, graded)) | erased
    done = whole if retry_failed else whole | failed
    return WorkLeft(
        done=done,
        received=received - whole,
        failed=failed,
        graded={key: one for key, one in graded.items() if key not in done},
        grades_kept=sum(len(one.ids) for one in graded.values()),
    )


def _erased(run: RunStore, planned: PlannedRun) -> frozenset[TrialKey]:
    """The trials of forgotten cases: what they would answer must not be stored again."""
    forgotten = run.forgotten_cases()
    return frozenset(key for key in planned.trials() if forgotten and key.case_id in forgotten)


def _graded_before(grading: GradingStore, planned: PlannedRun) -> dict[TrialKey, GradedBefore]:
    columns = ["case_id", "repeat", "assessment_id", "status", "attempt", "evaluator"]
    ids: dict[TrialKey, set[str]] = {}
    attempts: Counter[TrialKey] = Counter()
    makers = ResultMakers(planned)
    for case_id, repeat, identity, status, attempt, evaluator in grading.grades(
        columns
    ).iter_rows():
        key = TrialKey(case_id, repeat)
        attempts[key] = max(attempt, attempts[key])
        settled = ids.setdefault(key, set())
        if status in REUSABLE and makers.of(case_id).get(identity) == evaluator:
            settled.add(identity)
    return {key: GradedBefore(frozenset(ids[key]), attempts[key]) for key in ids}


def _is_graded(planned: PlannedRun, key: TrialKey, graded: Mapping[TrialKey, GradedBefore]) -> bool:
    return key in graded and graded[key].ids.issuperset(planned.suite_of(key.case_id).ids)
