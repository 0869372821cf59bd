"""A Python type that a setting names."""

import importlib
import inspect
import sys
from decimal import Decimal

from assay.evaluators.canonical import digest
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.excerpt import excerpt

_BUILT_IN: dict[str, object] = {
    **{one.__name__: one for one in (bool, bytes, dict, float, int, list, set, str, tuple)},
    "None": type(None),
    "number": int | float | Decimal,
}


class NamedType:
    """A built-in type by its name, or any type by its import string.

    Attributes:
        name: As it was given.
        type: The type itself.
        code: The digest of the source that defines it, empty for built-in types.
    """

    def __init__(self, name: object) -> None:
        """Find it.

        Raises:
            InvalidEvaluatorConfig: there is none; the message lists the names that need no import.
        """
        if not isinstance(name, str) or not name:
            msg = f"expected a type, got {excerpt(name, 60)}"
            raise InvalidEvaluatorConfig(msg)
        self.name = name
        self.type = _imported(name) if ":" in name else _built_in(name)
        self.code = _code(self.type) if ":" in name else ""


def _built_in(name: str) -> object:
    if name not in _BUILT_IN:
        known = ", ".join(sorted(_BUILT_IN, key=str.casefold))
        msg = f"expected {known} or an import string 'module:type', got {excerpt(name, 60)}"
        raise InvalidEvaluatorConfig(msg)
    return _BUILT_IN[name]


def _imported(name: str) -> object:
    module, _, attribute = name.partition(":")
    try:
        found: object = importlib.import_module(module)
        for step in attribute.split("."):
            found = getattr(found, step)
    except Exception as error:  # whatever a foreign module raises
        msg = f"expected {excerpt(name, 60)} to name a type, got {type(error).__name__}"
        raise InvalidEvaluatorConfig(msg) from error
    return found


def _code(found: object) -> str:
    module = sys.modules.get(getattr(found, "__module__", ""))
    try:
        source = "" if module is None else inspect.getsource(module)
    except (OSError, TypeError):
        return ""
    return digest(f"{getattr(found, '__qualname__', '')}\n{source}")
