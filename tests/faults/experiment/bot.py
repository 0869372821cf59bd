"""A target that notes each call on disk before it does anything else."""

import os
import time
from collections import Counter
from pathlib import Path

from assay import TargetError

FAILS = "q04"
FLAKY = "q03"
SECONDS = float(os.environ.get("FAULTS_TARGET_SECONDS", "0.01"))

_calls: Counter[str] = Counter()


def note(*words: object) -> None:
    """Append a line to the log; it is on disk when this returns."""
    line = " ".join(map(str, (os.getpid(), *words)))
    log = os.open(os.environ["FAULTS_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(log, f"{line}\n".encode())
        os.fdatasync(log)
    finally:
        os.close(log)


def answer(question: str) -> str:
    """The question in capitals; one fails always, one every other time."""
    note("called", question)
    _calls[question] += 1
    while not Path(os.environ.get("FAULTS_GO", os.curdir)).exists():
        time.sleep(0.01)
    time.sleep(SECONDS)
    if question == FAILS:
        raise ValueError(question)
    if question == FLAKY and _calls[question] % 2:
        raise TargetError("unavailable", "try again")
    return question.upper()
