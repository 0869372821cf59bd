"""An experiment in memory: every case has a result, whatever happened."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from assay.evaluators.assessment import Assessment
from assay.evaluators.cancellation import Cancellation
from assay.evaluators.case import Case
from assay.evaluators.dataset import Dataset
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import InvalidExperiment, NotEvaluated, is_a
from assay.evaluators.execution import Execution
from assay.evaluators.experiment import Experiment
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.sample import Sample
from assay.evaluators.score import Score
from assay.evaluators.suite import Suite

PASSED = Report(
    metric=Metric(name="quality"), score=Score(1.0), decision=Score(1.0).decide(threshold=0.5)
)


class Judge:
    """An evaluator that answers with a coroutine's result, and remembers what it saw."""

    def __init__(self, answer: Callable[[Sample], Awaitable[Report]] | None = None) -> None:
        self.descriptor = Descriptor(name="judge", revision="1")
        self.seen: list[Sample] = []
        self._answer = answer

    async def evaluate(self, subject: Sample) -> Report:
        """The report, after noting the subject."""
        self.seen.append(subject)
        return PASSED if self._answer is None else await self._answer(subject)


def suite_of(judge: Judge) -> Suite:
    """A suite of one assessment."""
    return Suite([Assessment("quality", judge)])


def dataset(count: int, **fixture: str) -> Dataset:
    """Cases `case-0`, `case-1`, ..."""
    return Dataset(cases=[Case(id=f"case-{n}", input=n) for n in range(count)], **fixture)


async def refuse(sample: Sample) -> Report:
    """An evaluator that cannot decide."""
    msg = f"no answer for {sample.case_id}"
    raise ValueError(msg)


def test_every_case_is_reported_in_declared_order() -> None:
    """Who finishes first must not decide where a case stands."""

    async def slower_first(sample: Sample) -> Report:
        await asyncio.sleep(0.01 * (3 - int(sample.case_id[-1])))
        return PASSED

    run = asyncio.run(Experiment(dataset(4), suite_of(Judge(slower_first))).run())
    assert run.error is None
    assert [case.case_id for case in run.report.cases] == [f"case-{n}" for n in range(4)]
    assert run.report.summary.cases.passed == 4


def test_fail_fast_stops_at_the_first_failed_case() -> None:
    """Kernel 6.4 example 5: the evaluator is called once, and all cases are in the report."""
    judge = Judge(refuse)
    experiment = Experiment(
        dataset(3), suite_of(judge), max_concurrency=1, error_policy="fail_fast"
    )
    run = asyncio.run(experiment.run())
    assert len(judge.seen) == 1
    assert "case-0" in str(run.error)
    assert is_a(run.error, ValueError)
    statuses = [case.suite.results[0].status for case in run.report.cases]
    assert statuses == ["failed", "not_evaluated", "not_evaluated"]
    assert run.report.cases[1].suite.results[0].error.__cause__ is None
    counts = run.report.summary.cases
    assert (counts.errors, counts.evaluated, counts.partial) == (3, 0, 0)


def test_four_cases_run_at_the_same_time_by_default() -> None:
    """Kernel 6.4 example 6: with five cases exactly four start before any finishes."""
    started: list[str] = []

    async def run() -> int:
        gate = asyncio.Event()

        async def wait(sample: Sample) -> Report:
            started.append(sample.case_id)
            await gate.wait()
            return PASSED

        running = asyncio.create_task(Experiment(dataset(5), suite_of(Judge(wait))).run())
        for _ in range(50):
            await asyncio.sleep(0.001)
        before = len(started)
        gate.set()
        await running
        return before

    assert asyncio.run(run()) == 4
    assert len(started) == 5


def test_a_cancelled_experiment_calls_nobody() -> None:
    """Kernel 6.4 example 7: error cancellation, zero calls, each case knows the cause."""
    judge, token = Judge(), Cancellation()
    cause = KeyboardInterrupt()
    token.cancel(cause)
    run = asyncio.run(Experiment(dataset(3), suite_of(judge)).run(cancellation=token))
    assert run.error is cause
    assert judge.seen == []
    for case in run.report.cases:
        assert is_a(case.suite.err(), NotEvaluated)
        assert is_a(case.suite.err(), KeyboardInterrupt)


def test_collecting_reports_no_error_even_if_every_case_failed() -> None:
    """Kernel 6.2: a run that ended is no statement about what it found."""
    run = asyncio.run(Experiment(dataset(3), suite_of(Judge(refuse))).run())
    assert run.error is None
    assert run.report.summary.cases.errors == 3


