"""The command as a process: hostile code, Ctrl-C at any moment, and going on afterwards."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL

ASSAY = str(Path(sys.executable).with_name("assay"))
LONGEST_SECONDS = 240
"""Generous: a busy machine takes long to start a server."""

HOSTILE = '''
import asyncio, sys, threading

class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no")

def recurse():
    return recurse()

async def exits():
    raise SystemExit(9)

def act(kind):
    """Do what the kind says; the good one comes back."""
    match kind:
        case "exit": sys.exit(3)
        case "interrupt": raise KeyboardInterrupt
        case "recursion": recurse()
        case "generator exit": raise GeneratorExit
        case "cancel": raise asyncio.CancelledError
        case "unprintable": raise Unprintable
        case "stop": raise StopIteration
        case "base": raise BaseException("base")
        case "coroutine": return exits()
        case "never": threading.Event().wait()
        case "bytes": return b"x"
        case "nan": return float("nan")
        case "object": return object()
        case "huge": return "x" * 5_000_000
        case "prints": print("{}")
    return "good"
'''

HOSTILE_GRADERS = """
import os
from assay import evaluator
from hostile import act

@evaluator(name="fine", revision="1")
def fine(sample) -> bool:
    return True

@evaluator(name="here", revision="1")
def here(sample):
    answer = act(sample.metadata.get("here", "good"))
    return True if answer == "good" else answer

@evaluator(name="apart", revision="1", isolation="process")
def apart(sample):
    kind = sample.metadata.get("apart", "good")
    if kind == "dies":
        os._exit(0)
    answer = act(kind)
    return True if answer == "good" else answer
"""

INTERNAL = (
    "exit",
    "interrupt",
    "recursion",
    "generator exit",
    "unprintable",
    "stop",
    "base",
    "coroutine",
)
"""What a target or a grader may raise, and is internal."""

NOT_JSON = ("bytes", "nan", "object")
"""What it may return, and is not to be stored."""


@pytest.fixture
def environ() -> dict[str, str]:
    """The environment of a command that uses the session's Prefect server."""
    return {**os.environ, "PREFECT_API_URL": str(PREFECT_API_URL.value())}


def write_hostile(folder: Path) -> list[dict[str, object]]:
    """Write the experiment; its cases."""
    targets = [*INTERNAL, *NOT_JSON, "cancel", "never", "huge", "prints", "good"]
    graders = [*INTERNAL, *NOT_JSON, "cancel", "never"]
    cases: list[dict[str, object]] = [{"id": f"target {kind}", "input": kind} for kind in targets]
    for where in ("here", "apart"):
        kinds = [*graders, "dies"] if where == "apart" else graders
        cases += [
            {"id": f"{where} {kind}", "input": "good", "metadata": {where: kind}} for kind in kinds
        ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "hostile.py").write_text(HOSTILE)
    (folder / "graders.py").write_text(HOSTILE_GRADERS)
    (folder / "experiment.yaml").write_text(
        """
name: hostile
dataset: cases.jsonl
target: hostile:act
timeout_seconds: 1
evaluator_timeout_seconds: 1
retries: {attempts: 1}
suite:
  - {id: fine, use: "graders:fine"}
  - {id: here, use: "graders:here"}
  - {id: apart, use: "graders:apart"}
"""
    )
    return cases


