"""Verifying: an honest store has no problem, and whatever is changed in it is found and named."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import fsspec
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from assay.evaluators.case import Case
from assay.evaluators.errors import InputError, TargetError
from assay.tasks.prepare_run import prepare_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.run_report import report_run
from assay.tasks.store import GradingStore, RunStore, open_store
from assay.tasks.store.part_file import WholePart, encode_stamped
from assay.tasks.store.parts import Parts
from assay.tasks.store.stamp import row_digests
from assay.tasks.store.uuid7 import uuid7
from assay.tasks.verify_store import verify, verify_run, verify_store

Change = Callable[[pa.Table], pa.Table]


@pytest.fixture
def run(
    graded_folder: Path,
    address: str,
    execute: Callable[..., object],
    regrade: Callable[..., object],
) -> RunStore:
    """A run of eight trials with a case of its own assessment, regraded once, summarised twice."""
    cases = graded_folder / "cases.jsonl"
    own = {"id": "own", "use": "text.contains", "with": {"value": "Q"}}
    lines = cases.read_text(encoding="utf-8").split("\n")
    lines[0] = json.dumps({**json.loads(lines[0]), "suite": [own]})
    cases.write_text("\n".join(lines), encoding="utf-8")
    prepared = prepare_run(
        graded_folder / "experiment.yaml", store=address, overrides={"repeats": 2}
    )
    execute(prepared)
    report_run(prepared.run, prepared.grading)
    regrade(prepared.run.run_id)
    return open_store(address).run(prepared.run.run_id)


def _problems(run: RunStore) -> list[tuple[str, str]]:
    return [(problem.kind, str(problem)) for problem in verify_run(run)]


def test_an_honest_run_has_no_problem(run: RunStore, address: str) -> None:
    """Graded, regraded, summarised, merged, carried over: none of it looks like a forgery."""
    assert verify_run(run) == ()
    for merger in run.mergers():
        merger.merge_all()
    assert verify_store(open_store(address)) == ()


def _grading(run: RunStore) -> GradingStore:
    return run.gradings()[-1]


def _edit(parts: Parts, change: Change, *, restamp: bool = False) -> None:
    """Change the rows of every part, as somebody with a Parquet editor would."""
    for name, part in parts.whole():
        assert isinstance(part, WholePart)
        rows = change(part.rows)
        if restamp and "row_digest" in rows.column_names:
            rows = _with(rows, "row_digest", row_digests(rows))
        parts.folder.replace(name, encode_stamped(rows))


def _with(table: pa.Table, name: str, column: object) -> pa.Table:
    place = table.schema.names.index(name)
    values = column.to_pylist() if hasattr(column, "to_pylist") else column
    return table.set_column(
        place, table.schema.field(name), pa.array(values, table.schema.field(name).type)
    )


def _set(name: str, value: object, *, case_id: str = "c1") -> Change:
    """A change of one column in the rows of one case."""

    def change(table: pa.Table) -> pa.Table:
        ids = table["case_id"].to_pylist()
        pairs = zip(ids, table[name].to_pylist(), strict=True)
        return _with(table, name, [value if one == case_id else old for one, old in pairs])

    return change


def _without(case_id: str) -> Change:
    return lambda table: table.filter(pc.not_equal(table["case_id"].cast(pa.string()), case_id))


def _doubled(table: pa.Table) -> pa.Table:
    later = pc.add(table["committed_at"], pa.scalar(1_000_000, pa.duration("us")))
    return pa.concat_tables([table, _with(table, "committed_at", later)])


EXECUTION_CHANGES: dict[str, tuple[Change, str, str]] = {
    "an edited answer": (_set("output", '"other"'), "digest", "a row is not what its digest"),
    "an edited answer, row digest and all": (
        _set("output", '"other"'),
        "digest",
        "a receipt is not what its receipt digest was made of: c1#",
    ),
    "an edited cost, row digest and all": (_set("duration_seconds", 9.0), "summary", "other rows"),
    "an edited receipt digest": (_set("receipt_digest", "sha256:0"), "dangling", "another receipt"),
    "a receipt of a case that said something else": (
        _set("case_digest", "sha256:0"),
        "dangling",
        "of a case that said something else",
    ),
    "a case that was never planned": (_set("case_id", "c9"), "unknown_trial", "c9#"),
    "a repeat that was never planned": (_set("repeat", 2), "unknown_trial", "c1#2"),
    "a kind that there is not": (_set("kind", "rumour"), "contradiction", "expected a kind out of"),
    "a receipt with an error class": (
        _set("error_class", "timeout"),
        "contradiction",
        "belongs to failures alone",
    ),
    "no attempt": (_set("attempts", 0), "contradiction", "at least one attempt"),
    "an absent answer that is there": (
        _set("output_present", value=False),
        "contradiction",
        "said to be absent",
    ),
    "a missing receipt": (_without("c1"), "dangling", "a trial without a receipt"),
    "two receipts of one trial": (_doubled, "duplicate", "several receipts"),
}


@pytest.mark.parametrize("what", EXECUTION_CHANGES)
def test_a_changed_execution_is_found(what: str, run: RunStore) -> None:
    """Also where whoever changed it computed the row's digest anew: the chain goes on."""
    change, kind, message = EXECUTION_CHANGES[what]
    _edit(run.execution_parts(), change, restamp="row digest" in what or kind != "digest")
    assert [text for found, text in _problems(run) if found == kind and message in text]


