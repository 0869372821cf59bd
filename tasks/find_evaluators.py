"""The ready-made evaluators that a user asks about."""

import difflib
from collections.abc import Mapping

from assay.evaluators.errors import InputError
from assay.evaluators.ready_made import ReadyMade
from assay.evaluators.registry import READY_MADE


def find_evaluators(name: str | None = None) -> Mapping[str, ReadyMade]:
    """Those of a name or of a family, or all of them, by their names in suites, sorted.

    Raises:
        InputError: there is neither such an evaluator nor such a family.
    """
    if name is None:
        return dict(sorted(READY_MADE.items()))
    found = {use: one for use, one in sorted(READY_MADE.items()) if name in (use, one.family)}
    if not found:
        raise InputError(_unknown(name), kind="evaluator")
    return found


def _unknown(name: str) -> str:
    families = sorted({one.family for one in READY_MADE.values()})
    bare = {use.partition(".")[2]: use for use in READY_MADE}
    near = [bare[name]] if name in bare else difflib.get_close_matches(name[:80], READY_MADE, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the families are {', '.join(families)}"
    return f"expected an evaluator or a family, got {name[:60]!r}; {hint}"
