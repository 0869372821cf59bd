"""Runs evaluators in worker processes, where they can be killed."""

import asyncio
import os
import threading
import weakref
from types import TracebackType
from typing import Self

from assay.evaluators.errors import EvaluatorError
from assay.evaluators.evaluator import Evaluator
from assay.evaluators.off_loop import run_off_loop
from assay.evaluators.outcome import Raised, TimedOutcome
from assay.tasks.isolation.errand import Errand
from assay.tasks.isolation.worker_process import WorkerProcess


class EvaluatorProcesses:
    """A few worker processes, started when they are first needed and used again and again.

    For evaluators of isolation `process`. An evaluator that reaches its limit is killed, and so is
    whatever it started; one that takes its process down has failed with class `internal`. Any
    thread and any event loop may call. No worker outlives this process.

    Args:
        max_workers: How many evaluators run at a time; 0 is one for each processor.
    """

    def __init__(self, *, max_workers: int = 0) -> None:
        self._pool = _Pool(max_workers or os.cpu_count() or 1)
        self._finalizer = weakref.finalize(self, self._pool.close)

    async def call(
        self, evaluator: Evaluator[object], subject: object, seconds: float | None
    ) -> TimedOutcome[object]:
        """The evaluator's answer, its error, or that it was killed at the limit.

        The limit counts from when the evaluator begins, not from when it is queued or loaded. A
        cancellation kills it.
        """
        turn = _Turn()
        try:
            outcome = await run_off_loop(lambda: self._pool.ask(turn, evaluator, subject, seconds))
        except asyncio.CancelledError:
            self._pool.give_up(turn)
            raise
        return outcome if isinstance(outcome, Raised) else outcome.value

    def close(self) -> None:
        """Kill every worker; evaluators that still run have failed."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await run_off_loop(self.close)


class _Turn:
    """A call's place in the queue, and then its worker."""

    def __init__(self) -> None:
        self.given_up = False
        self.worker: WorkerProcess | None = None


class _Pool:
    def __init__(self, size: int) -> None:
        self._size = size
        self._changed = threading.Condition()
        self._free: list[WorkerProcess] = []
        self._busy: set[_Turn] = set()
        self._closed = False

    def ask(
        self, turn: _Turn, evaluator: Evaluator[object], subject: object, seconds: float | None
    ) -> TimedOutcome[object]:
        """Run the evaluator when it is the call's turn; from a thread that may wait."""
        errand = Errand.pack(evaluator, subject, seconds)
        self._take(turn)
        try:
            worker = self._worker(turn)
            return worker.ask(errand)
        finally:
            self._return(turn)

    def give_up(self, turn: _Turn) -> None:
        """Nobody wants the call's answer any more."""
        with self._changed:
            turn.given_up = True
            if turn.worker is not None:
                turn.worker.kill()
            self._changed.notify_all()

    def close(self) -> None:
        """Kill all workers, and refuse all calls from now on."""
        with self._changed:
            self._closed = True
            free, self._free = self._free, []
            busy = [turn.worker for turn in self._busy if turn.worker is not None]
            self._changed.notify_all()
        for worker in (*busy, *free):
            worker.kill()
        for worker in free:
            worker.close()

    def _take(self, turn: _Turn) -> None:
        with self._changed:
            while len(self._busy) >= self._size and not self._ended(turn):
                self._changed.wait()
            self._require_wanted(turn)
            self._busy.add(turn)

    def _worker(self, turn: _Turn) -> WorkerProcess:
        """A worker that sees the modules that this process sees."""
        with self._changed:
            worker = self._free.pop() if self._free else None
        if worker is not None and not worker.fits():
            worker.kill()
            worker.close()
            worker = None
        worker = worker or WorkerProcess()
        with self._changed:
            turn.worker = worker
            if self._ended(turn):
                worker.kill()
        return worker

    def _return(self, turn: _Turn) -> None:
        with self._changed:
            self._busy.discard(turn)
            worker, turn.worker = turn.worker, None
            keep = worker is not None and worker.alive and not self._ended(turn)
            if keep and worker is not None:
                self._free.append(worker)
            self._changed.notify()
        if worker is not None and not keep:
            worker.kill()
            worker.close()

    def _ended(self, turn: _Turn) -> bool:
        return self._closed or turn.given_up

    def _require_wanted(self, turn: _Turn) -> None:
        if self._ended(turn):
            msg = "the evaluator was not run: the run has ended"
            raise EvaluatorError("canceled", msg)
