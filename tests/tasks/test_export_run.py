"""Exporting: everything that is there, raw where it can be, and inert where it must be."""

import csv
import json
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path

import fsspec
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluators.assessment import Assessment
from assay.evaluators.case import Case
from assay.evaluators.errors import InputError, TargetError
from assay.evaluators.execution import Execution
from assay.evaluators.function import evaluator
from assay.evaluators.measured import Measured
from assay.tasks.export_csv import inert
from assay.tasks.export_run import export_run
from assay.tasks.prepared_run import PreparedRun
from assay.tasks.redacted_report import decode_report
from assay.tasks.store import StoreError

HOSTILE = [
    "=1+1",
    "\t=cmd|'/c calc'!A1",
    "\u200b=1",
    '@SUM(1)", onmouseover="y',
    "-2+3",
    "+1",
    "\r=1",
    "  =1",
    "\ufeff-cmd",
    "\uff1d1+1",
    "</script>",
    "| a | b |",
    "\x1b[2J",
    "[bold]",
    "a;=1+1\n=2",
    "-2",
    "",
    "line\u2028break\x85",
]


@evaluator(name="negative", revision="1")
def negative(_: object) -> Measured:
    """A real negative number."""
    return Measured(-2.5, unit="point")


@evaluator(name="echo", revision="1")
def echo(sample: object) -> str:
    """A label that begins like a formula."""
    return "=" + str(len(str(sample.output)))  # type: ignore[attr-defined]


@pytest.fixture
def hostile(prepare: Callable[..., PreparedRun], execute: Callable[..., object]) -> PreparedRun:
    """A run whose inputs and answers are each of the hostile texts, and one that failed."""

    def target(given: object) -> object:
        if given == "fail":
            raise TargetError("refused", "=refused")
        return given

    cases = [Case(id=f"={at}", input=text, expected=text) for at, text in enumerate(HOSTILE)]
    cases.append(Case(id="failed", input="fail"))
    suite = [Assessment("negative", negative), Assessment("echo", echo)]
    prepared = prepare(target, cases=cases, suite=suite, retries={"attempts": 1})
    execute(prepared)
    return prepared


def _export(prepared: PreparedRun, wanted: str, **settings: object) -> str:
    out = f"{prepared.store.url}/out/{prepared.run.run_id}.{wanted}"
    export_run(prepared.run, prepared.grading, format=wanted, out=out, **settings)  # type: ignore[arg-type]
    return out


def _bytes(url: str) -> bytes:
    system, path = fsspec.core.url_to_fs(url)
    content: bytes = system.cat_file(path)
    return content


def test_no_cell_of_a_csv_is_a_formula(hostile: PreparedRun) -> None:
    """A spreadsheet that opens it runs nothing, in whatever column the text stands."""
    text = _bytes(_export(hostile, "csv")).decode()
    header, *rows = csv.reader(StringIO(text))
    assert len(rows) == 2 * len(HOSTILE) + 1
    for row in rows:
        for name, cell in zip(header, row, strict=True):
            seen = cell.lstrip(" \u200b\ufeff\x1b")
            is_number = name in {"measurement", "score"} or cell == "-2"
            assert is_number or not seen.startswith(tuple("=+-@\t\r\uff1d")), (name, cell)


def test_negative_numbers_of_a_csv_stay_numbers(hostile: PreparedRun) -> None:
    """A minus is not an attack."""
    text = _bytes(_export(hostile, "csv")).decode()
    rows = list(csv.DictReader(StringIO(text)))
    measured = [row["measurement"] for row in rows if row["assessment_id"] == "negative"]
    assert measured == ["-2.5"] * len(HOSTILE)
    assert ",-2.5," in text  # not in quotes
    assert [row["execution_output"] for row in rows if row["case_id"] == "'=15"] == ["-2", "-2"]


