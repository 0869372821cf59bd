"""A bounded collector of what happens to agents while they run."""

import asyncio
import threading
from collections.abc import Callable, Mapping

from assay.evaluators.errors import IncompleteRecording
from assay.evaluators.trajectory.recording.coverage import Coverage
from assay.evaluators.trajectory.recording.event import Event
from assay.evaluators.trajectory.recording.model_call import ModelCall
from assay.evaluators.trajectory.recording.session import (
    ModelSettlement,
    RootResult,
    Session,
    ToolSettlement,
)
from assay.evaluators.trajectory.recording.tool_run import ToolRun
from assay.evaluators.trajectory.recording.trajectory import Trajectory

MOST_TREES = 64
_OPENING = ("agent.process.started", "agent.process.restored")


class Recorder:
    """Collects events and calls of many process trees, from any thread.

    It keeps at most 64 trees, 65,536 events and 8,192 calls of each; what is beyond is counted as a
    gap and never raised. A session opens when a root starts or is restored; what belongs to no
    session is ignored.

    Args:
        clock: Monotonic nanoseconds, such as `time.monotonic_ns`.
    """

    def __init__(self, *, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._roots: dict[str, str] = {}
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def observe(self, event: Event) -> None:
        """Take in an event; one of an unknown tree opens a session or is ignored."""
        root = event.relation.root_process_id
        with self._lock:
            session = self._sessions.get(root) or self._opened(event)
            if session is None:
                return
            self._roots[event.process_id] = root
            session.observe(event)
        self._wake()

    def _opened(self, event: Event) -> Session | None:
        opening = event.name in _OPENING and event.relation.depth == 0
        if not opening or len(self._sessions) >= MOST_TREES:
            return None
        return self._sessions.setdefault(event.process_id, Session(self._clock))

    def start_model(self, call: ModelCall) -> None:
        """Take in that a model call began: attribution and request, no outcome."""
        with self._lock:
            session = self._session_of(call.process_id)
            if session is not None:
                session.start_model(call)

    def settle_model(self, call: ModelCall, settlement: ModelSettlement) -> None:
        """Take in how a model call ended; of `call` only the attempt is read."""
        with self._lock:
            session = self._session_of(call.process_id)
            if session is not None:
                session.settle_model(call.attempt, settlement)

    def start_tool(self, run: ToolRun) -> None:
        """Take in that a tool call began: attribution and call, no outcome."""
        with self._lock:
            session = self._session_of(run.process_id)
            if session is not None:
                session.start_tool(run)

    def settle_tool(self, run: ToolRun, settlement: ToolSettlement) -> None:
        """Take in how a tool call ended; `run` stands in where its start was not seen."""
        with self._lock:
            session = self._session_of(run.process_id)
            if session is not None:
                session.settle_tool(run, settlement)

    def finish(self, root: str, result: RootResult) -> None:
        """Take in the committed result of a root; the first one stays."""
        with self._lock:
            session = self._sessions.get(root)
            if session is not None and session.result is None:
                session.result = result
        self._wake()

    async def take(
        self, root: str, coverage: Coverage | Mapping[str, object] | None = None
    ) -> Trajectory:
        """The record of a tree, once all of it has ended; then the tree is unknown here.

        Cancelling the wait, also by a time limit of the caller's own, keeps the session.

        Args:
            root: The root of the tree.
            coverage: The host's classification of external operations, or what it is made of.

        Raises:
            InvalidTrajectory: when the coverage is invalid, before anything is taken; or when the
                evidence contradicts itself.
            IncompleteRecording: when no root of this id is being recorded.
        """
        if isinstance(coverage, Mapping):
            coverage = Coverage.model_validate(coverage)
        while True:
            changed = asyncio.Event()
            with self._lock:
                session = self._sessions.get(root)
                if session is None:
                    msg = "no root of this id is being recorded"
                    raise IncompleteRecording(msg)
                if session.over:
                    self._forget(root)
                    break
                waiter = (asyncio.get_running_loop(), changed)
                self._waiting.append(waiter)
            try:
                await changed.wait()
            finally:
                self._leave(waiter)
        return session.record(root, coverage)

    def discard(self, root: str) -> None:
        """Forget a tree; what still comes of it is ignored."""
        with self._lock:
            self._forget(root)
        self._wake()

    def _forget(self, root: str) -> None:
        self._sessions.pop(root, None)
        self._roots = {process: tree for process, tree in self._roots.items() if tree != root}

    def _session_of(self, process: str) -> Session | None:
        return self._sessions.get(self._roots.get(process, ""))

    def _wake(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for loop, changed in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(changed.set)

    def _leave(self, waiter: tuple[asyncio.AbstractEventLoop, asyncio.Event]) -> None:
        with self._lock:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
