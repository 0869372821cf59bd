"""What stands in a store says the same as what was in memory before it was stored."""

import json
from collections.abc import Sequence
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluators.assessment import AssessmentResult
from assay.evaluators.comparison import compare
from assay.evaluators.distribution import Payload
from assay.evaluators.errors import (
    Canceled,
    IncompleteRecording,
    InputError,
    InvalidComparison,
    NotEvaluated,
    Skip,
    TargetError,
    classify,
    describe,
)
from assay.evaluators.execution import Execution, Usage
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.result_columns import grading_of_results
from assay.evaluators.score import Score
from assay.evaluators.suite import SuiteResult
from assay.evaluators.summary import summarize
from assay.evaluators.trial import CaseResult, TrialResult
from assay.tasks.compare import compare_gradings
from assay.tasks.grade_columns import Identities, note_report
from assay.tasks.read_grading import read_grading
from assay.tasks.store import (
    CaseRow,
    ExecutionRow,
    GradeRow,
    GradingStore,
    RunStore,
    case_table,
    open_store,
)
from assay.tasks.summarize import summarize_grading

IDS = ("exact", "tone", "latency")
QUALITY = Metric(name="quality", namespace="text")
LATENCY = Metric(name="latency", unit="s")

SCORES = st.floats(0, 1).map(Score)
REPORTS = st.one_of(
    st.builds(lambda score: Report(metric=QUALITY, score=score), SCORES),
    st.builds(
        lambda score, limit: Report(metric=QUALITY, score=score, decision=score.decide(limit)),
        SCORES,
        st.sampled_from([0.5, 0.7]),
    ),
    st.floats(-1e300, 1e300).map(lambda value: Report(metric=LATENCY, measurement=value)),
    st.sampled_from(["kind", "rude", ""]).map(
        lambda label: Report(metric=Metric(name="tone"), label=label)
    ),
)
REASONS = st.sampled_from([ValueError("no"), Canceled(), IncompleteRecording(), Skip()])
ANSWERS = st.one_of(REPORTS, REPORTS, REASONS, st.just(NotEvaluated()))
EXECUTIONS = st.builds(
    Execution,
    output=st.just(1),
    cost=st.none() | st.floats(0, 10),
    duration_seconds=st.none() | st.floats(0, 10),
    usage=st.none() | st.builds(Usage, input_tokens=st.integers(0, 2**64)),
)
FAILURES = st.sampled_from(["timeout", "rate_limited", "internal"])


@st.composite
def trials(draw: st.DrawFn, cases: int, repeats: int) -> list[TrialResult]:
    """Trials in planned order; the second case has an assessment of its own."""
    found = []
    for number in range(cases):
        ids = (*IDS, "own") if number == 1 else IDS
        for repeat in range(repeats):
            kind = draw(st.sampled_from(["receipt", "receipt", "receipt", "failure", "nothing"]))
            answers = [draw(ANSWERS) if kind == "receipt" else NotEvaluated() for _ in ids]
            case = CaseResult(f"case-{number}", suite(ids, answers), repeat)
            receipt = draw(EXECUTIONS) if kind == "receipt" else None
            error = TargetError(draw(FAILURES)) if kind == "failure" else None
            found.append(TrialResult(case, receipt, error))
    return found


def suite(ids: Sequence[str], answers: Sequence[Report | BaseException]) -> SuiteResult:
    """The results of a suite."""
    results = (
        AssessmentResult(one, report=answer)
        if isinstance(answer, Report)
        else AssessmentResult(one, error=answer)
        for one, answer in zip(ids, answers, strict=True)
    )
    return SuiteResult(tuple(results))


