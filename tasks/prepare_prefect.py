"""Settings under which a Prefect server keeps up with trials; set before Prefect is imported."""

import os

_SETTINGS = {
    # The recorder writes one task-run row a transaction by default, and drops what it cannot queue:
    # batches make it five times cheaper, so that nothing is dropped.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "500",
    # A busy machine needs longer than the default 20 s to start the embedded server.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_LEVEL": "WARNING",
    # What fails stands in the report; beside it a log line, or a traceback, says nothing new.
    "PREFECT_LOGGING_LOGGERS_PREFECT_FLOW_RUNS_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_LOGGERS_PREFECT_TASK_RUNS_LEVEL": "CRITICAL",
    # A server that has died is asked for 14 s whether it lives again, not for a minute.
    "PREFECT_CLIENT_MAX_RETRIES": "3",
    # One log line a trial costs more than the trial's own bookkeeping.
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
    "DO_NOT_TRACK": "1",
}


def prepare_prefect() -> None:
    """Give the process, and an embedded server that it starts, settings that lose no trial.

    What the user has set in the environment stays as it is.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