GRADE_CHANGES: dict[str, tuple[Change, str, str]] = {
    "an edited verdict": (_set("verdict", "pass"), "digest", "a row is not what its digest"),
    "an edited verdict, row digest and all": (
        _set("verdict", "pass", case_id="c2"),
        "contradiction",
        "the columns of a grade are not what its report says",
    ),
    "an edited score": (_set("score", 0.75), "contradiction", "not what its report says"),
    "a report that is none": (_set("report", "{}"), "contradiction", "a report cannot be read"),
    "a status that there is not": (_set("status", "great"), "contradiction", "a status out of"),
    "a report beside a failure": (_set("status", "failed"), "contradiction", "completed grades"),
    "another key": (_set("key", "sha256:0"), "digest", "a key is not made of"),
    "another evaluator": (_set("evaluator", "sha256:0"), "contradiction", "another evaluator"),
    "an identity without a text": (_set("metric", "sha256:0"), "dangling", "has no text: sha256:0"),
    "an undeclared assessment": (
        _set("assessment_id", "fair"),
        "contradiction",
        "does not declare: c1#",
    ),
    "another receipt": (_set("receipt_digest", "sha256:0"), "dangling", "another receipt"),
    "an unknown origin": (_set("reused_from", "g-none"), "dangling", "does not have it"),
    "an unplanned case": (_set("case_id", "c9"), "unknown_trial", "c9#"),
    "a missing row": (_without("c1"), "summary", "other rows"),
    "no attempt": (_set("attempt", 0), "contradiction", "attempts from 1"),
}


@pytest.mark.parametrize("what", GRADE_CHANGES)
def test_a_changed_grade_is_found(what: str, run: RunStore) -> None:
    """A forged pass is found, however many digests beside it were forged too."""
    change, kind, message = GRADE_CHANGES[what]
    _edit(_grading(run).grade_parts(), change, restamp="digest" not in (kind, *what.split()[2:3]))
    assert [text for found, text in _problems(run) if found == kind and message in text]


def test_an_edited_identity_is_found(run: RunStore) -> None:
    """Another unit or threshold would change what the numbers mean."""

    def change(table: pa.Table) -> pa.Table:
        return _with(table, "text", [text + " " for text in table["text"].to_pylist()])

    _edit(_grading(run).identity_parts(), change)
    assert ("digest", "text of an identity") in [
        (kind, "text of an identity") for kind, text in _problems(run) if "text of an iden" in text
    ]


def _rewrite_json(place: str, change: Callable[[dict[str, object]], object]) -> None:
    system, path = fsspec.core.url_to_fs(place)
    record = json.loads(system.cat_file(path))
    change(record)
    system.pipe_file(path, json.dumps(record).encode())