def stored(
    results: Sequence[TrialResult], *, fixture_id: str = "f", sparse: bool = False
) -> tuple[RunStore, GradingStore]:
    """The trials as a run and its grading in a new store in memory.

    A sparse one lacks the rows of assessments that were never evaluated, as a crash leaves it.
    """
    store = open_store(f"memory://{uuid4()}")
    cases = list(dict.fromkeys(result.case.case_id for result in results))
    repeats = 1 + max((result.case.repeat for result in results), default=0)
    counts = {"cases": len(cases), "repeats": repeats, "trials": len(cases) * repeats}
    rows = (CaseRow(one, "1", None, "{}", None, one, one, n) for n, one in enumerate(cases))
    plan = {"name": "test", "counts": counts, "fixture_id": fixture_id}
    run = store.create_run("run", plan=plan, cases=case_table(rows))
    own = {"case-1": [*IDS, "own"]} if len(cases) > 1 else {}
    head = {"assessment_ids": list(IDS), "case_assessment_ids": own, "fixture_id": fixture_id}
    grading = run.create_grading("grading", grading=head)
    with run.execution_writer() as executions, grading.writer() as grades:
        # The last trial first: nothing may depend on the order in which trials ended.
        for result in reversed(results):
            if (row := execution_row(result)) is not None:
                executions.commit_blocking(row)
            rows_of, identities = grade_rows(result, sparse=sparse)
            if rows_of:
                grades.commit_blocking(rows_of, identities)
    return run, grading


def execution_row(result: TrialResult) -> ExecutionRow | None:
    """The row of a receipt or of a failure."""
    place = (result.case.case_id, result.case.repeat)
    error, receipt = result.execution_error, result.execution
    if error is not None:
        return ExecutionRow(
            *place, "failure", 3, error_class=classify(error), error=describe(error)
        )
    if receipt is None:
        return None
    usage = None if receipt.usage is None else json.dumps(receipt.usage.wire())
    return ExecutionRow(
        *place,
        "receipt",
        1,
        status="completed",
        output_present=True,
        output="1",
        usage=usage,
        cost=receipt.cost,
        duration_seconds=receipt.duration_seconds,
        receipt_digest="r",
    )


def grade_rows(result: TrialResult, *, sparse: bool) -> tuple[list[GradeRow], Identities]:
    """The rows of a trial's grades; there are none without a receipt."""
    identities: Identities = {}
    if result.execution is None:
        return [], identities
    rows = []
    for one in result.case.suite.results:
        if sparse and one.status == "not_evaluated":
            continue
        place = (result.case.case_id, result.case.repeat, one.id, "key", one.status, "e", "r")
        if one.report is None:
            rows.append(GradeRow(*place, error_class=one.error_class))
            continue
        note_report(identities, one.report)
        rows.append(
            GradeRow(
                *place,
                metric=one.report.metric.digest,
                observation=one.report.observation_digest,
                policy=one.report.rule_digest,
                verdict=one.verdict,
                score=None if one.report.score is None else float(one.report.score),
                measurement=one.report.measurement,
                label=one.report.label,
            )
        )
    return rows, identities


SHAPES = st.tuples(st.integers(0, 3), st.integers(1, 2))


@settings(max_examples=40)
@given(SHAPES.flatmap(lambda shape: trials(*shape)), st.booleans())
def test_a_stored_grading_has_the_summary_that_it_had_in_memory(
    results: list[TrialResult],
    sparse: bool,  # noqa: FBT001 - hypothesis gives it
) -> None:
    """Summarising anew is only allowed because it cannot change a number."""
    run, grading = stored(results, sparse=sparse)
    here, there = grading_of_results("f", results), read_grading(run, grading)
    for policy in ("failed", "unknown"):
        memory = summarize(here, target_failures=policy)
        disk = summarize(there, target_failures=policy)
        if not results:
            assert disk.payload()["trials"] == memory.payload()["trials"]
            continue
        assert disk.payload() == memory.payload()
        assert disk.metrics == memory.metrics


@settings(max_examples=40)
@given(SHAPES.flatmap(lambda shape: st.tuples(trials(*shape), trials(*shape))))
def test_stored_gradings_compare_as_they_did_in_memory(
    both: tuple[list[TrialResult], list[TrialResult]],
) -> None:
    """A comparison of old runs is one of their results, and of nothing that storing added."""
    memory = outcome(lambda: compare(*(grading_of_results("f", one) for one in both)).payload())
    disk = outcome(lambda: compare_gradings(*map(stored, both)).payload())
    if isinstance(memory, str):
        assert isinstance(disk, str)
    else:
        assert disk == memory


def outcome(work: object) -> Payload | str:
    """What a comparison says, or that it refuses."""
    try:
        return work()  # type: ignore[operator]
    except (InvalidComparison, InputError) as error:
        return str(error)


PASSED = Report(metric=QUALITY, score=Score(1.0), decision=Score(1.0).decide(0.5))


