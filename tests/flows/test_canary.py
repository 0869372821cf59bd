"""No secret reaches anything that is written: every byte of it is looked through."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from assay.tasks.mask_secrets import MASK

ASSAY = str(Path(sys.executable).with_name("assay"))
LONGEST_SECONDS = 300

DECLARED = 'open"Zq7261xK/ä-sesame'
"""The value of a variable that the experiment declares; JSON and addresses spell it otherwise."""
SHAPED = "sk-proj-Zq9914xKabcdefghijk1234567890"
"""A key that nobody declared."""
CANARIES = ("Zq7261xK", "Zq9914xK")
"""What no byte may hold of them."""

BOT = """
import os

BOTH = os.environ["CANARY"] + " " + {shaped!r}


class Broken(Exception):
    pass


def answer(given):
    match given["kind"]:
        case "output":
            return {{"text": BOTH, BOTH: [BOTH]}}
        case "error":
            raise Broken(BOTH) from ValueError(BOTH)
        case "long error":
            raise Broken("x" * 1990 + BOTH)
        case "given":
            return given
    return "nothing"
"""
PROGRAM = """
import json
import os
import sys

given = json.load(sys.stdin)
both = os.environ["CANARY"] + " " + sys.argv[1]
if given["kind"] == "error":
    sys.stderr.write(both)
    sys.exit(3)
json.dump({"echo": both}, sys.stdout)
"""
GRADERS = """
import os

from assay import evaluator
from assay.evaluators.decision import Decision
from assay.evaluators.errors import EvaluatorError
from assay.evaluators.finding import Finding
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.score import Score

BOTH = os.environ["CANARY"] + " " + {shaped!r}


@evaluator(revision="1")
def says(sample):
    return Report(
        metric=Metric(name="says", parameters=OpenMap.of({{"of": BOTH}})),
        decision=Decision(policy="says", verdict="fail", parameters=OpenMap.of({{"of": BOTH}})),
        score=Score(0.5),
        label=BOTH,
        feedback=BOTH,
        metadata=OpenMap.of({{BOTH: BOTH}}),
        findings=(Finding(code="leak", severity="low", message=BOTH),),
        details=(Report(metric=Metric(name="inner"), label=BOTH, score=Score(1)),),
    )


@evaluator(revision="1")
def raises(sample):
    raise EvaluatorError("unavailable", BOTH) from ValueError(BOTH)


@evaluator(revision="1", isolation="process")
def apart(sample):
    raise ValueError("x" * 1990 + BOTH)


@evaluator(revision="1")
async def labels(sample):
    return BOTH


@evaluator(revision="1")
def wrong(sample):
    return [BOTH]


@evaluator(revision="1")
def sees(sample):
    return str((sample.input, sample.expected, sample.metadata, sample.execution.output))
"""
SUITE = """
- {id: says, use: "graders:says"}
- {id: raises, use: "graders:raises"}
- {id: apart, use: "graders:apart"}
- {id: labels, use: "graders:labels"}
- {id: wrong, use: "graders:wrong"}
- {id: sees, use: "graders:sees"}
"""


class _Echo(BaseHTTPRequestHandler):
    """Answers with a header that holds the secrets, and with its own text in the body."""

    def do_POST(self) -> None:
        """Echo, or fail."""
        given = json.loads(self.rfile.read(int(self.headers["content-length"])))
        both = f"{DECLARED} {SHAPED}"
        body = json.dumps({"authorization": f"Bearer {both}", "given": given}).encode()
        self.send_response(500 if given["kind"] == "error" else 200)
        self.send_header("x-key", SHAPED)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def echo() -> Iterator[str]:
    """The address of an endpoint that echoes secrets."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/?key={SHAPED}"
        server.shutdown()


