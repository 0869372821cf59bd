"""Standard output, kept for results."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from pathlib import Path
from typing import TextIO

from assay.evaluators.errors import InputError


@contextmanager
def kept_for_results() -> Iterator[TextIO]:
    """Standard output; what anything else prints meanwhile goes to standard error.

    A target, a grader and the libraries that they load print what they like.
    """
    own, descriptor = sys.stdout, _descriptor(sys.stdout)
    own.flush()
    sys.stdout = sys.stderr
    if descriptor is None or _descriptor(sys.stderr) is None:
        try:
            yield own
        finally:
            sys.stdout = own
        return
    with os.fdopen(os.dup(descriptor), "w", encoding=own.encoding, errors=own.errors) as kept:
        os.dup2(sys.stderr.fileno(), descriptor)
        try:
            yield kept
            kept.flush()
        finally:
            os.dup2(kept.fileno(), descriptor)
            sys.stdout = own


def write_results(text: str, stream: TextIO) -> None:
    """Write the text, unless whoever read it has gone.

    Raises:
        InputError: it cannot be written for another reason, such as a full disk.
    """
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # The interpreter would complain again when it flushes at its end.
        _silence(stream)
        if not isinstance(error, BrokenPipeError):
            msg = f"the results cannot be written: {error.strerror}; `assay show` has them still"
            raise InputError(msg, place="standard output", kind="output") from error


def open_missing_streams() -> None:
    """Let a process that was started without standard output or error write to nowhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
            setattr(sys, name, nowhere)


def _silence(stream: TextIO) -> None:
    descriptor = _descriptor(stream)
    if descriptor is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (UnsupportedOperation, AttributeError, ValueError):
        return None
