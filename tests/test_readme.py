"""The README keeps its word: every block is executed as a reader would execute it."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
BLOCKS = list(BLOCK.finditer(README))
FILES = {block["file"]: block["body"] for block in BLOCKS if block["file"]}
COMMANDS = [
    line.partition("#")[0].strip()
    for block in BLOCKS
    if block["language"] == "sh"
    for line in block["body"].splitlines()
]
TARGETS = [line.removeprefix("make ") for line in COMMANDS if line.startswith("make ")]
QUICKSTART = [
    line.removeprefix(".venv/bin/assay ")
    for line in COMMANDS
    if line.startswith(".venv/bin/assay ")
]


def assay(arguments: str, folder: Path, store: Path) -> subprocess.CompletedProcess[str]:
    """The finished command, run in this folder on this store."""
    return subprocess.run(
        [Path(sys.executable).with_name("assay"), *shlex.split(arguments), "--store", str(store)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_every_block_is_executed() -> None:
    """A block of a kind that no test below reads would be read by nobody but the user."""
    assert {block["language"] for block in BLOCKS if not block["file"]} == {"sh"}
    assert [
        *(f"make {target}" for target in TARGETS),
        *(f".venv/bin/assay {line}" for line in QUICKSTART),
        "assay run experiment.yaml",
    ] == COMMANDS


@pytest.mark.parametrize("target", TARGETS)
def test_make_target_exists(target: str) -> None:
    """Continuous integration runs these two as they stand; here only their names are checked."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^# .+\n{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_link_leads_to_a_file(link: str) -> None:
    """A moved file leaves its links behind."""
    assert (ROOT / link).is_file()


def test_own_experiment_runs_as_printed(tmp_path: Path) -> None:
    """It is the first thing a stranger copies, and the prose around it names the numbers."""
    for name, body in FILES.items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    done = assay("run experiment.yaml --json", tmp_path, tmp_path / "store")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    by_id = {row["id"]: row for row in result["assessments"]}
    assert result["trials"]["planned"] == 3
    assert (by_id["mentions"]["passed"], by_id["mentions"]["not_passed"]) == (1, 1)
    assert by_id["mentions"]["skipped"] == 1
    assert by_id["words"]["measurement"]["count"] == 3
    assert [gate["outcome"] for gate in result["gates"]] == ["pass"]


def test_own_experiment_runs_from_python(tmp_path: Path) -> None:
    """The door for notebooks and scripts is the same pipeline."""
    for name, body in FILES.items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "evaluate_capitals.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 of 2 "), done.stdout


def test_commands_after_the_quickstart_run_as_printed(tmp_path: Path) -> None:
    """They hang together: the identifiers that one prints are what the next one takes."""
    first = assay("run examples/quickstart/experiment.yaml --json", ROOT, tmp_path)
    assert first.returncode == 0, first.stderr
    run = json.loads(first.stdout)
    gradings = [run["grading_id"]]
    for line in QUICKSTART:
        words = line.replace("<run id>", run["run_id"])
        for grading in gradings:
            words = words.replace("<grading id>", grading, 1)
        assert "<" not in words
        done = assay(f"{words} --json", ROOT, tmp_path)
        assert done.returncode in (0, 1), done.stderr
        result = json.loads(done.stdout)
        if line.startswith("regrade"):
            assert result["target_calls"] == 0
            gradings.append(result["grading_id"])
