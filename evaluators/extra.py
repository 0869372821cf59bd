"""Packages that only some evaluators need, and that a user installs as an extra."""

import importlib
import importlib.util
from types import ModuleType

from assay.evaluators.errors import InvalidEvaluatorConfig

_MODULES = {"mt": "sacrebleu", "re2": "re2", "stem": "snowballstemmer"}


def has_extra(extra: str) -> bool:
    """True if the package of an extra is installed."""
    return importlib.util.find_spec(_MODULES[extra]) is not None


def require_extra(extra: str) -> None:
    """Raise InvalidEvaluatorConfig, which says what to install, unless the extra is there."""
    if not has_extra(extra):
        msg = (
            f"expected the package {_MODULES[extra]}, which is not installed; "
            f"pip install 'assay-evals[{extra}]'"
        )
        raise InvalidEvaluatorConfig(msg)


def load_extra(extra: str) -> ModuleType:
    """The module of an extra, imported when it is first used.

    Raises:
        InvalidEvaluatorConfig: it is not installed.
    """
    require_extra(extra)
    return importlib.import_module(_MODULES[extra])
