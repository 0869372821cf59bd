"""Surroundings of every test: an own Prefect home, no telemetry, a seed that can be replayed."""

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from uuid import uuid4

import fsspec
import pytest
from hypothesis import settings

# Before any test module imports Prefect, which reads its settings once.
_PREFECT_HOME = tempfile.mkdtemp(prefix="assay-tests-prefect-")
os.environ["PREFECT_HOME"] = _PREFECT_HOME
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"
os.environ["PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS"] = "120"
os.environ["DO_NOT_TRACK"] = "1"
for _leak in ("ASSAY_STORE", "PREFECT_API_KEY", "PREFECT_API_URL", "PREFECT_PROFILE"):
    os.environ.pop(_leak, None)

# Programs that tests start, with modules that only their own process has.
collect_ignore = ["faults/experiment", "tasks/write_official_reports.py"]

# A deadline would make a slow machine look like a broken law.
settings.register_profile("thorough", deadline=None, print_blob=True)
# Few examples keep the inner loop short; continuous integration looks at a hundred of each.
settings.register_profile("quick", deadline=None, print_blob=True, max_examples=25)
settings.load_profile("thorough" if os.environ.get("CI") else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Choose the seed here unless the command line names one, so that the header can show it."""
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = str(random.SystemRandom().randrange(2**32))


def pytest_report_header(config: pytest.Config) -> str:
    """The option that repeats this session's generated examples."""
    return f"generated examples: --hypothesis-seed={config.getoption('--hypothesis-seed')}"


@pytest.fixture(scope="session")
def prefect_api() -> Iterator[None]:
    """One Prefect server for the whole session, since each start costs seconds."""
    from prefect.testing.utilities import prefect_test_harness  # noqa: PLC0415 - costs seconds

    with prefect_test_harness(server_startup_timeout=120):
        yield


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a store in memory that does not exist yet."""
    name = f"/{uuid4()}"
    yield f"memory:/{name}"
    memory = fsspec.filesystem("memory")
    if memory.exists(name):
        memory.rm(name, recursive=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test marked `prefect` gets the session's server."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("prefect"):
            item.fixturenames.insert(0, "prefect_api")


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    shutil.rmtree(_PREFECT_HOME, ignore_errors=True)
