"""Many synchronous gradings, in as few threads as their length allows."""

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from assay.evaluators.assess import assess_now
from assay.evaluators.assessment import Assessment, AssessmentResult, settle
from assay.evaluators.errors import EvaluatorError
from assay.evaluators.off_loop import run_off_loop
from assay.evaluators.sample import Sample

Results = tuple[AssessmentResult, ...]

_POLL_SECONDS = 0.05
_SLOW_CALL_SECONDS = 0.005


class Job(Protocol):
    """One assessment of one sample."""

    @property
    def sample(self) -> Sample:
        """What the evaluator sees; made in the thread that grades."""
        ...

    @property
    def assessment(self) -> Assessment:
        """What looks at it; synchronous."""
        ...


class _Lane:
    """A thread's place in the work: which job it is at, and since when."""

    __slots__ = ("job", "since", "stopped")

    def __init__(self) -> None:
        self.job: int | None = None
        self.since = 0.0
        self.stopped = False


class GradeLanes:
    """Grades jobs one after the other in a thread, and in more threads when the calls are slow.

    A call that takes longer than the limit is given up on: its result is a timeout, its thread is
    left behind, and another goes on with the rest. Nothing else is shared between calls.

    Args:
        jobs: What is graded.
        on_result: Called once for each job, with its index and its results, in any thread; it must
            neither block nor raise.
        most_lanes: How many threads at most.
        timeout_seconds: The limit of a call, or None.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        on_result: Callable[[int, Results], None],
        *,
        most_lanes: int,
        timeout_seconds: float | None,
    ) -> None:
        self._jobs = jobs
        self._on_result = on_result
        self._most_lanes = max(1, most_lanes)
        self._timeout = timeout_seconds
        self._next = 0
        self._finished = 0
        self._lanes: list[_Lane] = []
        self._lock = threading.Lock()
        self._threads: set[asyncio.Task[object]] = set()

    async def run(self) -> None:
        """Return when there are results of every job."""
        if self._jobs:
            self._add_lane()
        try:
            await self._watch()
        finally:
            self._stop_all()

    async def _watch(self) -> None:
        finished_before = 0
        while self._finished < len(self._jobs):
            await asyncio.wait(self._threads, timeout=_POLL_SECONDS)
            self._threads = {one for one in self._threads if not one.done()}
            self._give_up_on_late_calls()
            calls = self._finished - finished_before
            finished_before = self._finished
            slow = calls * _SLOW_CALL_SECONDS < _POLL_SECONDS * len(self._lanes)
            wanted = self._next < len(self._jobs) and len(self._lanes) < self._most_lanes
            if wanted and (slow or not self._lanes):
                self._add_lane()

    def _add_lane(self) -> None:
        lane = _Lane()
        with self._lock:
            self._lanes.append(lane)
        work = run_off_loop(lambda: self._work(lane))
        self._threads.add(asyncio.create_task(work))

    def _work(self, lane: _Lane) -> None:
        index = self._next_job(lane)
        while index is not None:
            job = self._jobs[index]
            # A context of its own keeps what an evaluator sets there from the next evaluator.
            results = contextvars.copy_context().run(assess_now, job.assessment, job.sample)
            index = self._next_job(lane, results)

    def _next_job(self, lane: _Lane, results: Results | None = None) -> int | None:
        """The job to do now, if there is one; takes the results of the one before."""
        with self._lock:
            if lane.stopped:
                return None
            if lane.job is not None and results is not None:
                self._on_result(lane.job, results)
                self._finished += 1
                lane.job = None
            if self._next >= len(self._jobs):
                self._lanes.remove(lane)
                return None
            lane.job, self._next = self._next, self._next + 1
            lane.since = time.monotonic()
            return lane.job

    def _give_up_on_late_calls(self) -> None:
        if self._timeout is None:
            return
        now = time.monotonic()
        with self._lock:
            for lane in list(self._lanes):
                if lane.job is None or now - lane.since <= self._timeout:
                    continue
                lane.stopped = True
                self._lanes.remove(lane)
                error = EvaluatorError(
                    "timeout", f"the evaluator took longer than {self._timeout:g} s"
                )
                assessment = self._jobs[lane.job].assessment
                self._on_result(lane.job, settle(assessment, error, now - lane.since))
                self._finished += 1

    def _stop_all(self) -> None:
        with self._lock:
            for lane in self._lanes:
                lane.stopped = True
