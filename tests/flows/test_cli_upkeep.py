"""Commands that look after a store: what they find, merge, erase and give away."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Assay = Callable[..., Any]
Finish = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("folder")


def test_a_whole_store_verifies(assay: Assay, finish: Finish) -> None:
    """Silence would leave open whether anything was looked at."""
    finish("monday-1")
    said = assay("verify")
    assert (said.code, said.out) == (0, "everything is as it should be\n")
    assert json.loads(assay("verify", "mon", "--json").out) == {"problems": [], "exit_code": 0}


def test_a_torn_part_is_named_and_ends_with_1(assay: Assay, finish: Finish, folder: Path) -> None:
    """A script that verifies every night must stop there."""
    finish("monday-1")
    (part, *_) = sorted(folder.rglob("executions/part-*.parquet"))
    part.write_bytes(part.read_bytes()[:-20])
    said = assay("verify", "--json")
    result = json.loads(said.out)
    assert (said.code, result["exit_code"]) == (1, 1)
    assert any(part.name in problem["place"] for problem in result["problems"])


def test_a_run_is_compacted(assay: Assay, finish: Finish) -> None:
    """The second time there is nothing left to merge, and that is no error."""
    finish("monday-1")
    assert assay("compact", "monday-1").code == 0
    said = assay("compact", "monday-1", "--json")
    assert (said.code, json.loads(said.out)["run_id"]) == (0, "monday-1")
    assert assay("verify").code == 0


def test_a_forgotten_case_leaves_its_numbers(assay: Assay, finish: Finish) -> None:
    """What it said is gone from every file; the report still counts it."""
    finish("monday-1")
    before = json.loads(assay("show", "monday-1", "--json").out)
    said = assay("forget", "--case", "a")
    assert said.code == 0
    after = json.loads(assay("show", "monday-1", "--json").out)
    assert after["trials"] == before["trials"]
    assert after["pass_rate"] == before["pass_rate"]
    assert assay("verify").code == 0


@pytest.mark.parametrize("flags", [(), ("--case", "a", "--run", "monday-1")])
def test_forgetting_asks_for_exactly_one_thing(
    assay: Assay, finish: Finish, flags: tuple[str]
) -> None:
    """It cannot be undone, so nothing is guessed."""
    finish("monday-1")
    said = assay("forget", *flags)
    assert (said.code, said.out) == (2, "")
    assert "expected either --case or --run" in said.err


@pytest.mark.parametrize("format_", ["csv", "jsonl", "parquet", "report"])
def test_a_grading_is_exported_once(
    assay: Assay, finish: Finish, folder: Path, format_: str
) -> None:
    """A file that is there is not replaced unless that is said."""
    finish("monday-1")
    arguments = ("export", "monday-1", "--format", format_, "--out", f"out.{format_}")
    assert assay(*arguments).code == 0
    assert (folder / f"out.{format_}").stat().st_size > 0
    refused = assay(*arguments)
    assert refused.code == 2
    assert "overwritten" in refused.err
    assert assay(*arguments, "--overwrite").code == 0
