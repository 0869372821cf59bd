"""Which trial is meant."""

from typing import NamedTuple


class TrialKey(NamedTuple):
    """A case and a repeat of it.

    Attributes:
        case_id: The case.
        repeat: From 0.
    """

    case_id: str
    repeat: int

    @property
    def name(self) -> str:
        """`<case id>#<repeat>`, the name of the trial's task run."""
        return f"{self.case_id}#{self.repeat}"
