"""Ids of runs and gradings: names of folders that a person can read and type."""

import re
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import get_close_matches

from assay.evaluators.errors import InputError

_VALID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: nobody misreads one
_SUFFIX_LENGTH = 6
_LONGEST_NAME = 40
_SHOWN = 80


def new_run_id(name: str, *, now: datetime | None = None) -> str:
    """An id for a run of the named experiment, such as `20261130-182959123-support-bot-k3f9x2`.

    Ids sort by time, to the millisecond; 30 random bits keep two of one millisecond apart.

    Args:
        name: Name of the experiment, any text; what a file name cannot hold is left out.
        now: The moment, with a time zone; by default the present one.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-")
    return "-".join(filter(None, (_moment(now), slug, _suffix())))


def new_grading_id(*, now: datetime | None = None) -> str:
    """An id for a grading, such as `g20261130-182959123-k3f9x2`; properties as for a run's."""
    return f"g{_moment(now)}-{_suffix()}"


def is_id(text: str) -> bool:
    """True if the text can name a run or a grading: 1 to 128 of `A-Za-z0-9._-`, no leading sign."""
    return _VALID.fullmatch(text) is not None


def require_id(text: str, *, kind: str) -> None:
    """Refuse a text that could not name a folder, or would climb out of the store.

    Raises:
        InputError: naming what an id may hold.
    """
    if not is_id(text):
        message = (
            f"expected a {kind} id of 1 to 128 letters, digits, '.', '_' or '-' that begins with "
            f"a letter or digit, got {_shown(text)}"
        )
        raise InputError(message, kind=kind)


def find_id(wanted: str, known: Sequence[str], *, kind: str, place: str) -> str:
    """The known id that is wanted: itself, or the only one that begins so.

    Args:
        wanted: An id, or the beginning of one.
        known: The ids that there are.
        kind: `run` or `grading`, for the message.
        place: Where they were looked for, for the message.

    Raises:
        InputError: none or several begin so; the message names close ones.
    """
    if wanted in known:
        return wanted
    candidates = sorted(one for one in known if wanted and one.startswith(wanted))
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        message = f"{_shown(wanted)} begins {len(candidates)} {kind} ids: {_listed(candidates)}"
    else:
        message = f"no {kind} {_shown(wanted)} here; {_alternatives(wanted, known, kind)}"
    raise InputError(message, place=place, kind=kind)


def _alternatives(wanted: str, known: Sequence[str], kind: str) -> str:
    if not known:
        return f"there is no {kind} yet"
    close = get_close_matches(wanted, known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {_listed(close)}?"
    return f"the newest of {len(known)} is {max(known)}"


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:3])
    return shown if len(ids) <= 3 else f"{shown}, ..."  # noqa: PLR2004 - as many as shown


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _moment(now: datetime | None) -> str:
    moment = (now or datetime.now(UTC)).astimezone(UTC)
    return f"{moment:%Y%m%d-%H%M%S}{moment.microsecond // 1000:03d}"


def _suffix() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_SUFFIX_LENGTH))
