"""What a trial asks of Prefect."""

import logging

import pytest
from prefect import Task

from assay.tasks.attempt_failed import AttemptFailed
from assay.tasks.experiment_settings import RetrySettings
from assay.tasks.run_trial import run_trial, trial_task


def _task(**retries: object) -> Task[..., object]:
    task = trial_task(RetrySettings.model_validate(retries), ["run-1", "target:bot"])
    assert isinstance(task, Task)
    return task


def test_retries_delays_and_jitter_are_the_experiments() -> None:
    """Prefect counts the calls after the first one."""
    task = _task(attempts=4, backoff_seconds=0.5, jitter=0.25)
    assert task.retries == 3
    assert task.retry_delay_seconds == [0.5, 1.0, 2.0]
    assert task.retry_jitter_factor == 0.25
    assert task.tags == {"run-1", "target:bot"}


def test_one_attempt_is_no_retry() -> None:
    """And needs no delay."""
    assert _task(attempts=1).retries == 0


def test_more_attempts_than_prefect_takes_delays_are_fine() -> None:
    """The last delay stands for the rest."""
    task = _task(attempts=500)
    assert task.retries == 499
    assert task.retry_delay_seconds[-1] == 300  # type: ignore[index]


def test_no_jitter_is_no_jitter() -> None:
    """Prefect takes no zero for it."""
    assert not _task(jitter=0.0).retry_jitter_factor


def test_results_stay_out_of_prefect() -> None:
    """Nothing is pickled, cached or printed."""
    assert run_trial.persist_result is False
    assert run_trial.log_prints is False
    assert str(run_trial.task_run_name) == "{key.name}"


@pytest.mark.parametrize(
    ("error", "kept"), [(AttemptFailed("no", retryable=False), False), (ValueError("bug"), True)]
)
def test_a_failed_attempt_is_logged_without_its_traceback(error: Exception, kept: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A bug is: somebody has to find it."""
    trace = (type(error), error, None)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", None, trace)
    assert logging.getLogger("prefect.task_runs").filter(record)
    assert (record.exc_info is not None) == kept
