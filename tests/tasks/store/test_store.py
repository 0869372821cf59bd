"""The store: runs that are there as a whole or not at all."""

import math
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from assay.evaluators.errors import InputError
from assay.tasks.store import RunEntry, Store, new_run_id, open_store

Plan = dict[str, object]


def _made(store: Store, plan: Plan, cases: pa.Table, *names: str) -> list[str]:
    return [store.create_run(name, plan=plan, cases=cases).run_id for name in names]


def test_a_run_is_listed_with_what_was_planned(store: Store, plan: Plan, cases: pa.Table) -> None:
    """A listing opens the plans and nothing else."""
    run_id = new_run_id("demo")
    _made(store, plan, cases, run_id)
    (entry,) = store.runs()
    assert (entry.run_id, entry.name, entry.problem) == (run_id, "demo", "")
    assert entry.counts == {"cases": 3, "repeats": 1, "trials": 3}
    assert entry.created_at is not None


def test_runs_are_listed_in_order_of_time(store: Store, plan: Plan, cases: pa.Table) -> None:
    """Whatever their names."""
    _made(store, plan, cases, "zebra", "ape")
    assert [entry.run_id for entry in store.runs()] == ["zebra", "ape"]


def test_the_plan_is_kept_as_given(store: Store, plan: Plan, cases: pa.Table) -> None:
    """Any JSON object, with what the store knows beside."""
    given: Plan = {**plan, "settings": {"a": [1, 0.5, None, "ü\u2028"]}}
    stored = store.create_run("r", plan=given, cases=cases).plan
    assert {name: stored[name] for name in given} == given
    assert set(stored) - set(given) == {"run_id", "created_at", "schema_version", "cases_digest"}


def test_an_id_is_used_once(store: Store, plan: Plan, cases: pa.Table) -> None:
    """The first run is unharmed by the second attempt."""
    _made(store, plan, cases, "r")
    with pytest.raises(InputError, match="run r exists already; resume it or choose another id"):
        store.create_run("r", plan={**plan, "name": "other"}, cases=cases)
    assert store.run("r").plan["name"] == "demo"


@pytest.mark.parametrize("run_id", ["../evil", "a/b", "..", "", "/tmp/x", ".hidden"])  # noqa: S108
def test_an_id_cannot_leave_the_store(
    run_id: str, store: Store, plan: Plan, cases: pa.Table
) -> None:
    """Refused when a run is made, and not found when one is asked for."""
    with pytest.raises(InputError, match="expected a run id"):
        store.create_run(run_id, plan=plan, cases=cases)
    _made(store, plan, cases, "r")
    with pytest.raises(InputError, match="no run"):
        store.run(run_id)


@pytest.mark.parametrize(
    "bad", [{"name": "x"}, {"counts": {}}, {"name": "x", "counts": {"n": math.nan}}]
)
def test_a_plan_of_another_form_writes_nothing(bad: Plan, store: Store, cases: pa.Table) -> None:
    """A mistake of the caller must not leave half a run."""
    with pytest.raises(ValueError, match=r"expected a plan|JSON"):
        store.create_run("r", plan=bad, cases=cases)
    assert store.runs() == ()


def test_cases_of_another_form_write_nothing(store: Store, plan: Plan) -> None:
    """The same for the snapshot."""
    with pytest.raises(ValueError, match="columns missing or unknown"):
        store.create_run("r", plan=plan, cases=pa.table({"case_id": ["c"]}))
    assert store.runs() == ()


def test_runs_and_gradings_are_found_by_their_beginning(
    store: Store, plan: Plan, cases: pa.Table
) -> None:
    """Across all runs, as `assay compare` asks for them."""
    for name in ("one", "two"):
        store.create_run(name, plan=plan, cases=cases).create_grading(f"g-{name}", grading={})
    assert store.run("tw").run_id == "two"
    run, grading = store.find_grading("g-o")
    assert (run.run_id, grading.grading_id) == ("one", "g-one")
    with pytest.raises(InputError, match="no run 'onee' here; did you mean one"):
        store.run("onee")
    with pytest.raises(InputError, match="'g-' begins 2 grading ids: g-one, g-two"):
        store.find_grading("g-")


def test_what_is_no_run_is_not_listed(tmp_path: Path, plan: Plan, cases: pa.Table) -> None:
    """A half-written plan is not a run, nor is what a person or a killed process left there."""
    store = open_store(str(tmp_path))
    _made(store, plan, cases, "r")
    runs = tmp_path / "runs"
    for name in (".r2-123.tmp", "half", "with space"):
        (runs / name).mkdir()
        (runs / name / "cases.parquet").write_bytes(b"")
    (runs / "README").write_text("notes")
    assert [entry.run_id for entry in store.runs()] == ["r"]
    with pytest.raises(InputError, match="no run 'half' here"):
        store.run("half")


def test_a_damaged_plan_is_listed_with_its_problem(
    tmp_path: Path, plan: Plan, cases: pa.Table
) -> None:
    """One bad file hides neither itself nor the other runs."""
    store = open_store(str(tmp_path))
    _made(store, plan, cases, "bad", "good")
    (tmp_path / "runs" / "bad" / "plan.json").write_text('{"name": "de')
    first, second = store.runs()
    assert first.run_id == "bad"
    assert f"{tmp_path}/runs/bad/plan.json: expected a JSON object" in first.problem
    assert (second.run_id, second.problem) == ("good", "")


def test_an_empty_store_has_no_runs(store: Store) -> None:
    """And says so when one is asked for."""
    assert store.runs() == ()
    with pytest.raises(InputError, match="no run 'x' here; there is no run yet"):
        store.run("x")


def test_an_entry_of_a_damaged_run_claims_nothing() -> None:
    """Absent, not zero."""
    entry = RunEntry("r", problem="torn")
    assert (entry.created_at, entry.counts) == (None, {})


def test_importing_the_store_does_not_import_prefect() -> None:
    """Prefect costs seconds, and `assay list` needs none of it."""
    code = "import assay.tasks.store, sys; sys.exit('prefect' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