def test_missing_evidence_does_not_stop_a_fail_fast_experiment() -> None:
    """Ours: unverified is no failed assessment (DESIGN 3.1), though it is incomplete."""
    judge = Judge()
    judge.descriptor = Descriptor(name="judge", revision="1", requires=("spans",))
    experiment = Experiment(dataset(3), suite_of(judge), error_policy="fail_fast")
    run = asyncio.run(experiment.run())
    assert run.error is None
    assert [one.counts["unverified"] for one in run.report.summary.assessments] == [3]


def test_a_cancellation_between_cases_keeps_what_was_found() -> None:
    """The case that ended is paid for; the rest was never attempted and says why."""
    token = Cancellation()

    async def last_one(_: Sample) -> Report:
        token.cancel()
        return PASSED

    experiment = Experiment(dataset(3), suite_of(Judge(last_one)), max_concurrency=1)
    run = asyncio.run(experiment.run(cancellation=token))
    statuses = [case.suite.results[0].status for case in run.report.cases]
    assert statuses == ["completed", "not_evaluated", "not_evaluated"]
    assert run.error is token.cause
    assert run.report.cases[2].suite.results[0].error.__cause__ is token.cause


def test_an_empty_dataset_gives_an_empty_report() -> None:
    """Kernel 6.1 allows no cases, so an experiment over none must end."""
    run = asyncio.run(Experiment(dataset(0), suite_of(Judge())).run())
    assert run.error is None
    assert run.report.cases == ()
    assert run.report.summary.cases.total == 0


def test_without_executions_the_input_itself_is_judged() -> None:
    """Offline subjects have no target; Python objects arrive as they are."""
    subject = object()
    judge = Judge()
    data = Dataset(cases=[Case(id="a", input=subject)], fixture="mine")
    asyncio.run(Experiment(data, suite_of(judge)).run())
    assert judge.seen[0].output is subject
    assert judge.seen[0].input is subject


def test_executions_are_judged_beside_their_cases() -> None:
    """Recorded answers can be graded with no target at hand."""
    judge = Judge()
    data = dataset(2)
    recorded = {case.id: Execution(output=f"answer {case.id}") for case in data}
    asyncio.run(Experiment(data, suite_of(judge)).run(executions=recorded))
    assert {sample.case_id: sample.output for sample in judge.seen} == {
        "case-0": "answer case-0",
        "case-1": "answer case-1",
    }


@pytest.mark.parametrize("ids", [(), ("case-0",), ("case-0", "case-1", "case-2")])
def test_executions_must_be_those_of_the_cases(ids: tuple[str, ...]) -> None:
    """A misspelt id must not silently judge an input instead of an answer."""
    experiment = Experiment(dataset(2), suite_of(Judge()))
    with pytest.raises(InvalidExperiment, match="one for each case"):
        asyncio.run(experiment.run(executions={one: Execution(output=1) for one in ids}))


def test_a_case_runs_its_own_assessments_behind_the_suite() -> None:
    """A check that makes sense for one case alone stays with it."""
    own = Assessment("own", Judge())
    data = Dataset(cases=[Case(id="a", input=1), Case(id="b", input=2, suite=(own,))])
    report = asyncio.run(Experiment(data, suite_of(Judge())).run()).report
    assert [one.id for one in report.cases[1].suite.results] == ["quality", "own"]
    assert [(one.id, one.declared) for one in report.summary.assessments] == [
        ("quality", 2),
        ("own", 1),
    ]


def test_metadata_of_a_case_stands_on_its_result() -> None:
    """Results are grouped by it later."""
    data = Dataset(cases=[Case(id="a", input=1, metadata={"kind": "easy"})])
    report = asyncio.run(Experiment(data, suite_of(Judge())).run()).report
    assert report.cases[0].metadata == OpenMap.of({"kind": "easy"})


@pytest.mark.parametrize(
    ("data", "suite", "settings"),
    [
        pytest.param(None, suite_of(Judge()), {}, id="no dataset"),
        pytest.param(dataset(1), None, {}, id="no suite"),
        pytest.param(dataset(1), suite_of(Judge()), {"max_concurrency": -1}, id="concurrency"),
        pytest.param(dataset(1), suite_of(Judge()), {"error_policy": "unknown"}, id="policy"),
        pytest.param(
            Dataset(cases=[Case(id="a", input=object())]), suite_of(Judge()), {}, id="no fixture"
        ),
        pytest.param(
            Dataset(cases=[Case(id="a", input=1, suite=(Assessment("quality", Judge()),))]),
            suite_of(Judge()),
            {},
            id="ids clash",
        ),
    ],
)
def test_a_wrong_experiment_is_refused_before_anything_runs(
    data: Dataset, suite: Suite, settings: dict[str, object]
) -> None:
    """Kernel 6.2: misconfiguration shows before anything is paid for."""
    with pytest.raises(InvalidExperiment, match="experiment"):
        Experiment(data, suite, **settings)
