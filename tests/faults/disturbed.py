"""A run that faults are done to: the real command in processes, its store, and its log of calls."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from assay.tasks.store import RunStore, open_store
from assay.tasks.verify_store import verify_run

HERE = Path(__file__).parent
EXPERIMENT = HERE / "experiment"
LAUNCH = HERE / "launch.py"
CASES, REPEATS, CONCURRENCY = 30, 2, 4
TRIALS = CASES * REPEATS
FLAKY = "c03"
MOST_CALLS = {FLAKY: 3}
"""How often a trial calls the target at most, where it is not once."""

_PATIENCE_SECONDS = 300.0  # a hang is a failure, a slow machine is not
_OF_ITS_OWN = ("run_id", "grading_id", "gradings", "duration_seconds", "target_calls", "grades")
_ASSAY = ("-P", "-m", "assay.flows.cli")

Trial = tuple[str, int]
NONE: frozenset[Trial] = frozenset()


@dataclass
class Command:
    """A command in a process of its own, in a session of its own.

    Attributes:
        process: The process.
        out: What it writes to standard output goes here.
        err: What it writes to standard error goes here.
    """

    process: subprocess.Popen[bytes]
    out: Path
    err: Path

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    def ended(self) -> bool:
        """True if it has ended."""
        return self.process.poll() is not None

    def wait(self) -> int:
        """Its exit code."""
        try:
            return self.process.wait(_PATIENCE_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it by SIGKILL, if it has not ended."""
        self.process.kill()
        self.process.wait()

    def payload(self) -> dict[str, object]:
        """The object that it printed."""
        printed = json.loads(self.out.read_text())
        assert isinstance(printed, dict)
        return printed

    def said(self) -> str:
        """What it said on standard error."""
        return self.err.read_text(errors="replace")


@dataclass(frozen=True)
class Durable:
    """What is in the store.

    Attributes:
        receipts: Trials with a receipt.
        ended: Trials with a receipt or a failure.
    """

    receipts: frozenset[Trial] = frozenset()
    ended: frozenset[Trial] = frozenset()

    def missing(self, case_id: str) -> int:
        """How many trials of a case have neither."""
        return REPEATS - sum(one == case_id for one, _ in self.ended)


