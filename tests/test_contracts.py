"""The import contracts: each is seen to break, or it would prove nothing by holding."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]

# Contract id: the module that goes astray and the line that leads it there.
BREACHES = {
    "folders": [
        ("evaluators/stray.py", "import assay.tasks"),
        ("tasks/stray.py", "import assay.flows"),
        ("flows/stray.py", "import assay.deployments"),
    ],
    "pure": [
        ("evaluators/stray.py", "import prefect"),
        ("evaluators/stray.py", "from pathlib import Path"),
        ("evaluators/stray.py", "import socket"),
    ],
    "order": [("flows/stray.py", "import fsspec")],
    "terminal": [
        ("tasks/stray.py", "import rich"),
        ("flows/evaluate.py", "import typer"),
    ],
    "families": [("evaluators/text/stray.py", "import assay.evaluators.statistics")],
    "words": [
        ("evaluators/score.py", "import assay.evaluators.suite"),
        ("evaluators/stray.py", ""),
    ],
    "acyclic": [("evaluators/errors.py", "import assay.evaluators.report")],
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that a test may damage, as plain files."""
    target = tmp_path_factory.mktemp("contracts")
    shutil.copytree(
        ROOT / "src", target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.egg-info")
    )
    shutil.copy(ROOT / "pyproject.toml", target)
    return target


def lint(folder: Path, contract: str) -> subprocess.CompletedProcess[str]:
    """The linter's verdict on one contract over the package in this folder."""
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--contract", contract],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("contract", "path", "line"),
    [(contract, *breach) for contract, breaches in BREACHES.items() for breach in breaches],
)
def test_contract_breaks_on_a_stray_import(copy: Path, contract: str, path: str, line: str) -> None:
    """A contract that names a module wrongly stays green for ever."""
    module = copy / "assay" / path
    before = module.read_text(encoding="utf-8") if module.exists() else None
    module.write_text(f"{before or ''}\n{line}\n", encoding="utf-8")
    try:
        verdict = lint(copy, contract)
    finally:
        module.unlink() if before is None else module.write_text(before, encoding="utf-8")
    assert verdict.returncode == 1, verdict.stdout + verdict.stderr
    assert "1 broken" in verdict.stdout


@pytest.mark.parametrize("contract", BREACHES)
def test_contract_holds_without_one(copy: Path, contract: str) -> None:
    """If the copy were broken from the start, the stray import would prove nothing."""
    verdict = lint(copy, contract)
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr


def test_every_contract_is_tried() -> None:
    """A new contract must come with the import that breaks it."""
    assert {contract["id"] for contract in CONTRACTS} == BREACHES.keys()
