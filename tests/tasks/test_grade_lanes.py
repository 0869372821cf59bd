"""Many synchronous gradings in few threads: in order, and none of them for ever."""

import asyncio
import contextvars
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import Skip
from assay.evaluators.execution import Execution
from assay.evaluators.function import evaluator
from assay.evaluators.sample import Sample
from assay.tasks.grade_lanes import GradeLanes, Results


@dataclass(frozen=True)
class Job:
    """One assessment of one sample."""

    sample: Sample
    assessment: Assessment


def _run(
    grade: Callable[[Sample], object],
    inputs: list[object],
    *,
    most_lanes: int = 4,
    timeout_seconds: float | None = None,
) -> list[Results]:
    assessment = Assessment("check", evaluator(revision="1")(grade))
    jobs = [
        Job(Sample(Case(id=f"c{n}", input=given), Execution(output=None)), assessment)
        for n, given in enumerate(inputs)
    ]
    found: dict[int, Results] = {}
    lanes = GradeLanes(
        jobs, found.__setitem__, most_lanes=most_lanes, timeout_seconds=timeout_seconds
    )
    asyncio.run(lanes.run())
    return [found[index] for index in range(len(jobs))]


def test_results_come_in_the_order_of_the_jobs() -> None:
    """Whichever thread was faster."""

    def label(sample: Sample) -> str:
        time.sleep(0.05 if sample.input == 0 else 0)
        return str(sample.input)

    results = _run(label, list(range(40)))
    labels = [result.report.label for (result,) in results if result.report is not None]
    assert labels == [str(n) for n in range(40)]


def test_no_jobs_have_no_results() -> None:
    """A chunk whose grades are all there already."""
    assert _run(lambda _: True, []) == []


def test_a_call_that_never_returns_is_given_up_on_and_the_rest_is_graded() -> None:
    """One bad input must not cost the other thousand their grades."""
    forever = threading.Event()

    def check(sample: Sample) -> bool:
        if sample.input in (1, 3):
            forever.wait(60)
        return True

    started = time.monotonic()
    results = _run(check, list(range(6)), most_lanes=1, timeout_seconds=0.1)
    assert time.monotonic() - started < 10
    forever.set()
    statuses = [result.status for (result,) in results]
    assert statuses == ["completed", "failed", "completed", "failed", "completed", "completed"]
    assert [result.error_class for (result,) in results if result.error] == ["timeout", "timeout"]


def test_the_limit_is_each_calls_own() -> None:
    """Many calls may take longer together than one may."""
    results = _run(lambda _: time.sleep(0.02) is None, list(range(20)), timeout_seconds=0.2)
    assert {result.status for (result,) in results} == {"completed"}


def test_what_comes_after_the_limit_is_dropped() -> None:
    """A grade does not change its mind."""
    let_go = threading.Event()

    def check(sample: Sample) -> bool:
        if sample.input == 0:
            let_go.wait(60)
        else:
            let_go.set()
            time.sleep(0.1)  # the late call returns while this one is still at it
        return True

    results = _run(check, [0, 1], most_lanes=1, timeout_seconds=0.3)
    assert [result.status for (result,) in results] == ["failed", "completed"]


def test_slow_calls_get_several_lanes_and_fast_ones_do_not() -> None:
    """Threads help where calls wait, and cost where they compute."""
    threads: set[int] = set()

    def sleeping(_sample: Sample) -> bool:
        threads.add(threading.get_ident())
        time.sleep(0.1)
        return True

    started = time.monotonic()
    _run(sleeping, list(range(24)), most_lanes=8)
    assert time.monotonic() - started < 2.4 / 2
    assert 2 <= len(threads) <= 8

    threads.clear()

    def quick(_sample: Sample) -> bool:
        threads.add(threading.get_ident())
        return True

    _run(quick, list(range(3000)), most_lanes=8)
    assert len(threads) == 1


def test_whatever_an_evaluator_raises_is_its_result() -> None:
    """SystemExit included: the lane goes on."""

    def rude(sample: Sample) -> bool:
        if sample.input == 0:
            raise SystemExit(1)
        if sample.input == 1:
            raise Skip("does not apply")
        return True

    results = _run(rude, [0, 1, 2], most_lanes=1)
    assert [result.status for (result,) in results] == ["failed", "skipped", "completed"]


def test_an_evaluator_sees_nothing_of_the_one_before() -> None:
    """What it sets in a context variable is its own."""
    seen = contextvars.ContextVar("seen", default=0)

    def check(_sample: Sample) -> int:
        before = seen.get()
        seen.set(before + 1)
        return before

    results = _run(check, [0] * 5, most_lanes=1)
    measured = [result.report.measurement for (result,) in results if result.report is not None]
    assert measured == [0] * 5


def test_a_cancelled_grading_leaves_at_once() -> None:
    """And its lanes start nothing any more."""
    begun: list[object] = []
    first, forever = threading.Event(), threading.Event()

    def check(sample: Sample) -> bool:
        begun.append(sample.input)
        first.set()
        forever.wait(60)
        return True

    async def run() -> None:
        assessment = Assessment("check", evaluator(revision="1")(check))
        jobs = [Job(Sample(Case(id="c", input=n), Execution()), assessment) for n in range(5)]
        lanes = GradeLanes(jobs, lambda *_: None, most_lanes=1, timeout_seconds=None)
        running = asyncio.create_task(lanes.run())
        await asyncio.to_thread(first.wait)
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()

    asyncio.run(run())
    forever.set()
    time.sleep(0.05)
    assert begun == [0]


def test_a_grader_that_hangs_keeps_no_process_alive() -> None:
    """One that computes for ever in Python (B32); foreign code is for `isolation: process`."""
    program = """
        import asyncio
        from assay.evaluators.assessment import Assessment
        from assay.evaluators.case import Case
        from assay.evaluators.execution import Execution
        from assay.evaluators.function import evaluator
        from assay.evaluators.sample import Sample
        from dataclasses import dataclass
        from assay.tasks.grade_lanes import GradeLanes

        @dataclass
        class Job:
            sample: object
            assessment: Assessment

        @evaluator(revision="1")
        def count(sample):
            total = 0
            while sample.input == 0:
                total += 1
            return True

        jobs = [
            Job(Sample(Case(id="c", input=n), Execution()), Assessment("count", count))
            for n in (0, 1)
        ]
        found = {}
        lanes = GradeLanes(jobs, found.__setitem__, most_lanes=1, timeout_seconds=0.2)
        asyncio.run(lanes.run())
        print([found[n][0].status for n in (0, 1)])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.strip() == "['failed', 'completed']"