HEAD_CHANGES: dict[str, tuple[str, dict[str, object], str]] = {
    "another run's plan": ("plan.json", {"run_id": "r-other"}, "expected the plan of run"),
    "counts that disagree": (
        "plan.json",
        {"counts": {"cases": 4, "repeats": 2, "trials": 9}},
        "that agree",
    ),
    "counts of other cases": (
        "plan.json",
        {"counts": {"cases": 3, "repeats": 2, "trials": 6}},
        "plans 3 cases, and the snapshot holds 4",
    ),
    "another fixture": ("plan.json", {"fixture_id": "sha256:0"}, "fixture id is not the digest"),
    "an edited plan": ("plan.json", {"name": "other"}, "the plan has been changed since"),
    "another grading's head": ("grading.json", {"grading_id": "g0"}, "got one of another"),
    "a newer version": ("grading.json", {"schema_version": 9}, "schema version 9"),
    "a newer plan": ("plan.json", {"schema_version": 9}, "schema version 9"),
}


@pytest.mark.parametrize("what", HEAD_CHANGES)
def test_a_changed_head_is_found(what: str, run: RunStore) -> None:
    """Plans and gradings name what they belong to."""
    name, members, message = HEAD_CHANGES[what]
    place = run.place if name == "plan.json" else _grading(run).place
    _rewrite_json(f"{place}/{name}", lambda record: record.update(members))
    problems = _problems(RunStore(run._folder, run_id=run.run_id))  # noqa: SLF001 - plan is cached
    assert [text for _, text in problems if message in text]


def test_edited_cases_are_found(run: RunStore) -> None:
    """A corrected expected value belongs into another grading, not into the snapshot."""
    system, path = fsspec.core.url_to_fs(f"{run.place}/cases.parquet")
    system.pipe_file(path, encode_stamped(pa.table({"case_id": ["c0"]})))
    problems = _problems(run)
    assert [text for kind, text in problems if kind == "damaged" and "is not the file" in text]


def test_an_edited_summary_is_found(run: RunStore) -> None:
    """The number that everybody reads is compared with the rows."""
    grading = _grading(run)
    stored = grading.stored_summary()
    assert stored is not None
    grading.write_summary(stored.table.with_columns(pl.col("value") + 1))
    assert [text for kind, text in _problems(run) if kind == "summary" and "something else" in text]