def passed(count: int) -> list[TrialResult]:
    """Trials that passed everything."""
    return [
        TrialResult(CaseResult(f"case-{n}", suite(ids, [PASSED] * len(ids))), Execution(output=1))
        for n in range(count)
        for ids in [(*IDS, "own") if n == 1 else IDS]
    ]


def test_a_planned_trial_without_a_row_was_not_run() -> None:
    """A run that was killed half-way is half a run, not a whole smaller one."""
    results = passed(4)
    run, grading = stored([*results[:2], *(TrialResult(one.case) for one in results[2:])])
    payload = summarize_grading(run, grading).payload()
    assert (payload["trials"]["planned"], payload["trials"]["not_run"]) == (4, 2)
    rates = payload["pass_rate"]
    assert (rates["over_planned"], rates["over_graded"], rates["high"]) == (0.5, 1.0, 1.0)
    assert payload["assessments"][0]["not_evaluated"] == 2


def test_b05_a_run_without_graders_keeps_its_receipts() -> None:
    """B05: everything can still be graded, and nothing looks like a result."""
    results = [TrialResult(CaseResult("c", suite(["x"], [PASSED])), Execution(output=1, cost=1.0))]
    run, _ = stored(results)
    bare = run.create_grading("bare", grading={"assessment_ids": [], "fixture_id": "f"})
    payload = summarize_grading(run, bare).payload()
    assert (payload["trials"]["ungraded"], payload["cost"]) == (1, 1.0)
    assert payload["assessments"] == []
    assert payload["pass_rate"]["over_graded"] is None


def test_late_results_are_counted_beside_the_trials() -> None:
    """They came too late to count, and too dear to hide."""
    run, grading = stored(passed(2))
    with run.execution_writer() as executions:
        executions.commit_blocking(ExecutionRow("case-0", 0, "late", 1, status="completed"))
    payload = summarize_grading(run, grading, abandoned=1).payload()["trials"]
    assert (payload["late"], payload["abandoned"], payload["planned"]) == (1, 1, 2)


def test_grades_that_were_carried_over_are_told_apart() -> None:
    """What a regrade cost is what it computed."""
    run, grading = stored(passed(1))
    with grading.writer() as grades:
        row = GradeRow("case-0", 0, "exact", "k", "skipped", "e", "r", reused_from="old", attempt=2)
        grades.commit_blocking([row])
    assert summarize_grading(run, grading).payload()["grades"] == {"computed": 2, "reused": 1}


def test_ids_that_only_grades_name_are_declared_by_them() -> None:
    """An older or imported grading may lack the list of its assessments."""
    run, _ = stored(passed(1))
    bare = run.create_grading("bare", grading={"fixture_id": "f"})
    with bare.writer() as grades:
        grades.commit_blocking([GradeRow("case-0", 0, "exact", "k", "skipped", "e", "r")])
    summary = summarize_grading(run, bare)
    assert [(one.id, one.declared) for one in summary.assessments] == [("exact", 1)]
    assert summary.trials.not_applicable == 1


def test_a_summary_is_kept_beside_its_grades() -> None:
    """It is derived: whoever deletes it gets it again."""
    run, grading = stored(passed(3))
    summarize_grading(run, grading)
    frame = grading.summary()
    assert frame is not None
    rates = frame.filter(statistic="pass_rate.over_planned")
    assert rates["value"].to_list() == [1.0]
    means = frame.filter(statistic="score.mean", assessment_id="exact")
    assert means.select("metric", "value").rows() == [("text/quality", 1.0)]
    again = frame
    summarize_grading(run, grading)
    assert grading.summary().equals(again)


@pytest.mark.parametrize(
    ("count", "fixture_id", "reason"),
    [(2, "other", "the same fixture"), (3, "f", "the same cases")],
)
def test_gradings_that_do_not_belong_together_are_refused_in_one_sentence(
    count: int, fixture_id: str, reason: str
) -> None:
    """The user typed two ids, so the answer names both."""
    with pytest.raises(
        InputError, match=f"grading and grading cannot be compared: .*{reason}"
    ) as caught:
        compare_gradings(stored(passed(2)), stored(passed(count), fixture_id=fixture_id))
    assert caught.value.kind == "comparison"
    assert "\n" not in str(caught.value)