def test_a_csv_says_text_as_text_and_everything_else_as_json(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """A person reads it; and an absent value is an empty cell."""
    cases = [Case(id="a", input={"b": 1.0, "a": None}), Case(id="b", input="plain")]
    prepared = prepare(lambda given: given, cases=cases)
    execute(prepared)
    rows = list(csv.DictReader(StringIO(_bytes(_export(prepared, "csv")).decode())))
    assert [row["execution_output"] for row in rows] == ['{"b":1.0,"a":null}', "plain"]
    assert [row["expected"] for row in rows] == ["", ""]


def test_jsonl_and_parquet_hold_the_raw_values(hostile: PreparedRun) -> None:
    """What was answered is there to the last character, and each line is one trial."""
    lines = _bytes(_export(hostile, "jsonl")).decode().splitlines()
    trials = [json.loads(line) for line in lines]
    assert [one["input"] for one in trials] == [*HOSTILE, "fail"]
    assert [one["execution"]["output"] for one in trials[:-1]] == HOSTILE
    assert [len(one["grades"]) for one in trials] == [2] * len(HOSTILE) + [0]
    assert trials[0]["grades"][0]["measurement"] == -2.5
    assert trials[0]["grades"][0]["report"]["measurement"] == -2.5
    table = pl.read_parquet(BytesIO(_bytes(_export(hostile, "parquet"))))
    outputs = table.filter(pl.col("assessment_id") == "echo")["execution_output"]
    assert [json.loads(text) for text in outputs] == HOSTILE


def test_what_was_not_executed_or_not_graded_is_there_too(
    prepare: Callable[..., PreparedRun], hostile: PreparedRun
) -> None:
    """A table without them would have another denominator."""
    begun = prepare(cases=2)
    trials = [json.loads(line) for line in _bytes(_export(begun, "jsonl")).decode().splitlines()]
    assert [(one["case_id"], one["execution"], one["grades"]) for one in trials] == [
        ("c0", None, []),
        ("c1", None, []),
    ]
    last = json.loads(_bytes(_export(hostile, "jsonl")).decode().splitlines()[-1])
    assert last["execution"]["error_class"] == "refused"
    assert "output" not in last["execution"]


def test_absent_null_and_empty_answers_stay_three_things(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """As everywhere."""
    answers = {"absent": Execution(), "null": None, "empty": ""}
    cases = [Case(id=name, input=name) for name in answers]
    prepared = prepare(lambda given: answers[given], cases=cases)
    execute(prepared)
    lines = _bytes(_export(prepared, "jsonl")).decode().splitlines()
    executions = [json.loads(line)["execution"] for line in lines]
    assert [one.get("output", "ABSENT") for one in executions] == ["ABSENT", None, ""]


def test_a_report_can_be_decoded(hostile: PreparedRun) -> None:
    """It is the form to give away."""
    content = _bytes(_export(hostile, "report"))
    report = decode_report(content)
    assert report.summary.planned == len(HOSTILE) + 1
    assert b"=refused" not in content


def test_a_file_that_is_there_is_replaced_only_when_told(
    hostile: PreparedRun, tmp_path: Path
) -> None:
    """Somebody may have worked on it since."""
    out = tmp_path / "deep" / "grades.csv"
    given = {"format": "csv", "out": out}
    done = export_run(hostile.run, hostile.grading, **given)  # type: ignore[arg-type]
    assert done.bytes == out.stat().st_size
    assert done.lines() == (f"{out}: {done.rows} rows, {done.bytes} bytes",)
    out.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"grades\.csv: exists already; choose another"):
        export_run(hostile.run, hostile.grading, **given)  # type: ignore[arg-type]
    assert out.read_text(encoding="utf-8") == "mine"
    export_run(hostile.run, hostile.grading, overwrite=True, **given)  # type: ignore[arg-type]
    assert out.stat().st_size == done.bytes
    assert [one.name for one in out.parent.iterdir()] == ["grades.csv"]


@pytest.mark.parametrize("out", ["", "folder/", ".", "a/.."])
def test_a_place_that_is_no_file_is_refused(out: str, hostile: PreparedRun) -> None:
    """Before anything is written."""
    with pytest.raises(InputError, match="expected the path of a file"):
        export_run(hostile.run, hostile.grading, format="csv", out=out)


def test_a_place_that_cannot_be_written_is_named(hostile: PreparedRun, tmp_path: Path) -> None:
    """One sentence, and nothing is left behind."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises((InputError, StoreError), match="file"):
        export_run(hostile.run, hostile.grading, format="csv", out=tmp_path / "file" / "a.csv")


def test_a_grading_that_contradicts_itself_gives_no_report(
    prepare: Callable[..., PreparedRun], execute: Callable[..., object]
) -> None:
    """A forged store must not become a valid report."""
    prepared = prepare(cases=2)
    execute(prepared)
    other = prepared.run.create_grading("g", grading=dict(prepared.grading.info))
    rows = prepared.grading.grades().with_columns(evaluator=pl.lit("sha256:" + "0" * 64))
    stamps = ("committed_at", "row_digest", "schema_version")
    with other.writer() as writer:
        writer.commit_table_blocking(rows.drop(stamps).to_arrow())
    with pytest.raises(InputError, match=r"cannot be exported as a report: .*; assay verify"):
        export_run(prepared.run, other, format="report", out=f"{prepared.store.url}/r.json")


@given(st.text(max_size=12))
def test_an_inert_text_keeps_all_its_characters(text: str) -> None:
    """At most a quote is put before it, and a second time nothing more."""
    cell = inert(text)
    assert cell in {text, f"'{text}"}
    assert inert(cell) == cell


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_every_number_stays_a_number(number: float) -> None:
    """However it is spelled."""
    assert inert(str(number)) == str(number)
