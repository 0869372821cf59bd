"""Stores to test with: one on disk, one in memory, and rows to put into them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import fsspec
import pyarrow as pa
import pytest

from assay.tasks.store import (
    CaseRow,
    ExecutionRow,
    GradeRow,
    RunStore,
    Store,
    case_table,
    open_store,
)
from assay.tasks.store.folder import Folder
from assay.tasks.store.location import open_folder


@pytest.fixture(params=["local", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store that does not exist yet, on disk and in memory."""
    if request.param == "local":
        yield str(tmp_path / "deep" / "store")
        return
    name = f"/{uuid4()}"
    yield f"memory:/{name}"
    memory = fsspec.filesystem("memory")
    if memory.exists(name):
        memory.rm(name, recursive=True)


@pytest.fixture
def folder(url: str) -> Folder:
    """An empty folder."""
    return open_folder(url)


@pytest.fixture
def store(url: str) -> Store:
    """An empty store."""
    return open_store(url)


@pytest.fixture
def cases() -> pa.Table:
    """Three cases, the last without an expected value."""
    return case_table(
        [
            CaseRow("c0", '"2+2"', '"4"', "{}", None, "sha256:c0", "sha256:i0", 0),
            CaseRow("c1", "null", "null", '{"k":1}', "[]", "sha256:c1", "sha256:i1", 1),
            CaseRow("c2", "{}", None, "{}", None, "sha256:c2", "sha256:i2", 2),
        ]
    )


@pytest.fixture
def plan() -> dict[str, object]:
    """A plan with what every plan must have."""
    return {"name": "demo", "counts": {"cases": 3, "repeats": 1, "trials": 3}}


@pytest.fixture
def run(store: Store, plan: dict[str, object], cases: pa.Table) -> RunStore:
    """A run of which nothing has been executed yet."""
    return store.create_run("run-1", plan=plan, cases=cases)


@pytest.fixture
def receipt() -> Callable[..., ExecutionRow]:
    """Makes the receipt of a trial: `receipt("c0", 0, output='"x"')`."""

    def make(case_id: str, repeat: int = 0, *, output: str = '"x"') -> ExecutionRow:
        return ExecutionRow(
            case_id,
            repeat,
            "receipt",
            1,
            status="completed",
            output_present=True,
            output=output,
            receipt_digest=f"sha256:{case_id}#{repeat}",
        )

    return make


@pytest.fixture
def grade() -> Callable[..., GradeRow]:
    """Makes a grade: `grade("c0", "exact", score=1.0, attempt=2)`."""

    def make(
        case_id: str, assessment_id: str, *, score: float | None = None, attempt: int = 1
    ) -> GradeRow:
        return GradeRow(
            case_id,
            0,
            assessment_id,
            key="sha256:key",
            status="completed",
            evaluator="sha256:e",
            receipt_digest="sha256:r",
            score=score,
            attempt=attempt,
        )

    return make
