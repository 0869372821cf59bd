"""Standard output, kept for results."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import UnsupportedOperation
from typing import TextIO


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
    """Write the text, unless whoever read it has gone."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # There is nobody to tell, and the interpreter would complain when it flushes at its end.
        _silence(stream)


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
