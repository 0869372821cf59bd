"""The end of the process: soon, whatever still runs."""

import os
import signal
import sys
import threading
import time
from typing import NoReturn

from assay.flows.terminal.interruption import SIGNALS

_PATIENCE_SECONDS = 5.0


def leave(code: int) -> NoReturn:
    """End the process with this exit code.

    At its end Prefect sends what it holds, which a server that has died would delay for minutes;
    after some seconds, or at a signal, the process ends all the same. Rows are durable long before.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: os._exit(code))
    threading.Thread(target=_insist, args=(code,), name="assay-leave", daemon=True).start()
    sys.exit(code)


def _insist(code: int) -> None:
    time.sleep(_PATIENCE_SECONDS)
    os._exit(code)
