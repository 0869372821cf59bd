"""Verifying what was left of erased rows: the numbers that were kept are still those."""

from collections.abc import Sequence

import pyarrow as pa

from assay.tasks.problem import Problem
from assay.tasks.store.erased_rows import ErasedRows
from assay.tasks.store.forgotten import Forgotten


class ErasuresLeft:
    """Compares the erased rows of one folder with what the journal says was left of them.

    Args:
        erasures: Those of the run, the oldest first.
        path: The folder within the run.
    """

    def __init__(self, erasures: Sequence[Forgotten], path: str) -> None:
        ended = [one for one in erasures if one.ended]
        # What was forgotten again later is measured by the later erasure.
        latest = [
            one
            for index, one in enumerate(ended)
            if not any(_covers(later, one) for later in ended[index + 1 :])
        ]
        self._expected = [
            (one.seals[path], ErasedRows(one.cases)) for one in latest if path in one.seals
        ]

    def note(self, table: pa.Table) -> None:
        """Note the rows of a part."""
        for _, rows in self._expected:
            rows.note(table)

    def problems(self, place: str) -> list[Problem]:
        """What is wrong, once all parts have been noted."""
        return [
            Problem("digest", place, "what was kept of forgotten rows has been changed since")
            for seal, rows in self._expected
            if rows.seal() != seal
        ]


def unfinished(erasures: Sequence[Forgotten], place: str) -> list[Problem]:
    """Erasures that began and did not end."""
    return [
        Problem("forgotten", place, "forgetting was interrupted; run assay forget again")
        for index, one in enumerate(erasures)
        if not one.ended
        and not any(later.ended and _covers(later, one) for later in erasures[index + 1 :])
    ]


def _covers(later: Forgotten, one: Forgotten) -> bool:
    if later.cases is None:
        return True
    return one.cases is not None and one.cases <= later.cases
