"""What a command loads, and what it must not: nobody waits seconds for help or for a number."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

PROGRAM = """
import json, resource, sys
from assay.flows.cli import run_command
code = run_command(json.loads(sys.argv[1]))
used = resource.getrusage(resource.RUSAGE_SELF)
heavy = [name for name in ("prefect", "polars", "pyarrow", "httpx") if name in sys.modules]
print(json.dumps({"code": code, "heavy": heavy, "cpu": used.ru_utime + used.ru_stime}))
"""


def loaded(arguments: Sequence[str]) -> dict[str, object]:
    """What a fresh interpreter loads and spends for a command."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """The first contact should not take longer than reading it."""
    found = loaded(arguments)
    assert found["code"] == 0
    assert found["heavy"] == []
    cpu = found["cpu"]
    assert isinstance(cpu, float)
    assert cpu < 1, "seconds of processor time, which a busy machine does not change much"


def test_looking_at_runs_loads_no_prefect(folder: Path, finish: Callable[..., object]) -> None:
    """Prefect is the host of runs, and these run nothing."""
    finish("monday-1")
    store = ["--store", str(folder / ".assay")]
    for command in (["list"], ["show", "monday-1"], ["compare", "monday-1", "monday-1"]):
        found = loaded([*command, *store])
        assert found["code"] in (0, 3)
        assert "prefect" not in found["heavy"]


def test_a_wrong_file_is_refused_without_prefect(folder: Path) -> None:
    """Most attempts of a first evening end here."""
    (folder / "experiment.yaml").write_text("name: x\n")
    found = loaded(["run", "experiment.yaml"])
    assert found["code"] == 2
    assert "prefect" not in found["heavy"]
