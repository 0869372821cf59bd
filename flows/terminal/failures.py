"""How a command ends: one sentence for wrong use, and the exit code that scripts rely on."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from assay.evaluators.errors import AssayError, InputError
from assay.flows.terminal.console import inert

PASSED = 0
GATE_FAILED = 1
WRONG_USE = 2
UNDECIDED = 3
INTERRUPTED = 4

_LONGEST_SENTENCE = 2000


class Interrupted(Exception):  # noqa: N818 - the user's doing, not an error
    """The user stopped the command; the message says what is kept and how to go on."""


@contextmanager
def one_sentence(*, as_json: bool) -> Iterator[None]:
    """End the command with one sentence and an exit code where it cannot go on.

    Wrong use, wrong input and a store that fails end with 2, an interruption with 4. Anything else
    is a bug of Assay and stays a traceback.
    """
    try:
        yield
    except InputError as error:
        _end(error.kind, str(error), error.place, WRONG_USE, as_json=as_json)
    except AssayError as error:
        _end(type(error).__name__, str(error), "", WRONG_USE, as_json=as_json)
    except Interrupted as error:
        _end("interrupted", str(error), "", INTERRUPTED, as_json=as_json)
    except KeyboardInterrupt:
        _end("interrupted", "interrupted", "", INTERRUPTED, as_json=as_json)
    except BrokenPipeError:
        # Whoever read the results has gone; there is nobody to tell.
        sys.stderr.close()
        sys.exit(PASSED)


def _end(kind: str, message: str, place: str, code: int, *, as_json: bool) -> None:
    if as_json:
        error = {"kind": kind, "message": message, "place": place}
        sys.stdout.write(json.dumps({"error": error, "exit_code": code}) + "\n")
    else:
        sys.stderr.write(f"assay: {inert(message, _LONGEST_SENTENCE)}\n")
    sys.exit(code)


