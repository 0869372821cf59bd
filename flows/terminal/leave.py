"""The end of the process: soon, whatever still runs."""

import os
import sys
import threading
import time
from typing import NoReturn

_PATIENCE_SECONDS = 10.0


def leave(code: int) -> NoReturn:
    """End the process with this exit code.

    At its end Prefect sends what it holds, which a server that has died would delay for minutes;
    after some seconds the process ends all the same. Rows are durable long before.
    """
    threading.Thread(target=_insist, args=(code,), name="assay-leave", daemon=True).start()
    sys.exit(code)


def _insist(code: int) -> None:
    time.sleep(_PATIENCE_SECONDS)
    os._exit(code)
