"""The source of a function, as the identity of one that declares no revision."""

import inspect
import sys
from collections.abc import Callable

from assay.evaluators.canonical import digest, write
from assay.evaluators.errors import NotJson


def source_digest(function: Callable[..., object]) -> str:
    """The digest of all that decides what the function does, or empty where it cannot be known.

    That is its module's source, its qualified name, its defaults and the values it closes over.
    What its module imports is not seen.
    """
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    if module is None:
        return ""
    try:
        known = {
            "source": inspect.getsource(module),
            "name": function.__qualname__,
            "defaults": list(getattr(function, "__defaults__", None) or ()),
            "keyword_defaults": getattr(function, "__kwdefaults__", None),
            "closure": dict(inspect.getclosurevars(function).nonlocals),
        }
        return digest(write(known))
    except (AttributeError, OSError, TypeError, ValueError, NotJson):
        return ""
