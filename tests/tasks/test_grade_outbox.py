"""Results are durable soon, and all of them at the end, whatever ends the work."""

import asyncio
import time
from collections.abc import Callable

import pytest

from assay.evaluators.assessment import Assessment, AssessmentResult
from assay.evaluators.function import evaluator
from assay.evaluators.metric import Metric
from assay.evaluators.report import Report
from assay.evaluators.retained import CaseTexts, ExecutionTexts
from assay.evaluators.sample import Sample
from assay.tasks import grade_outbox
from assay.tasks.grade_job import GradeJob
from assay.tasks.grade_key import Graded
from assay.tasks.grade_outbox import GradeOutbox, Results
from assay.tasks.mask_secrets import NO_SECRETS
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.store import GradeWriter, GradingStore, StoreError

REPORT = Report(metric=Metric(name="near"), label="x")


@evaluator(revision="1")
def near(_sample: Sample) -> str:
    """Stand for any evaluator: it is never called here."""
    return "x"


def _job(number: int) -> GradeJob:
    graded = Graded(f"c{number}", 0, "sha256:case", "sha256:receipt")
    texts = CaseTexts(graded.case_id, "1", None, "{}")
    return GradeJob(graded, texts, ExecutionTexts("completed", "1"), Assessment("near", near))


RESULTS: Results = (AssessmentResult("near", report=REPORT),)


@pytest.fixture
def grading(prepare: Callable[..., PreparedRun]) -> GradingStore:
    """A grading without grades."""
    return prepare().grading


def _wait_for_grades(grading: GradingStore) -> None:
    while grading.grades().height == 0:
        time.sleep(0.02)


def _outbox(writer: GradeWriter, settled: list[str] | None = None) -> GradeOutbox:
    known = [] if settled is None else settled
    return GradeOutbox(writer, NO_SECRETS, lambda job, _: known.append(job.graded.case_id))


def test_all_results_are_durable_when_the_work_has_ended(grading: GradingStore) -> None:
    """And each was settled once, on the loop."""
    settled: list[str] = []

    async def run() -> None:
        async with grading.writer() as writer:
            outbox = _outbox(writer, settled)

            async def work() -> None:
                await asyncio.to_thread(lambda: [outbox.put(_job(n), RESULTS) for n in range(5)])

            await outbox.ship(work())
            assert grading.grades().height == 5

    asyncio.run(run())
    assert sorted(settled) == [f"c{n}" for n in range(5)]


def test_results_of_slow_work_do_not_wait_for_its_end(
    grading: GradingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge may take hours for a chunk, and the process may die any time."""
    monkeypatch.setattr(grade_outbox, "_PATIENCE_SECONDS", 0.02)

    async def run() -> None:
        async with grading.writer() as writer:
            outbox = _outbox(writer)

            async def work() -> None:
                outbox.put(_job(0), RESULTS)
                await asyncio.to_thread(_wait_for_grades, grading)
                outbox.put(_job(1), RESULTS)

            await asyncio.wait_for(outbox.ship(work()), 30)

    asyncio.run(run())
    assert grading.grades().height == 2


@pytest.mark.parametrize("error", [ValueError("a bug"), KeyboardInterrupt()])
def test_work_that_fails_leaves_what_it_found(error: BaseException, grading: GradingStore) -> None:
    """Its error is raised as it is, not in a group."""

    async def run() -> None:
        async with grading.writer() as writer:
            outbox = _outbox(writer)

            async def work() -> None:
                outbox.put(_job(0), RESULTS)
                raise error

            await outbox.ship(work())

    with pytest.raises(type(error)):
        asyncio.run(run())
    assert grading.grades().height == 1


def test_work_that_is_cancelled_leaves_what_it_found(grading: GradingStore) -> None:
    """Ctrl-C loses no answer of a judge."""

    async def run() -> None:
        async with grading.writer() as writer:
            outbox = _outbox(writer)

            async def work() -> None:
                outbox.put(_job(0), RESULTS)
                await asyncio.sleep(60)

            shipping = asyncio.create_task(outbox.ship(work()))
            await asyncio.sleep(0.05)
            shipping.cancel()
            await asyncio.wait([shipping])
            assert shipping.cancelled()

    asyncio.run(run())
    assert grading.grades().height == 1


def test_a_store_that_fails_ends_the_work(
    grading: GradingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody pays a judge for answers that cannot be kept."""
    monkeypatch.setattr(grade_outbox, "_PATIENCE_SECONDS", 0.01)

    async def run() -> None:
        writer = grading.writer()
        await writer.close()
        outbox = _outbox(writer)

        async def work() -> None:
            while True:
                outbox.put(_job(0), RESULTS)
                await asyncio.sleep(0.01)

        await asyncio.wait_for(outbox.ship(work()), 30)

    with pytest.raises(StoreError, match="closed"):
        asyncio.run(run())
