"""What the faults share: one Prefect server, one undisturbed run, one table, and the seeds."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from amount import FIRST_SEED, KILLS, SEEDS
from disturbed import Disturbed, comparable
from fault_table import FaultTable
from prefect.settings import get_current_settings
from rich.console import Console

_table = FaultTable()


@pytest.fixture(scope="session")
def api_url(prefect_api: None) -> str:  # noqa: ARG001 - it is the server
    """The session's Prefect server, as processes find it."""
    url = get_current_settings().api.url
    assert url is not None
    return url


@pytest.fixture
def disturbed(tmp_path: Path, api_url: str) -> Iterator[Disturbed]:
    """A run that nothing has been done to yet."""
    one = Disturbed(tmp_path, api_url)
    yield one
    one.end_all()


@pytest.fixture(scope="session")
def finished(api_url: str, tmp_path_factory: pytest.TempPathFactory) -> Disturbed:
    """A run that nothing was done to; its store is to be left alone."""
    run = Disturbed(tmp_path_factory.mktemp("undisturbed"), api_url)
    run.finish()
    return run


@pytest.fixture(scope="session")
def undisturbed(finished: Disturbed) -> str:
    """The report of a run that nothing was done to."""
    return comparable(finished.show())


@pytest.fixture
def copy(finished: Disturbed, tmp_path: Path) -> Disturbed:
    """A copy of that run, to do something to."""
    return _copied(finished, tmp_path / "copy")


@pytest.fixture
def other_copy(finished: Disturbed, tmp_path: Path) -> Disturbed:
    """Another copy, to compare with."""
    return _copied(finished, tmp_path / "other-copy")


def _copied(finished: Disturbed, folder: Path) -> Disturbed:
    one = Disturbed(folder, finished.api_url)
    shutil.copytree(finished.store, one.store)
    shutil.copy(finished.log, one.log)
    return one


@pytest.fixture
def table() -> FaultTable:
    """The table that is printed at the end."""
    return _table


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Kills come in runs, each with a seed of its own."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", SEEDS)


def pytest_terminal_summary() -> None:
    """Print what the faults did."""
    if _table.rows:
        console = Console(width=100)
        console.print(f"faults: repeat them with FAULTS_SEED={FIRST_SEED} FAULTS_KILLS={KILLS}")
        console.print(_table.rendered())
