"""Regrading as a process that is killed: what was graded stays, and is not paid for again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL

from assay.tasks.store import GradingStore, open_store

pytestmark = pytest.mark.prefect

ASSAY = str(Path(sys.executable).with_name("assay"))
LONGEST_SECONDS = 240
CASES = 60

JUDGE = """
import time
from pathlib import Path

from assay import evaluator

HERE = Path(__file__).parent


@evaluator(revision="1")
{kind} judge(sample):
    with (HERE / "judged.log").open("a") as log:
        log.write(sample.case_id + chr(10))
    {wait}(0.1)
    return True
"""
KINDS = {
    "synchronous": JUDGE.format(kind="def", wait="time.sleep"),
    "awaited": "import asyncio\n" + JUDGE.format(kind="async def", wait="await asyncio.sleep"),
}


@pytest.fixture
def environ() -> dict[str, str]:
    """The environment of a command that uses the session's Prefect server."""
    return {**os.environ, "PREFECT_API_URL": str(PREFECT_API_URL.value())}


def _judged(folder: Path) -> Counter[str]:
    log = folder / "judged.log"
    return Counter(log.read_text().split()) if log.exists() else Counter()


def _newest(folder: Path) -> GradingStore:
    return open_store(str(folder / ".assay")).run("monday").gradings()[-1]


def _kill_when_some_grades_are_durable(process: "subprocess.Popen[str]", folder: Path) -> set[str]:
    """The ids of the cases whose grades are durable after it."""
    ends = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < ends:
        grading = _newest(folder)
        if grading.info["origin"] == "regrade" and grading.grades(["case_id"]).height >= 8:
            break
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return set(_newest(folder).grades(["case_id"])["case_id"].to_list())


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_regrade_goes_on_where_it_was(
    kind: str,
    folder: Path,
    finish: Callable[..., object],
    environ: dict[str, str],
) -> None:
    """Every grade that was durable is carried over; at most a moment's work is done twice."""
    cases = [{"id": f"c{n}", "input": f"q{n}", "expected": f"q{n}"} for n in range(CASES)]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    finish("monday")
    (folder / "judges.py").write_text(KINDS[kind])
    (folder / "judge.yaml").write_text('- {id: judge, use: "judges:judge"}\n')
    command = [ASSAY, "regrade", "monday", "--suite", "judge.yaml", "--json"]
    with subprocess.Popen(
        command,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        durable = _kill_when_some_grades_are_durable(process, folder)
    once = _judged(folder)
    assert len(durable) < CASES, "it was killed in the middle"
    (folder / "bot.py").write_text("raise RuntimeError('must not be imported')\n")
    done = subprocess.run(
        command, env=environ, capture_output=True, text=True, check=True, timeout=LONGEST_SECONDS
    )
    answer = json.loads(done.stdout)
    both = _judged(folder)
    assert {one for one in durable if both[one] != 1} == set()
    assert set(both) == {f"c{n}" for n in range(CASES)}
    assert set(both - once) == set(both) - durable
    assert (answer["grades"], answer["target_calls"]) == (
        {"computed": CASES - len(durable), "reused": len(durable)},
        0,
    )
    assert answer["pass_rate"]["over_planned"] == 1
