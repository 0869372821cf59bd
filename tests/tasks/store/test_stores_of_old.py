"""Stores that were written once and must stay readable, and files of versions to come."""

import json
import runpy
import shutil
from pathlib import Path

import polars as pl
import pytest

from assay.evaluators.schema import CASES, EXECUTIONS, GRADES, IDENTITIES, SCHEMA_VERSION
from assay.tasks.compact_run import compact_run
from assay.tasks.forget import forget_run
from assay.tasks.store import RunStore, Store, StoreError, open_store
from assay.tasks.verify_store import verify_store

_HERE = Path(__file__).parent
_STORES = sorted(_HERE.glob("written_by_*"))


@pytest.fixture(params=_STORES, ids=lambda path: path.name)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A copy of a store that an older program, or this one, has written."""
    shutil.copytree(request.param, tmp_path / "old")
    return open_store(str(tmp_path / "old"))


def _run(store: Store) -> RunStore:
    (entry,) = store.runs()
    assert entry.problem == ""
    return store.run(entry.run_id)


def test_each_schema_version_has_left_a_store() -> None:
    """Whoever raises the version writes another one, with `write_fixture.py`."""
    versions = {int(path.name.removeprefix("written_by_")) for path in _STORES}
    assert versions == set(range(1, SCHEMA_VERSION + 1))


def test_an_old_store_is_read(old: Store) -> None:
    """Every column of every kind, with the values that were written."""
    run = _run(old)
    assert run.cases().columns == CASES.names
    executions = run.executions().sort("case_id")
    assert executions.columns == EXECUTIONS.names
    assert executions["case_id"].to_list() == ["failed", "forgotten", "nested", "plain"]
    assert executions["kind"].to_list() == ["failure", "receipt", "receipt", "receipt"]
    assert executions["output"].to_list() == [None, None, '{"x":3.5}', '"2"']
    assert executions["cost"].to_list() == [None, 0.5, 0.5, 0.5]
    assert executions["error_class"].to_list() == ["refused", None, None, None]
    assert run.late(["case_id"])["case_id"].to_list() == ["plain"]
    assert run.forgotten_cases() == {"forgotten"}
    assert [fact["kind"] for fact in run.journal()] == ["note", "forget", "forgotten"]


def test_the_gradings_of_an_old_store_are_read(old: Store) -> None:
    """Verdicts, what was carried over, and what digests stand for."""
    first, second = _run(old).gradings()
    for grading, origin in ((first, None), (second, "g1")):
        grades = grading.grades()
        assert grades.columns == GRADES.names
        exact = grades.filter(pl.col("assessment_id").cast(pl.String) == "exact").sort("case_id")
        assert exact["verdict"].to_list() == ["pass", "fail", "pass"]
        assert set(grades["reused_from"].cast(pl.String)) == {origin}
        kinds = {kind for kind, _ in grading.identities().values()}
        assert kinds == {"evaluator", "metric", "observation", "policy"}
        assert set(grading.identity_table().columns) < set(IDENTITIES.names)


def test_an_old_store_verifies_and_can_be_tended(old: Store) -> None:
    """Its digests were made by another program, and must be made alike for ever."""
    assert verify_store(old) == ()
    run = _run(old)
    compact_run(old, run.run_id)
    assert verify_store(old) == ()
    forget_run(old, run.run_id)
    assert verify_store(old) == ()
    assert "What is 1" not in repr(_run(old).cases().rows())


@pytest.mark.parametrize("name", ["plan.json", "gradings/g1/grading.json"])
def test_a_file_of_a_version_to_come_is_refused_by_name(name: str, old: Store) -> None:
    """Reading half of what it says would look like all of it."""
    path = Path(_run(old).place) / name
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, "schema_version": 99}), encoding="utf-8")
    (entry,) = old.runs()
    with pytest.raises(StoreError, match=rf"{name}: has schema version 99, .*use a newer one"):
        _ = old.run(entry.run_id).plan, old.run(entry.run_id).gradings()
    assert any("use a newer one" in problem.message for problem in verify_store(old))


def test_the_writer_of_the_old_stores_still_runs(address: str) -> None:
    """It will be needed at the next version."""
    runpy.run_path(str(_HERE / "write_fixture.py"))["write_fixture"](address)
    assert verify_store(open_store(address)) == ()