@pytest.fixture
def assay(folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command with an embedded Prefect of its own, whose home is in the folder."""
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PREFECT_API")},
        "PREFECT_HOME": str(folder / "home"),
        "PREFECT_LOGGING_LEVEL": "DEBUG",
        "CANARY": DECLARED,
        "ASSAY_STORE": str(folder / "store"),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [ASSAY, *arguments],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_SECONDS,
        )
        said = done.stdout + done.stderr
        assert "Traceback" not in said
        assert [canary for canary in CANARIES if canary in said] == []
        return done

    return run


def _write(folder: Path, target: object) -> None:
    kinds = ("output", "error", "long error", "given")
    cases = [
        {
            "id": f"case {kind}",
            "input": {"kind": kind, "token": DECLARED},
            "expected": {"key": SHAPED},
            "metadata": {"note": f"{DECLARED} {SHAPED}", DECLARED: 1},
        }
        for kind in kinds
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cases))
    (folder / "bot.py").write_text(BOT.format(shaped=SHAPED))
    (folder / "program.py").write_text(PROGRAM)
    (folder / "graders.py").write_text(GRADERS.format(shaped=SHAPED))
    (folder / "suite.yaml").write_text(SUITE)
    settings = {
        "name": "canary",
        "dataset": "cases.jsonl",
        "target": target,
        "suite": "suite.yaml",
        "secrets": ["CANARY"],
        "retries": {"attempts": 2, "backoff_seconds": 0},
    }
    (folder / "experiment.yaml").write_text(json.dumps(settings))


def _texts(path: Path) -> Iterator[str]:
    """What a file holds: its bytes, and what they stand for."""
    yield path.read_bytes().decode(errors="replace")
    if path.suffix == ".parquet":
        yield str(pq.read_table(path).to_pylist())


def _leaks(*folders: Path) -> list[str]:
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files
    return [
        f"{path.name}: {canary}"
        for path in files
        for text in _texts(path)
        for canary in CANARIES
        if canary in text
    ]


def _answer(done: "subprocess.CompletedProcess[str]") -> dict[str, object]:
    answer = json.loads(done.stdout)
    assert "error" not in answer, answer
    return dict(answer)


def _task_runs(folder: Path) -> int:
    """How many task runs Prefect keeps."""
    with sqlite3.connect(folder / "home" / "prefect.db") as database:
        (count,) = database.execute("select count(*) from task_run").fetchone()
    return int(count)


@pytest.mark.parametrize("kind", ["function", "command", "http"])
def test_no_secret_is_written_anywhere(
    kind: str,
    folder: Path,
    echo: str,
    assay: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """Whether a variable holds it or its shape gives it away, and whoever said it."""
    targets = {
        "function": "bot:answer",
        "command": {"command": [sys.executable, "program.py", SHAPED]},
        "http": {"http": echo},
    }
    _write(folder, targets[kind])
    ran = _answer(assay("run", "experiment.yaml", "--run-id", "one", "--json"))
    assert ran["target_errors"]["internal" if kind != "http" else "unavailable"] >= 1
    assert ran["trials"]["partly_graded"] >= 2
    again = _answer(assay("regrade", "one", "--fresh", "--json"))
    assert again["grades"]["computed"] > 0
    (folder / "more.jsonl").write_text((folder / "cases.jsonl").read_text().replace("sk-", "sk-1"))
    corrected = _answer(assay("regrade", "one", "--dataset", "more.jsonl", "--json"))
    assert len(corrected["left_out"]["changed_input"]) == 0
    for command in (("show", "one"), ("list",), ("regrade", "--all", "--suite", "suite.yaml")):
        assert assay(*command).returncode in (0, 3)
    assert _leaks(folder / "store", folder / "home") == []
    assert _task_runs(folder) > 0, "Prefect has kept what it was told"
    parts = [
        path for path in (folder / "store").rglob("*.parquet") if MASK in str(list(_texts(path)))
    ]
    assert {path.parent.name for path in parts} >= {"executions", "one"}


@pytest.mark.parametrize("module", ["bot.py", "graders.py"])
def test_code_that_breaks_while_it_is_loaded_tells_no_secret(
    module: str, folder: Path, assay: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """The sentence about it goes to a terminal, or to the log of a nightly job."""
    _write(folder, "bot:answer")
    (folder / module).write_text(
        f"import os\nraise ValueError(os.environ['CANARY'] + ' {SHAPED}')\n"
    )
    done = assay("run", "experiment.yaml")
    assert done.returncode == 2
    assert "ValueError: [masked]" in done.stderr
