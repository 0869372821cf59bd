"""Erasing what the grades of some cases say, in one grading."""

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from assay.tasks.store.erase import (
    GRADE_ERASERS,
    IDENTITY_ERASERS,
    OWN_GRADE_ERASERS,
    erase_rows,
    rows_where,
)
from assay.tasks.store.erased_rows import ErasedRows
from assay.tasks.store.folder import Folder
from assay.tasks.store.json_file import JsonRecord
from assay.tasks.store.part_file import WholePart
from assay.tasks.store.part_kind import GRADE_PARTS, IDENTITY_PARTS
from assay.tasks.store.rewrite import Rewrite

_DIGESTS = ("evaluator", "metric", "observation", "policy")


class GradingErasure:
    """The erasure of cases in one grading.

    Args:
        cases: Ids of the cases; None for all.
        info: What the head of the grading says.
    """

    def __init__(self, cases: frozenset[str] | None, info: JsonRecord) -> None:
        self._cases = cases
        self._own = _own_assessments(cases, info)
        self._named_by_own: set[str] = set()
        self._named_by_others: set[str] = set()
        self.erased = ErasedRows(cases)

    def run(self, folder: Folder, rewrite: Rewrite) -> None:
        """Erase in all parts of the grading's folder; raises StoreError for a damaged one."""
        rewrite.parts(folder, GRADE_PARTS, self._grades)
        if self._named_by_own - self._named_by_others:
            rewrite.parts(folder, IDENTITY_PARTS, self._identities)

    def _grades(self, part: WholePart) -> WholePart:
        chosen = rows_where(part.rows, "case_id", self._cases)
        is_own = pc.and_(chosen, rows_where(part.rows, "assessment_id", self._own))
        self._note_names(part.rows, is_own)
        bare = erase_rows(part.rows, chosen, GRADE_ERASERS)
        bare = erase_rows(bare, is_own, OWN_GRADE_ERASERS)
        self.erased.note(bare)
        return WholePart(bare, part.version, part.merge_id)

    def _identities(self, part: WholePart) -> WholePart:
        chosen = rows_where(part.rows, "digest", self._named_by_own - self._named_by_others)
        bare = erase_rows(part.rows, chosen, IDENTITY_ERASERS)
        return WholePart(bare, part.version, part.merge_id)

    def _note_names(self, rows: pa.Table, is_own: pa.ChunkedArray) -> None:
        for names, chosen in (
            (self._named_by_own, is_own),
            (self._named_by_others, pc.invert(is_own)),
        ):
            for column in _DIGESTS:
                names.update(rows[column].filter(chosen).unique().drop_null().to_pylist())


def _own_assessments(cases: Collection[str] | None, info: JsonRecord) -> frozenset[str]:
    """The ids of results that these cases declare beside the suite."""
    declared = info.get("case_assessment_ids")
    suite = info.get("assessment_ids")
    by_case = declared if isinstance(declared, dict) else {}
    own = {
        str(one)
        for case_id, ids in by_case.items()
        if (cases is None or case_id in cases) and isinstance(ids, list)
        for one in ids
    }
    return frozenset(own.difference(suite if isinstance(suite, list) else ()))
