"""Settings under which Prefect loses no trial."""

import pytest

from assay.tasks.prepare_prefect import prepare_prefect

BATCH = "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE"


@pytest.fixture(autouse=True)
def _untouched_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test sets is gone after it."""
    monkeypatch.setattr("os.environ", {})


def test_an_embedded_server_records_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row a transaction is too slow, and what cannot be queued is dropped."""
    environment: dict[str, str] = {}
    monkeypatch.setattr("os.environ", environment)
    prepare_prefect()
    assert int(environment[BATCH]) > 1
    assert environment["PREFECT_RESULTS_PERSIST_BY_DEFAULT"] == "false"


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """He may know his server."""
    environment = {BATCH: "7", "PREFECT_LOGGING_LEVEL": "DEBUG"}
    monkeypatch.setattr("os.environ", environment)
    prepare_prefect()
    assert environment[BATCH] == "7"
    assert environment["PREFECT_LOGGING_LEVEL"] == "DEBUG"