def test_a_summary_of_a_run_that_went_on_is_older_and_not_wrong(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """Whoever looks at a run half-way leaves a summary of the half."""

    def slow(given: object) -> object:
        time.sleep(0.02)
        return given

    prepared = prepare(slow, cases=8, concurrency=1)
    looked = []

    def look(_: object) -> None:
        if not looked:
            looked.append(report_run(prepared.run, prepared.grading))

    execute(prepared, on_result=look)
    assert prepared.grading.stored_summary().grades.rows < 8  # type: ignore[union-attr]
    assert verify_run(prepared.run) == ()


def test_a_run_that_is_not_finished_has_no_problem(prepare: Callable[..., PreparedRun]) -> None:
    """A plan alone is a run; what is missing can still come."""
    assert verify_run(prepare().run) == ()


def test_failures_are_no_problem(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """A target that failed left what it should leave."""

    def fail(given: object) -> object:
        raise TargetError("unavailable", str(given))

    prepared = prepare(fail, retries={"attempts": 2, "backoff_seconds": 0})
    execute(prepared)
    report_run(prepared.run, prepared.grading)
    assert verify_run(prepared.run) == ()


def test_numbers_and_unicode_keep_their_digests(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """Whatever JSON can hold, a digest is made of what is stored."""
    values = [3.0, -0.0, 2**70, "\u2028", {"b": 1.0, "a": [None, True, 1e-7]}, 0.1 + 0.2]
    cases = [
        Case(id=f"c{at}", input=value, expected=value, metadata={"at": value})
        for at, value in enumerate(values)
    ]
    prepared = prepare(lambda given: {"given": given}, cases=cases)
    execute(prepared)
    assert verify_run(prepared.run) == ()


def test_a_torn_part_is_named_and_the_rest_is_verified(run: RunStore) -> None:
    """One torn file must not hide what is wrong elsewhere, nor make everything else dangle."""
    parts = run.execution_parts()
    name = f"part-{uuid7()}.parquet"
    parts.folder.replace(name, b"torn")
    (problem,) = verify_run(run)
    assert (problem.kind, problem.place) == ("damaged", f"{parts.folder.place}/{name}")
    assert "restore it" in problem.message


@pytest.mark.parametrize(
    "path", ["notes.txt", "executions/data.csv", "gradings/a b", "old-run/cases.parquet"]
)
def test_foreign_files_are_named(path: str, run: RunStore, address: str) -> None:
    """Somebody who puts a file into the store should learn that nobody reads it."""
    within = path if path.startswith("old-run") else f"{run.run_id}/{path}"
    system, root = fsspec.core.url_to_fs(address)
    system.pipe_file(f"{root}/runs/{within}", b"x")
    (problem,) = verify_store(open_store(address))
    assert problem.kind == "foreign"
    assert problem.place.split("/runs/")[1] in {within, "old-run"}


def test_what_a_killed_writer_left_is_no_problem(run: RunStore, address: str) -> None:
    """A grading that was begun and has no head yet, a file that has no name yet."""
    system, root = fsspec.core.url_to_fs(address)
    system.pipe_file(f"{root}/runs/{run.run_id}/gradings/g1/.grading.json-1.tmp", b"{")
    system.pipe_file(f"{root}/runs/begun/.cases.parquet-1.tmp", b"PAR1")
    assert verify_store(open_store(address)) == ()


def test_many_flaws_of_one_kind_are_one_sentence(run: RunStore) -> None:
    """A thousand edited rows are told in one line."""
    _edit(run.execution_parts(), lambda table: _with(table, "output", ['"x"'] * len(table)))
    rows = [text for kind, text in _problems(run) if kind == "digest" and "a row is not" in text]
    assert rows
    assert all(text.count("#") <= 3 for text in rows)


def test_the_outcome_is_told_to_people_and_machines(run: RunStore, address: str) -> None:
    """A job that verifies every night needs an exit code, a person a count."""
    store = open_store(address)
    clean = verify(store)
    assert (clean.runs, clean.exit_code) == (1, 0)
    assert clean.lines() == (f"{store.url}: 1 run verified, no problems",)
    run.execution_parts().folder.add("notes.txt", b"x")
    found = verify(store, run.run_id[:22])
    assert found.exit_code == 1
    assert found.lines()[-1] == f"run {run.run_id}: 1 run verified, 1 problem"
    (problem,) = found.payload()["problems"]  # type: ignore[misc]
    assert problem == {
        "kind": "foreign",
        "place": f"{run.place}/executions/notes.txt",
        "message": "does not belong to the store; move it elsewhere",
    }
    with pytest.raises(InputError, match="no run 'nope' here"):
        verify(store, "nope")


def test_a_run_that_is_being_written_may_be_ahead_of_the_look_at_it(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """Its grades are read after its receipts, and may be of receipts that came in between."""
    prepared = prepare(cases=2)
    execute(prepared)
    run = prepared.run
    _edit(run.execution_parts(), _without("c1"))
    with run.lease("run"):
        assert [kind for kind, _ in _problems(run) if kind == "dangling"] == []
    assert [text for kind, text in _problems(run) if kind == "dangling" and "c1#0" in text]


def test_parts_that_are_merged_meanwhile_are_verified_once_more(run: RunStore) -> None:
    """A row must not be missed because somebody tidied up between the listing and the look."""
    parts = run.execution_parts()
    seen = []
    for _, part in parts.whole():
        assert isinstance(part, WholePart)
        seen += part.rows["row_digest"].to_pylist()
        if len(seen) == len(part.rows):  # after the first of them
            for merger in run.mergers():
                merger.merge_all()
    assert set(seen) == set(run.execution_parts().table(["row_digest"])["row_digest"].to_pylist())
