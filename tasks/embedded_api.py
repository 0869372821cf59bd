"""The program of the embedded Prefect server: its API, until the process that started it ends.

Arguments: the port, and the id of that process.
"""

import os
import sys
import threading
import time

import uvicorn
from prefect.server.api.server import create_app

_LOOK_EVERY_SECONDS = 1.0


def main() -> None:
    """Serve the API on a port of this machine until terminated."""
    port, host = int(sys.argv[1]), int(sys.argv[2])
    threading.Thread(target=_end_with, args=(host,), daemon=True).start()
    app = create_app(ephemeral=True, final=True)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", lifespan="on")


def _end_with(host: int) -> None:
    while os.getppid() == host:
        time.sleep(_LOOK_EVERY_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
