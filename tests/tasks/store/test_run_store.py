"""A stored run: what counts, and how it is read."""

import asyncio
from collections.abc import Callable
from datetime import datetime

import fsspec
import polars as pl
import pytest

from assay.evaluators.errors import InputError
from assay.evaluators.schema import CASES, EXECUTIONS
from assay.tasks.store import ExecutionRow, RunStore, Store, StoreError

Make = Callable[..., ExecutionRow]


def _commit(run: RunStore, *rows: ExecutionRow) -> None:
    with run.execution_writer() as writer:
        for row in rows:
            writer.commit_blocking(row)


def _remove(place: str, names: tuple[str, ...]) -> None:
    system, path = fsspec.core.url_to_fs(place)
    for name in names:
        system.rm(f"{path}/{name}")


def test_the_cases_are_those_of_the_plan(run: RunStore) -> None:
    """Grading again needs no dataset file; no expected value and a null stay apart."""
    cases = run.cases()
    assert cases.columns == CASES.names
    assert cases["case_id"].to_list() == ["c0", "c1", "c2"]
    assert cases["expected"].to_list() == ['"4"', "null", None]
    assert run.cases(["case_id", "position"]).columns == ["case_id", "position"]


def test_nothing_executed_is_an_empty_frame_with_all_columns(run: RunStore) -> None:
    """Counting needs no special case."""
    assert run.executions().columns == EXECUTIONS.names
    assert run.executions().height == run.late().height == 0
    assert list(run.iter_receipts()) == []
    assert run.receipt("c0", 0) is None
    assert run.gradings() == ()
    assert run.journal() == ()


def test_each_trial_counts_once(run: RunStore, receipt: Make) -> None:
    """Issue arithmetic: planned minus executed is what is left to do."""
    _commit(
        run,
        ExecutionRow("c0", 0, "failure", 3, error_class="timeout"),
        receipt("c0", output='"first"'),
        receipt("c0", output='"second"'),
        ExecutionRow("c1", 0, "failure", 3),
        ExecutionRow("c1", 0, "late", 3, output_present=True, output='"late"'),
        receipt("c2", 0),
        receipt("c2", 1),
    )
    counted = run.executions(["case_id", "repeat", "kind", "output"])
    assert sorted(counted.rows(), key=repr) == [
        ("c0", 0, "receipt", '"first"'),
        ("c1", 0, "failure", None),
        ("c2", 0, "receipt", '"x"'),
        ("c2", 1, "receipt", '"x"'),
    ]
    assert run.late(["output"])["output"].to_list() == ['"late"']


def test_the_receipt_of_one_trial_is_found(run: RunStore, receipt: Make) -> None:
    """A trial that is tried again uses what is durable already."""
    _commit(run, receipt("c0", 1, output='"b"'), receipt("c0", 0, output='"a"'), receipt("c1", 0))
    found = run.receipt("c0", 1)
    assert found is not None
    assert (found["case_id"], found["repeat"], found["output"]) == ("c0", 1, '"b"')
    assert isinstance(found["committed_at"], datetime)
    assert run.receipt("c1", 1) is None
    _commit(run, receipt("c1", 1))
    assert run.receipt("c1", 1) is not None


def test_a_receipt_is_found_after_its_part_was_merged(
    run: RunStore, store: Store, receipt: Make
) -> None:
    """Somebody else compacts while this process goes on."""
    _commit(run, receipt("c0", output='"a"'), receipt("c1"))
    assert run.receipt("c1", 0) is not None
    folder = store._folder.child("runs").child(run.run_id).child("executions")  # noqa: SLF001
    old = folder.names()
    for name in old:
        folder.add(f"part-merged-{name}", folder.read(name))
    _remove(folder.place, old)
    found = run.receipt("c0", 0)
    assert found is not None
    assert found["output"] == '"a"'


def test_receipts_come_in_bounded_batches_each_trial_once(run: RunStore, receipt: Make) -> None:
    """A year of receipts is graded again in constant memory."""

    async def main() -> None:
        async with run.execution_writer(in_flight=lambda: 25) as writer:
            rows = [receipt(f"c{number}") for number in range(100)]
            await asyncio.gather(*map(writer.commit, rows))
            await asyncio.gather(*map(writer.commit, rows[:25]))
            await writer.commit(ExecutionRow("failed", 0, "failure", 1))

    asyncio.run(main())
    batches = list(run.iter_receipts(batch_size=10, columns=["case_id", "output"]))
    assert [batch.schema.names for batch in batches] == [["case_id", "output"]] * len(batches)
    assert max(len(batch) for batch in batches) < 20
    ids = [case_id for batch in batches for case_id in batch["case_id"].to_pylist()]
    assert sorted(ids) == sorted(f"c{number}" for number in range(100))


