"""Which grades a regrade computes although there may be older ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.evaluators.errors import InputError

CHANGED: Final = "changed"
FAILED: Final = "failed"
FAIL: Final = "fail"

_WORDS: Final = (CHANGED, FAILED, FAIL)
_FLAG: Final = "--only"


@dataclass(frozen=True, slots=True)
class RegradeDemand:
    """What is to be computed; everything else is carried over where it can be.

    Attributes:
        only: Any of `changed` (no grade of the key is there, or only one without an answer),
            `failed` (by the status in the newest grading), `fail` (by the verdict in it), and the
            ids of assessments. Empty means `changed`. An assessment of such a name is not meant.
        fresh: True: everything is computed.

    Raises:
        InputError: when both are given.
    """

    only: tuple[str, ...] = ()
    fresh: bool = False

    def __post_init__(self) -> None:
        if self.only and self.fresh:
            message = "expected one of them, got both: --fresh computes everything"
            raise InputError(message, place="--fresh, --only", kind="flag")

    @property
    def missing(self) -> bool:
        """True if a grade that cannot be carried over is computed, though nobody asked for it."""
        return not self.only or CHANGED in self.only

    @property
    def statuses(self) -> list[str]:
        """The statuses of older grades that are computed again."""
        return [FAILED] if FAILED in self.only else []

    @property
    def verdicts(self) -> list[str]:
        """The verdicts of older grades that are computed again."""
        return [FAIL] if FAIL in self.only else []

    @property
    def ids(self) -> frozenset[str]:
        """The assessments that are computed."""
        return frozenset(self.only).difference(_WORDS)

    def require_known(self, ids: Sequence[str]) -> None:
        """Refuse the id of an assessment that there is not.

        Args:
            ids: Those of the assessments and of their results.

        Raises:
            InputError: naming the id, and those that there are.
        """
        unknown = sorted(self.ids.difference(ids))
        if unknown:
            known = ", ".join([*_WORDS, *ids])[:300]
            message = f"expected {known}, got {unknown[0][:80]!r}"
            raise InputError(message, place=_FLAG, kind="flag")

    def document(self) -> dict[str, object]:
        """What the head of a grading keeps of it."""
        return {"only": list(self.only), "fresh": self.fresh}
