"""The ready-made evaluators by the name that suites use: `<family>.<evaluator>`."""

import difflib
from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from assay.evaluators import operation, ranking, structure, text, trajectory
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.ready_made import ReadyMade

_FAMILIES: tuple[ModuleType, ...] = (operation, ranking, structure, text, trajectory)


def _collect() -> Mapping[str, ReadyMade]:
    found = (getattr(family, name) for family in _FAMILIES for name in family.__all__)
    evaluators = (one for one in found if isinstance(one, ReadyMade))
    return MappingProxyType({f"{one.family}.{one.descriptor.name}": one for one in evaluators})


READY_MADE: Mapping[str, ReadyMade] = _collect()
"""Every ready-made evaluator, unconfigured, by its name in suites."""


def find(use: str) -> ReadyMade:
    """The ready-made evaluator of a name.

    Raises:
        InvalidEvaluatorConfig: there is none; the message names a similar one, or how to list all.
    """
    if use in READY_MADE:
        return READY_MADE[use]
    near = difflib.get_close_matches(use[:80], READY_MADE, n=1)
    known = f"did you mean {near[0]!r}?" if near else "assay evaluators lists them"
    msg = (
        "expected <family>.<evaluator>, composite, or an import string 'module:attribute', "
        f"got {use[:60]!r}; {known}"
    )
    raise InvalidEvaluatorConfig(msg)
