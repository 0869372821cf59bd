"""Runs the command line with a witness, and with a fault built in: `launch.py FAULT ARGUMENT…`.

FAULT is one of
    witness         no fault
    kill=N          SIGKILL just before the N-th step by which the store makes something durable
    killed=N        SIGKILL just after it
    full=N          from the N-th step on there is no space left
    flaky           stores at flaky://… whose every third PUT fails, before or after it was done

The command `merge RUN` merges the parts of a run. Each trial that has returned is noted in the log
of calls.
"""

import errno
import itertools
import os
import signal
import sys
from collections.abc import Callable

import flaky_store
from experiment.bot import note

from assay.flows.cli import main
from assay.flows.terminal.progress import RunProgress
from assay.tasks.compact_run import compact_run
from assay.tasks.store import open_store
from assay.tasks.trial_note import TrialNote

STEPS = ("fsync", "mkdir", "replace", "rename", "link", "unlink")
"""What `tasks.store.local_folder` asks of the host to make something durable."""


def witness_returned_trials() -> None:
    """Note each trial that has returned."""
    told = RunProgress.note

    def noting(self: RunProgress, trial: TrialNote) -> None:
        note("returned", *trial.key)
        told(self, trial)

    RunProgress.note = noting


def disturb_steps(fault: str, at: int) -> None:
    """Let the fault happen at a step."""
    numbers = itertools.count(1)
    for name in STEPS:
        setattr(os, name, _disturbed(getattr(os, name), fault, lambda: next(numbers) - at))


def _disturbed(
    step: Callable[..., object], fault: str, distance: Callable[[], int]
) -> Callable[..., object]:
    def disturbed(*arguments: object, **options: object) -> object:
        distant = distance()
        if fault == "full" and distant >= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if fault == "kill" and distant == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        result = step(*arguments, **options)
        if fault == "killed" and distant == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return disturbed


if __name__ == "__main__":
    fault, _, number = sys.argv.pop(1).partition("=")
    witness_returned_trials()
    if fault == "flaky":
        flaky_store.register()
    elif fault != "witness":
        disturb_steps(fault, int(number))
    if sys.argv[1] == "merge":
        _, _, run_id, _, store, *_ = sys.argv
        compact_run(open_store(store), run_id)
    else:
        main()