@pytest.mark.prefect
def test_hostile_code_harms_its_own_trial_alone(folder: Path, environ: dict[str, str]) -> None:
    """One bad case of ten thousand must cost one trial, and not the night."""
    cases = write_hostile(folder)
    done = subprocess.run(
        [ASSAY, "run", "experiment.yaml", "--json"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )
    assert "Traceback" not in done.stderr
    report = json.loads(done.stdout)
    trials = report["trials"]
    assert trials["planned"] == report["target_calls"] == len(cases)
    assert report["target_errors"] == {
        "internal": len(INTERNAL),
        "invalid_input": len(NOT_JSON),
        "canceled": 1,
        "timeout": 1,
    }
    assert trials["graded"] == 3, "huge, prints and good"
    broken = len(INTERNAL) + len(NOT_JSON) + 2
    assert trials["partly_graded"] == 2 * broken + 1
    found = {one["id"]: one for one in report["assessments"]}
    executed = len(cases) - trials["target_failed"]
    assert found["fine"]["passed"] == executed
    assert (found["here"]["failed"], found["here"]["passed"]) == (broken, executed - broken)
    assert (found["apart"]["failed"], found["apart"]["passed"]) == (
        broken + 1,
        executed - broken - 1,
    )
    assert report["exit_code"] == done.returncode == 3, "unknown trials leave it undecided"
    assert all(kind["example"] for kind in report["failures"])


SLOW = """
from pathlib import Path
import time

HERE = Path(__file__).parent

def log(text):
    with (HERE / "calls.log").open("a") as calls:
        calls.write(text + chr(10))

def answer(number):
    log(f"called {number}")
    while number >= 6 and not (HERE / "release").exists():
        time.sleep(0.02)
    log(f"returned {number}")
    return number
"""


@pytest.fixture
def slow(folder: Path) -> Path:
    """The current folder: 12 cases, of which the target answers 6 before it is released."""
    (folder / "slow.py").write_text(SLOW)
    cases = [{"id": f"c{n}", "input": n, "expected": n} for n in range(12)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "experiment.yaml").write_text(
        "name: slow\ndataset: cases.jsonl\ntarget: slow:answer\nconcurrency: 2\n"
        'suite: [{id: same, use: "graders:same"}]\n'
    )
    return folder


def calls(folder: Path, word: str) -> list[str]:
    """The numbers that the target was called with, or returned, in order."""
    log = folder / "calls.log"
    lines = log.read_text().splitlines() if log.exists() else []
    return [line.split()[1] for line in lines if line.startswith(word)]


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a command as a terminal does: in a process group of its own."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str, **environ: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [ASSAY, *arguments],
            env={**os.environ, **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def interrupt(process: "subprocess.Popen[str]", *, times: int = 1) -> tuple[str, str]:
    """Press Ctrl-C in the terminal of the command, and see it end; what it printed."""
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)
    return process.communicate(timeout=LONGEST_SECONDS)


def wait_until(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Return when it holds; fail when the process ends before."""
    while not condition():
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        pytest.fail(f"the command ended: {process.communicate()}")


@pytest.mark.prefect
def test_a_run_that_was_interrupted_goes_on_where_it_was(
    slow: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    """With its own embedded server, which Ctrl-C in a terminal must not take away."""
    process = start("run", "experiment.yaml")
    wait_until(lambda: len(calls(slow, "called")) == 8, process)
    out, err = interrupt(process)
    assert (process.returncode, out) == (4, "")
    start_line, run_line, stopping, sentence = err.splitlines()
    assert start_line == "starting Prefect"
    assert "12 of 12 trials to do" in run_line
    assert stopping.startswith("stopping")
    assert sentence.startswith("assay: interrupted: 6 of 12 trials are kept; go on with: ")
    assert sorted(calls(slow, "returned")) == [str(n) for n in range(6)]

    (slow / "release").touch()
    again = shlex.split(sentence.partition("go on with: ")[2])
    done = subprocess.run(
        [*again, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["trials"]["graded"] == report["trials"]["planned"] == 12
    assert report["target_calls"] == 6, "none of the kept ones is called again"
    assert sorted(calls(slow, "returned"), key=int) == [str(n) for n in range(12)]


def read_line(process: "subprocess.Popen[str]") -> str:
    """The next line on standard error."""
    assert process.stderr is not None
    return process.stderr.readline()


@pytest.mark.prefect
def test_ctrl_c_while_prefect_starts_leaves_nothing(
    slow: Path, start: Callable[..., subprocess.Popen[str]]
) -> None:
    """Twice, because nothing seems to happen."""
    process = start("run", "experiment.yaml", "--json")
    assert read_line(process) == "starting Prefect\n"
    out, err = interrupt(process, times=2)
    assert process.returncode == 4
    assert json.loads(out)["error"]["kind"] == "interrupted"
    assert err.startswith("assay: interrupted")
    assert err.count("\n") == 1
    assert not (slow / ".assay").exists()
    assert calls(slow, "called") == []


@pytest.mark.prefect
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_host_that_ends_the_command_gets_the_same_end(
    slow: Path, start: Callable[..., subprocess.Popen[str]], number: signal.Signals
) -> None:
    """A scheduler's kill and a closed terminal keep what was paid as well."""
    process = start("run", "experiment.yaml", PREFECT_API_URL=str(PREFECT_API_URL.value()))
    wait_until(lambda: len(calls(slow, "called")) == 8, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=LONGEST_SECONDS)
    assert (process.returncode, out) == (4, "")
    assert "6 of 12 trials are kept" in err


@pytest.mark.prefect
def test_a_regrade_that_was_interrupted_says_how_to_go_on(
    slow: Path, start: Callable[..., subprocess.Popen[str]], finish: Callable[..., object]
) -> None:
    """The receipts are safe, and the older grading stays the one that is shown."""
    (slow / "release").touch()
    finish("monday-1")
    (slow / "graders.py").write_text(
        """
from pathlib import Path
from assay import evaluator
import time

@evaluator(name="same", revision="2")
def same(sample) -> bool:
    Path(__file__).with_name("grading").touch()
    time.sleep(3600)
"""
    )
    process = start("regrade", "monday-1", PREFECT_API_URL=str(PREFECT_API_URL.value()))
    wait_until((slow / "grading").exists, process)
    out, err = interrupt(process)
    assert (process.returncode, out) == (4, "")
    assert "Traceback" not in err
    sentence = err.splitlines()[-1]
    assert sentence.startswith("assay: interrupted: grading g")
    assert f"regrade monday-1 --store {slow / '.assay'}" in sentence
    assert len(calls(slow, "called")) == 12
