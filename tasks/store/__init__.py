"""The store: runs, receipts and grades as immutable files behind any fsspec URL."""

from assay.tasks.store.erasure import Erased
from assay.tasks.store.grade_writer import GradeWriter
from assay.tasks.store.grading_store import GradingStore
from assay.tasks.store.group_commit import CommitLimits
from assay.tasks.store.ids import new_grading_id, new_run_id, require_id
from assay.tasks.store.lease import Lease
from assay.tasks.store.location import choose_store
from assay.tasks.store.part_writer import PartWriter
from assay.tasks.store.rows import CaseRow, ExecutionRow, GradeRow, case_table
from assay.tasks.store.run_entry import RunEntry
from assay.tasks.store.run_store import RunStore
from assay.tasks.store.store import Store, open_store
from assay.tasks.store.store_error import StoreError

__all__ = [
    "CaseRow",
    "CommitLimits",
    "Erased",
    "ExecutionRow",
    "GradeRow",
    "GradeWriter",
    "GradingStore",
    "Lease",
    "PartWriter",
    "RunEntry",
    "RunStore",
    "Store",
    "StoreError",
    "case_table",
    "choose_store",
    "new_grading_id",
    "new_run_id",
    "open_store",
    "require_id",
]
