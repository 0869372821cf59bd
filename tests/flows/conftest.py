"""A folder with a good experiment, and the command line called in this process."""

import asyncio
import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.flows.cli import run_command
from assay.tasks.await_recording import BackPressure
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.result_listener import ResultListener
from assay.tasks.run_report import RunReport, report_run
from assay.tasks.run_trials import execute_trials
from assay.tasks.trial_key import TrialKey
from assay.tasks.trial_session import TrialSession

_FILES = {
    "bot.py": """
from pathlib import Path

CALLS = Path(__file__).with_name("calls.log")

def answer(text):
    with CALLS.open("a") as calls:
        calls.write("called\\n")
    return text

class Bot:
    def run(self, text):
        return text

def two(text, more):
    return text

def gen(text):
    yield text

number = 3
""",
    "graders.py": """
from assay import evaluator

@evaluator(name="same", revision="1")
def same(sample) -> bool:
    return sample.output == sample.expected

@evaluator(name="words", revision="1")
def words(sample, *, limit: int = 3) -> bool:
    return len(sample.output.split()) <= limit

def plain(sample) -> bool:
    return True
""",
    "cases.jsonl": """{"id": "a", "input": "one", "expected": "one"}
{"id": "b", "input": "two", "expected": "three"}
""",
    "experiment.yaml": """name: demo
dataset: cases.jsonl
target: bot:answer
suite: [{id: same, use: "graders:same"}]
""",
}


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, object]:
        """The one object on standard output; anything beside it is an error."""
        assert self.out.count("\n") == 1, self.out
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer


class _Pipe(io.TextIOWrapper):
    """A pipe with an encoding, strict as standard output is."""

    def __init__(self, encoding: str) -> None:
        self.raw_bytes = io.BytesIO()
        super().__init__(self.raw_bytes, encoding=encoding, errors="strict", write_through=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: an experiment that is ready to run, and a store that is not there yet."""
    monkeypatch.chdir(tmp_path)
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def assay() -> Callable[..., Said]:
    """Runs a command line in this process, with pipes of an encoding for its output."""

    def run(*arguments: str, encoding: str = "utf-8") -> Said:
        out, err = _Pipe(encoding), _Pipe("utf-8")
        with redirect_stdout(out), redirect_stderr(err):
            code = run_command(list(arguments))
        said = [pipe.raw_bytes.getvalue().decode(pipe.encoding) for pipe in (out, err)]
        return Said(code, *said)

    return run


async def _no_host(_key: TrialKey, _session: TrialSession) -> None:
    """A host that does nothing, so that the session makes every attempt itself."""


def _report(prepared: PreparedRun) -> RunReport:
    listener = ResultListener()
    tally = asyncio.run(execute_trials(prepared, _no_host, listener, BackPressure(None)))
    return report_run(prepared.run, prepared.grading, tally)


@pytest.fixture
def finish() -> Callable[..., RunReport]:
    """Runs the experiment of the current folder to its end, without Prefect, into ./.assay."""

    def finished(run_id: str, experiment: str = "experiment.yaml") -> RunReport:
        return _report(prepare_run(experiment, run_id=run_id))

    return finished
