"""Loads Prefect and waits for its API, in silence or with one sentence."""

import logging
import os
import warnings
from contextlib import redirect_stderr
from io import StringIO

from assay.evaluators.errors import InputError, describe
from assay.flows.terminal.console import notes
from assay.tasks.prepare_prefect import prepare_prefect

_LONGEST_REASON = 200
_SETTINGS = {
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    # By default a server that has died is waited for for a minute at each call.
    "PREFECT_CLIENT_MAX_RETRIES": "3",
}


def start_prefect() -> None:
    """Return once a Prefect API answers; say first what takes so long.

    Raises:
        InputError: when Prefect cannot be loaded, or no API answers.
    """
    notes().print("starting Prefect")
    # What goes wrong is told in one sentence, and stands in the store; a log would tell it again.
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    logging.getLogger("EventsWorker").setLevel(logging.CRITICAL)
    prepare_prefect()
    try:
        # It remarks on broken settings in several lines, and then fails because of them.
        with warnings.catch_warnings(), redirect_stderr(StringIO()):
            warnings.simplefilter("ignore")
            from assay.tasks.reach_prefect import reach_prefect
    except Exception as error:
        reason = " ".join(describe(error).split())[:_LONGEST_REASON]
        msg = f"expected settings that Prefect can load, got {reason}; see `prefect config view`"
        raise InputError(msg, place="prefect", kind="prefect") from error
    reach_prefect()