@dataclass
class Disturbed:
    """One run of the experiment.

    Attributes:
        folder: The experiment, and all that comes of it.
        api_url: The Prefect server.
        store: Path or URL of the store.
        run_id: The run.
        environ: More environment variables for its processes.
    """

    folder: Path
    api_url: str
    store: str = ""
    run_id: str = "disturbed"
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Copy the experiment."""
        shutil.copytree(EXPERIMENT, self.folder / "experiment")
        self.store = self.store or str(self.folder / "store")
        self._commands: list[Command] = []

    # its processes

    def start(self, *arguments: str, fault: str = "witness") -> Command:
        """Start a command of `assay`, with a fault built in."""
        return self.started(self.program(*arguments, fault=fault))

    def started(self, program: Sequence[str]) -> Command:
        """Start a program, in a session of its own."""
        name = self.folder / f"command-{len(self._commands)}"
        out, err = name.with_suffix(".out"), name.with_suffix(".err")
        with ExitStack() as files:
            process = subprocess.Popen(
                program,
                cwd=self.folder,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=files.enter_context(out.open("wb")),
                stderr=files.enter_context(err.open("wb")),
                start_new_session=True,
            )
        self._commands.append(Command(process, out, err))
        return self._commands[-1]

    def program(self, *arguments: str, fault: str = "witness") -> list[str]:
        """The words of a command."""
        started = [sys.executable, str(LAUNCH), fault, *arguments]
        return [*started, "--store", self.store, "--json"]

    def environment(self) -> Mapping[str, str]:
        """The environment variables of a command."""
        return {
            **os.environ,
            "PREFECT_API_URL": self.api_url,
            "FAULTS_LOG": str(self.log),
            **self.environ,
        }

    def begin(self, fault: str = "witness") -> Command:
        """Start the run."""
        return self.start(*self.beginning(), fault=fault)

    def beginning(self) -> tuple[str, ...]:
        """The command that starts the run."""
        return "run", str(self.folder / "experiment" / "experiment.yaml"), "--run-id", self.run_id

    def go_on(self, fault: str = "witness") -> Command:
        """Go on with the run; start it where it was killed before it was there."""
        arguments = self.beginning() if self.run() is None else ("resume", self.run_id)
        return self.start(*arguments, fault=fault)

    def regrading(self) -> tuple[str, ...]:
        """The command that grades the run with another suite."""
        return "regrade", self.run_id, "--suite", str(self.folder / "experiment" / "later.yaml")

    def finish(self, *, known_loss: frozenset[Trial] = NONE) -> dict[str, object]:
        """Go on with the run, undisturbed, to its end; its report.

        Args:
            known_loss: Trials that somebody took out of the store.
        """
        before = self.durable()
        command = self.go_on()
        code = command.wait()
        assert code in {0, 1, 3}, command.said()
        self.account_for(command, before, known_loss=known_loss)
        called, missing = self.calls(command.pid), TRIALS - len(before.ended)
        assert called.total() - called[FLAKY] == missing - before.missing(FLAKY)
        run = self.run()
        assert run is not None
        problems = verify_run(run)
        assert not problems, "\n".join(map(str, problems))
        return command.payload()

    def show(self) -> dict[str, object]:
        """The report of the run as it is in the store."""
        command = self.start("show", self.run_id)
        assert command.wait() in {0, 1, 3}, command.said()
        return command.payload()

    def end_all(self) -> None:
        """End what still runs."""
        for command in self._commands:
            command.kill()

    # what happened

    @property
    def log(self) -> Path:
        """Where the target and the witnesses note what happens."""
        return self.folder / f"{self.run_id}.log"

    def lines(self, word: str) -> list[list[str]]:
        """The lines of the log about one kind of event, as words; the process id is the first."""
        if not self.log.exists():
            return []
        lines = [line.split() for line in self.log.read_text().splitlines()]
        return [line for line in lines if line[1] == word]

    def calls(self, pid: int | None = None) -> Counter[str]:
        """How often the target was called for each case, by all processes or by one."""
        lines = self.lines("called")
        return Counter(f"c{asked[1:]}" for caller, _, asked in lines if pid in {None, int(caller)})

    def acknowledged(self) -> set[Trial]:
        """Trials that a grader has seen, so that their receipt was acknowledged."""
        return {(case_id, int(repeat)) for _, _, case_id, repeat in self.lines("acknowledged")}

    def returned(self) -> set[Trial]:
        """Trials that have returned."""
        return {(case_id, int(repeat)) for _, _, case_id, repeat in self.lines("returned")}

    def run(self) -> RunStore | None:
        """The run, or None while it is not there."""
        store = open_store(self.store)
        return (
            store.run(self.run_id) if self.run_id in {one.run_id for one in store.runs()} else None
        )

    def durable(self) -> Durable:
        """What is in the store."""
        run = self.run()
        if run is None:
            return Durable()
        rows = run.executions(["case_id", "repeat", "kind"])
        ended = [(case_id, repeat) for case_id, repeat, _ in rows.iter_rows()]
        receipts = {(case, repeat) for case, repeat, kind in rows.iter_rows() if kind == "receipt"}
        assert len(ended) == len(set(ended)), "a trial is in the report twice"
        return Durable(frozenset(receipts), frozenset(ended))

    @property
    def nothing(self) -> Durable:
        """What is in a store before a run."""
        return Durable()

    def graded(self, identity: str) -> int:
        """How many trials have a grade of an assessment, in any of the run's gradings."""
        run, columns = self.run(), ["case_id", "repeat", "assessment_id"]
        rows = [
            row for one in (run.gradings() if run else ()) for row in one.grades(columns).rows()
        ]
        return len({row for row in rows if row[2] == identity})

    def account_for(
        self, command: Command, before: Durable, *, known_loss: frozenset[Trial] = NONE
    ) -> int:
        """Check what a process left; how many calls of the target it made in vain.

        Everything acknowledged is there, nothing that was there has gone, and the target was asked
        for trials alone that were missing when the process started.
        """
        after, called = self.durable(), self.calls(command.pid)
        assert before.receipts <= after.receipts
        assert before.ended <= after.ended
        assert self.acknowledged() - known_loss <= after.receipts
        assert self.returned() - known_loss <= after.ended
        for case_id, calls in called.items():
            assert calls <= before.missing(case_id) * MOST_CALLS.get(case_id, 1), case_id
        gained = len(after.ended) - len(before.ended)
        return max(0, called.total() - called[FLAKY] - gained)


def comparable(payload: Mapping[str, object]) -> str:
    """The report without ids, times and what single processes did, as text."""
    assert "trials" in payload, payload
    left = {name: value for name, value in payload.items() if name not in _OF_ITS_OWN}
    return json.dumps(left, indent=1, sort_keys=True)


def wait_until(happened: Callable[[], bool], command: Command | None = None) -> bool:
    """True once it has happened; False if the command ended before it did."""
    ends_at = time.monotonic() + _PATIENCE_SECONDS
    while not happened():
        if command is not None and command.ended():
            return happened()
        assert time.monotonic() < ends_at, "nothing happens any more"
        time.sleep(0.002)
    return True