def test_batches_agree_with_the_frame(run: RunStore, receipt: Make) -> None:
    """Two ways to the same rows must not differ in what counts."""
    _commit(run, *(receipt(f"c{at % 7}", output=f'"{at}"') for at in range(20)))
    frame = run.executions(["case_id", "output"]).rows()
    rows = [tuple(row.values()) for batch in run.iter_receipts() for row in batch.to_pylist()]
    at = [EXECUTIONS.names.index(name) for name in ("case_id", "output")]
    assert sorted((row[at[0]], row[at[1]]) for row in rows) == sorted(frame)


def test_only_the_wanted_receipts_are_read(run: RunStore, receipt: Make) -> None:
    """Three failed grades of a hundred thousand do not cost a hundred thousand payloads."""
    for number in range(6):
        _commit(run, receipt(f"c{number}"))
    trials = run.executions(["case_id", "repeat"]).filter(
        pl.col("case_id").cast(pl.String).is_in(["c1", "c4"])
    )
    (batch,) = run.iter_receipts(columns=["case_id"], trials=trials)
    assert batch["case_id"].to_pylist() == ["c1", "c4"]
    assert list(run.iter_receipts(trials=trials.clear())) == []


def _damage(run: RunStore, store: Store) -> str:
    folder = store._folder.child("runs").child(run.run_id).child("executions")  # noqa: SLF001
    name = folder.names()[-1]
    folder.replace(name, folder.read(name)[:-5])
    return name


def test_a_torn_part_is_named_by_every_reader(run: RunStore, store: Store, receipt: Make) -> None:
    """Whoever reads, the denominator never shrinks unseen."""
    _commit(run, receipt("c0"), receipt("c1"))
    name = _damage(run, store)
    readers: list[Callable[[], object]] = [
        run.executions,
        run.late,
        lambda: list(run.iter_receipts()),
        lambda: run.receipt("c0", 0),
    ]
    for reader in readers:
        with pytest.raises(StoreError, match=name):
            reader()
    assert len(run.damaged()) == 1
    assert run.executions(["case_id"], skip_damaged=True)["case_id"].to_list() == ["c0"]
    assert sum(map(len, run.iter_receipts(skip_damaged=True))) == 1


def test_a_snapshot_that_is_not_that_of_the_plan_is_refused(run: RunStore, store: Store) -> None:
    """Edited expected values would silently change what old receipts are graded against."""
    folder = store._folder.child("runs").child(run.run_id)  # noqa: SLF001
    folder.replace("cases.parquet", folder.read("cases.parquet") + b" ")
    with pytest.raises(StoreError, match=r"cases\.parquet: is not the file that the plan was made"):
        run.cases()


def test_facts_that_came_later_are_kept_in_order(run: RunStore) -> None:
    """Resumes, abandoned targets and such belong to the run, not to anybody's log."""
    run.add_journal({"kind": "resumed", "n": 1})
    run.add_journal({"kind": "abandoned"})
    assert [(fact["kind"], fact.get("n")) for fact in run.journal()] == [
        ("resumed", 1),
        ("abandoned", None),
    ]
    assert datetime.fromisoformat(str(run.journal()[0]["at"])).tzinfo is not None


def test_gradings_are_found_and_never_written_over(run: RunStore) -> None:
    """A run has one or more; an id is used once."""
    first = run.create_grading("g-1", grading={"suite": "a"})
    run.create_grading("g-2", grading={})
    assert [one.grading_id for one in run.gradings()] == ["g-1", "g-2"]
    assert run.grading("g-1").info == first.info
    assert (first.info["suite"], first.info["run_id"]) == ("a", "run-1")
    with pytest.raises(InputError, match="grading g-1 exists already"):
        run.create_grading("g-1", grading={})
    with pytest.raises(InputError, match="'g-' begins 2 grading ids"):
        run.grading("g-")
    with pytest.raises(InputError, match="expected a grading id"):
        run.create_grading("../g", grading={})


def test_categories_of_different_files_join(run: RunStore, receipt: Make) -> None:
    """Executions are joined to cases without a cast."""
    _commit(run, receipt("c0"), receipt("c1"))
    joined = run.cases(["case_id", "expected"]).join(run.executions(["case_id"]), on="case_id")
    assert joined.height == 2
    assert joined.schema["case_id"] == pl.Categorical
