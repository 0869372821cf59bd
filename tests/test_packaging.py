"""The installed package: one version, a cheap front door, declared dependencies, honest locks."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import assay

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOLDERS = ("deployments", "evaluators", "flows", "tasks")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
COMMAND = Path(sys.executable).with_name("assay")
LOCKS = ("requirements.lock", "requirements-dev.lock")


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The finished process, its output as text."""
    return subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=120)


def loaded_after(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after this code."""
    listing = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = run(sys.executable, "-c", f"{code}\n{listing}")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def pins(lock: str) -> dict[str, str]:
    """Distribution name to pinned version."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    found = re.findall(r"^([a-z0-9._-]+)==(\S+)", text, flags=re.MULTILINE)
    return {canonicalize_name(name): pinned for name, pinned in found}


def test_version_is_that_of_the_metadata() -> None:
    """Two sources of a version drift apart at the first release."""
    assert assay.__version__ == version("assay-evals") == PROJECT["version"]


def test_command_tells_its_version() -> None:
    """It is the first thing a bug report is asked for."""
    done = run(COMMAND, "--version")
    assert done.returncode == 0, done.stderr
    assert assay.__version__ in done.stdout.split()


def test_import_loads_neither_prefect_nor_polars() -> None:
    """Importing Prefect takes seconds, and a file of graders needs none of it."""
    assert loaded_after("import assay").isdisjoint({"polars", "prefect", "pyarrow", "pydantic"})


def test_graders_load_without_prefect() -> None:
    """A suite must be usable in a notebook or a unit test that never sees Prefect."""
    names = "Assessment, Case, Dataset, Execution, Measured, Skip, Suite, TargetError, evaluator"
    assert "prefect" not in loaded_after(f"from assay import {names}")


def test_help_loads_neither_prefect_nor_polars() -> None:
    """Help that takes seconds is help that nobody asks for."""
    code = (
        "import sys; sys.argv = ['assay', '--help']\n"
        "from assay.flows.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code"
    )
    assert loaded_after(code).isdisjoint({"polars", "prefect", "pyarrow"})


@pytest.mark.parametrize("name", assay.__all__)
def test_front_door_opens_every_name(name: str) -> None:
    """A lazy name that points nowhere would fail only in a user's hands."""
    assert getattr(assay, name) is not None
    assert name in dir(assay)


def test_front_door_refuses_a_misspelt_name() -> None:
    """The lazy lookup must fail as an ordinary module does, or `hasattr` lies."""
    with pytest.raises(AttributeError, match="no attribute 'Dateset'"):
        assay.__getattr__("Dateset")


def test_package_declares_its_types() -> None:
    """Without the marker, a user's type checker ignores every annotation."""
    assert Path(assay.__file__).with_name("py.typed").is_file()


@pytest.mark.parametrize("folder", FOLDERS)
def test_package_folder_is_a_link_to_the_root(folder: str) -> None:
    """A checkout that lost its links would install an empty package."""
    link = ROOT / "src" / "assay" / folder
    assert link.is_symlink()
    assert link.readlink() == Path("..", "..", folder)


@pytest.mark.parametrize(
    "path",
    [ROOT / "src/assay/__init__.py", *(p for p in SOURCES if p.name == "__init__.py")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_exports_are_sorted(path: Path) -> None:
    """A sorted list shows in a diff exactly the names that came and went."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
            # As the linter wants them: constants, then classes, then the rest.
            kind = {name: (not name.isupper(), not name[0].isupper()) for name in names}
            assert names == sorted(set(names), key=lambda name: (*kind[name], name))


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if path.name == "__init__.py"],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_package_init_holds_no_code(path: Path) -> None:
    """Code in a package's door runs whenever any of its modules is imported."""
    docstring, *rest = ast.parse(path.read_text(encoding="utf-8")).body
    assert isinstance(docstring, ast.Expr)
    for node in rest:
        exported = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        assert exported or isinstance(node, ast.Import | ast.ImportFrom), ast.unparse(node)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_imports_no_package_that_holds_it(path: Path) -> None:
    """A module that reads its own package's door makes the whole package one cycle."""
    parents = ["assay", *path.relative_to(ROOT).parts[:-1]]
    holders = {".".join(["assay", *parents[1:end]]) for end in range(1, len(parents) + 1)}
    if path.name == "__init__.py":
        holders.discard(".".join(parents))
    taken = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module in holders
        for alias in node.names
    }
    assert {name for name in taken if find_spec(name) is None} == set()


def test_every_import_is_a_declared_dependency() -> None:
    """What only comes along with a dependency leaves with its next release."""
    imported = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    foreign = imported - sys.stdlib_module_names - {"assay"}
    declared = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    homes = packages_distributions()
    undeclared = {
        name
        for name in foreign
        if declared.isdisjoint(canonicalize_name(home) for home in homes.get(name, []))
    }
    assert undeclared == set()


@pytest.mark.parametrize("line", PROJECT["dependencies"])
@pytest.mark.parametrize("lock", LOCKS)
def test_lock_satisfies_the_declared_range(line: str, lock: str) -> None:
    """A lock that lags behind pyproject.toml tests versions that no user gets."""
    wanted = Requirement(line)
    assert wanted.specifier.contains(pins(lock)[canonicalize_name(wanted.name)])


def test_locks_agree() -> None:
    """Tests must run on the versions that the wheel is tried with."""
    runtime, development = (pins(lock) for lock in LOCKS)
    assert runtime.items() <= development.items()


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_hashes_every_pin_and_names_no_host(lock: str) -> None:
    """The same file must install from any index, and only the bytes that were tested."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    for entry in re.split(r"\n(?=[a-z0-9])", text)[1:]:
        assert "--hash=sha256:" in entry, entry.splitlines()[0]
