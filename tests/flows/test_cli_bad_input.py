"""Wrong input at each front door: one sentence, exit code 2, nothing written and nothing paid."""

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings

from assay.flows.terminal import start_prefect

Assay = Callable[..., Any]

EXPERIMENT = "experiment.yaml"


@dataclass(frozen=True)
class Fault:
    """Something wrong, and what the sentence about it must hold.

    Attributes:
        said: Parts of the sentence: the place first, then what was expected and what came.
        arguments: Of the command.
        files: To write before, by name; an empty text makes a folder.
        environ: Variables to set.
    """

    said: tuple[str, ...]
    arguments: tuple[str, ...] = ("run", EXPERIMENT)
    files: Mapping[str, str] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)


def experiment(**changes: str | None) -> dict[str, str]:
    """An experiment file with these lines in place of the good ones; None leaves a key out."""
    lines = {
        "name": "demo",
        "dataset": "cases.jsonl",
        "target": "bot:answer",
        "suite": '[{id: same, use: "graders:same"}]',
        **changes,
    }
    text = "".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None)
    return {EXPERIMENT: text}


def in_file(text: str, *said: str) -> Fault:
    """A fault of the experiment file as a whole."""
    return Fault((EXPERIMENT, *said), files={EXPERIMENT: text})


def setting(said: tuple[str, ...], **changes: str | None) -> Fault:
    """A fault of one line of the experiment file."""
    return Fault(said, files=experiment(**changes))


def case_line(line: str, *said: str) -> Fault:
    """A fault of a line of the dataset."""
    return Fault(("cases.jsonl", *said), files={"cases.jsonl": line + "\n"})


def target(value: str, *said: str, **files: str) -> Fault:
    """A fault of the target; the place is its line."""
    named = {f"{name}.py": text for name, text in files.items()}
    place = f"{EXPERIMENT}, line 3"
    return Fault((place, *said), files={**experiment(target=value), **named})


def suite(value: str, *said: str, **files: str) -> Fault:
    """A fault of the suite; the place is its line."""
    named = {f"{name}.py": text for name, text in files.items()}
    place = f"{EXPERIMENT}, line 4"
    return Fault((place, *said), files={**experiment(suite=value), **named})


def flag(*arguments: str, said: tuple[str, ...]) -> Fault:
    """A fault of a flag of `assay run`."""
    return Fault(said, arguments=("run", EXPERIMENT, *arguments))


EXPERIMENT_FILES = {
    "missing": Fault(("nope.yaml: expected a file, found none",), ("run", "nope.yaml")),
    "a folder": Fault((".: expected a .yaml or .json file",), ("run", ".")),
    "another ending": Fault(("expected a .yaml or .json file, got .py",), ("run", "bot.py")),
    "empty": in_file("", "line 1, column 1", "got an empty file"),
    "a list": in_file("- 1\n- 2\n", "expected a mapping of settings, got a list of 2"),
    "a text": in_file("hello\n", "expected a mapping of settings, got 'hello'"),
    "no YAML": in_file("name: [a\nb: }\n", "line 2, column 2", "expected YAML"),
    "a tab": in_file("name: x\n\tdataset: y\n", "line 2", "expected YAML"),
    "a key twice": in_file("name: x\nname: y\n", "line 2", "got 'name' twice"),
    "two documents": in_file("name: x\n---\nname: y\n", "line 2", "expected one document"),
    "no dataset": setting((EXPERIMENT, "expected a key 'dataset', got none"), dataset=None),
    "no target": setting((EXPERIMENT, "expected a key 'target', got none"), target=None),
    "no suite": setting((EXPERIMENT, "expected a key 'suite', got none"), suite=None),
    "no name": setting((EXPERIMENT, "expected a key 'name', got none"), name=None),
    "unknown key": setting(
        ("line 5, column 1", "got 'repeat'; did you mean 'repeats'?"), repeat="3"
    ),
    "wrong type": setting(
        ("line 5", "repeats: expected a whole number, got 'many'"), repeats="many"
    ),
    "out of range": setting(
        ("line 5", "concurrency: expected at least 1, got -1"), concurrency="-1"
    ),
    "no choice": setting(("line 5", "one of collect, fail_fast, got 'x'"), error_policy="x"),
    "not yet": setting(("line 5", "expected no runner: this version"), runner="dask"),
    "limit and select": setting(("expected either limit or select",), limit="1", select="[a]"),
    "unset secret": setting(
        ("line 5", "'NO_SUCH_KEY' to be set, found none"), secrets="[NO_SUCH_KEY]"
    ),
}

DATASETS = {
    "missing": setting(("nope.jsonl: expected a file, found none",), dataset="nope.jsonl"),
    "a folder": setting(("expected a file ending in .jsonl",), dataset="."),
    "another ending": setting(("expected a file ending in", "got '.py'"), dataset="bot.py"),
    "unknown protocol": setting(
        ("zzz://x/y.jsonl", "fsspec knows, got 'zzz'"), dataset="zzz://x/y.jsonl"
    ),
    "cut off": case_line('{"id": "a"', "line 1, column 11: expected JSON"),
    "a numeric id": case_line('{"id": 1, "input": 2}', "line 1", "expected text as id, got 1"),
    "no input": case_line('{"id": "a"}', "line 1", "expected a case with an 'input', got none"),
    "no object": case_line("[1]", "line 1", "expected one JSON object a line, got a list of 1"),
    "unknown key": case_line('{"input": 1, "expcted": 2}', "line 1", "did you mean 'expected'?"),
    "NaN": case_line('{"input": NaN}', "line 1", "expected a JSON number, got NaN"),
    "an id twice": case_line(
        '{"id": "a", "input": 1}\n{"id": "a", "input": 2}', "line 2", "line 1"
    ),
    "a suite of its own": case_line('{"input": 1, "suite": [{"id": "x", "use": "no:x"}]}', "'no'"),
    "an id of the suite": case_line(
        '{"input": 1, "suite": [{"id": "same", "use": "graders:same"}]}', "got 'same' again"
    ),
    "selected": setting(("cases.jsonl", "found no 'nope'"), select="[nope]"),
}

TARGETS = {
    "no colon": target("bot", "module:attribute", "got 'bot'"),
    "no module": target("nope:answer", "expected a module 'nope'", "found none"),
    "no attribute": target("bot:answr", "found no 'answr'; did you mean 'answer'?"),
    "a path": target('"bot.py:answer"', "did you mean 'bot'?"),
    "import raises": target(
        "boom:x", "got RuntimeError: boom, boom.py, line 1", boom="raise RuntimeError('boom')"
    ),
    "import exits": target(
        "bye:x", "got SystemExit: 3, bye.py, line 2", bye="import sys\nsys.exit(3)"
    ),
    "import exits well": target("bye:x", "got SystemExit, bye.py", bye="raise SystemExit"),
    "a syntax error": target("broken:x", "got SyntaxError", broken="def (:"),
    "needs a package": target("needy:x", "No module named 'not_there'", needy="import not_there"),
    "a class": target("bot:Bot", "got the class Bot: make an object of it"),
    "two arguments": target("bot:two", "takes the input and needs nothing else, got (text, more)"),
    "a generator": target("bot:gen", "got a generator function"),
    "a number": target("bot:number", "got int"),
    "no program": target("{command: [not-a-program-xyz]}", "none named 'not-a-program-xyz'"),
    "an empty command": target("{command: []}", "expected at least 1 item"),
    "an address": target('{http: "ftp://x"}', "expected an address such as", "got 'ftp://x'"),
    "an unknown form": target("{foo: bar}", "expected an import string"),
}

SUITES = {
    "missing file": Fault(("nope.yaml: expected a file",), files=experiment(suite="nope.yaml")),
    "broken file": Fault(
        ("suite.yaml, line 2", "expected YAML"),
        files={**experiment(suite="suite.yaml"), "suite.yaml": "- [a\nb: }\n"},
    ),
    "no list in the file": Fault(
        ("suite.yaml", "expected a list of assessments, got a mapping"),
        files={**experiment(suite="suite.yaml"), "suite.yaml": "a: 1\n"},
    ),
    "empty": suite("[]", "expected at least one"),
    "no list": suite("{id: g}", "expected a list of assessments, or the path"),
    "no use": suite("[{id: g}]", "suite[0]: expected a key 'use', got none"),
    "no id": suite('[{use: "graders:same"}]', "suite[0]: expected a key 'id', got none"),
    "unknown name": suite('[{id: g, use: "graders:nope"}]', "found no 'nope'"),
    "unknown family": suite('[{id: g, use: "nope.nope"}]', "suite[0].use", "got 'nope.nope'"),
    "import raises": suite(
        '[{id: g, use: "boom:x"}]', "got RuntimeError: boom", boom="raise RuntimeError('boom')"
    ),
    "no evaluator": suite('[{id: g, use: "graders:plain"}]', "decorate it with @evaluator"),
    "unknown setting": suite('[{id: g, use: "graders:words", with: {limt: 1}}]', "got 'limt'"),
    "setting of another type": suite(
        '[{id: g, use: "graders:words", with: {limit: x}}]', "expected int, got str"
    ),
    "an id twice": suite(
        '[{id: g, use: "graders:same"}, {id: g, use: "graders:same"}]', "got 'g' again"
    ),
}

GATES = {
    "no rule": setting(
        ("line 5", "expected a form like", "got 'pass_rate'"), gates='["pass_rate"]'
    ),
    "no number": setting(("line 5", "got 'pass_rate >= x'"), gates='["pass_rate >= x"]'),
    "unknown assessment": setting(
        ("line 5", "out of same, got 'nope'"), gates='["mean(nope) >= 1"]'
    ),
    "no list": setting(("line 5", "expected a list"), gates="pass_rate >= 1"),
    "no share": setting(("line 5", "between 0 and 1"), gates='["pass_rate >= 90"]'),
    "flag": flag("--gate", "nope", said=("--gate: ", "expected a form like", "got 'nope'")),
    "flag of an unknown one": flag("--gate", "mean(x) >= 1", said=("--gate: ", "got 'x'")),
}

FLAGS = {
    "limit 0": flag("--limit", "0", said=("--limit: expected at least 1, got 0",)),
    "limit in words": flag("--limit", "all", said=("--limit: expected a whole number, got 'all'",)),
    "repeats -1": flag("--repeats", "-1", said=("--repeats: expected at least 1, got -1",)),
    "concurrency abc": flag(
        "--concurrency", "abc", said=("--concurrency: ", "got 'abc'", "--help")
    ),
    "run id that climbs": flag("--run-id", "../x", said=("expected a run id", "got '../x'")),
    "empty run id": flag("--run-id", "", said=("--run-id: expected a text, got an empty one",)),
    "unknown flag": flag("--frobnicate", said=("No such option: --frobnicate", "assay run --help")),
    "an argument too many": flag("more", said=("(more)", "assay run --help")),
    "no experiment": Fault(("Missing argument 'experiment'", "assay run --help"), ("run",)),
    "unknown command": Fault(("No such command 'frob'", "assay --help"), ("frob",)),
}

STORES = {
    "unknown protocol": flag("--store", "zzz://x", said=("zzz://x: ", "protocol 'zzz'")),
    "a file": flag(
        "--store", "bot.py", said=("bot.py: expected a folder for the store, found a file",)
    ),
    "below a file": flag("--store", "bot.py/x", said=("bot.py: expected a folder",)),
    "empty": flag("--store", "", said=("--store: expected a text",)),
    "of the experiment": setting(("zzz://x: ", "protocol 'zzz'"), store="zzz://x"),
    "of the environment": Fault(("zzz://x: ",), environ={"ASSAY_STORE": "zzz://x"}),
    "to list": Fault(("bot.py: expected a folder",), ("list", "--store", "bot.py")),
    "to show": Fault(("zzz://x: ",), ("show", "x"), environ={"ASSAY_STORE": "zzz://x"}),
}

RUNS = {
    f"{command} {name}": Fault((said,), (command, *given))
    for name, wanted, said in (
        ("unknown", "nope", "no run 'nope' here; there is no run yet"),
        ("that climbs out", "../x", "no run '../x' here"),
        ("empty", "", "no run '' here"),
        ("grading unknown", "g20261130-182959123-k3f9x2", "no grading 'g2026"),
    )
    for command, given in (
        ("show", (wanted,)),
        ("compare", (wanted, wanted)),
        ("regrade", (wanted,)),
    )
    if not (command == "regrade" and name == "grading unknown")
}

FAULTS = {
    f"{group}: {name}": fault
    for group, faults in (
        ("experiment", EXPERIMENT_FILES),
        ("dataset", DATASETS),
        ("target", TARGETS),
        ("suite", SUITES),
        ("gate", GATES),
        ("flag", FLAGS),
        ("store", STORES),
        ("run", RUNS),
    )
    for name, fault in faults.items()
}


@pytest.fixture
def written(folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Fault:
    """The fault, with its files in the current folder and Prefect out of reach."""
    fault = request.param
    assert isinstance(fault, Fault)
    for name, text in fault.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, value in fault.environ.items():
        monkeypatch.setenv(name, value)

    def started() -> None:
        pytest.fail("Prefect was started for a command that cannot be carried out")

    monkeypatch.setattr(start_prefect, "start_prefect", started)
    return fault


def names(folder: Path) -> list[str]:
    """What is in the folder, beside what Python leaves there."""
    return sorted(one.name for one in folder.iterdir() if one.name != "__pycache__")


@pytest.mark.parametrize("written", FAULTS.values(), ids=FAULTS, indirect=True)
def test_wrong_input_costs_one_sentence(written: Fault, folder: Path, assay: Assay) -> None:
    """At two in the morning a traceback helps nobody, and a bill for nothing even less."""
    before = names(folder)
    said = assay(*written.arguments)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("assay: ")
    assert said.err.count("\n") == 1
    for part in written.said:
        assert part in said.err
    assert names(folder) == before


@pytest.mark.parametrize("written", FAULTS.values(), ids=FAULTS, indirect=True)
def test_a_machine_gets_the_same_sentence_as_one_object(written: Fault, assay: Assay) -> None:
    """A script that asked for JSON must not have to read prose to learn that it failed."""
    said = assay(*written.arguments, "--json")
    answer = said.json()
    assert answer.keys() == {"error", "exit_code"}
    assert answer["exit_code"] == said.code == 2
    assert answer["error"].keys() == {"kind", "message", "place"}
    assert said.err == f"assay: {answer['error']['message']}\n"
    assert answer["error"]["place"] in answer["error"]["message"]


def test_a_dead_prefect_server_costs_one_sentence(folder: Path, assay: Assay) -> None:
    """A run without its host would be half of one, so nothing of it begins."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/api"
    before = names(folder)
    with temporary_settings({PREFECT_API_URL: url}):
        said = assay("run", EXPERIMENT, "--json")
    assert said.code == 2
    assert said.json()["error"]["kind"] == "prefect"
    first, sentence = said.err.splitlines()
    assert first == "starting Prefect"
    assert sentence.startswith(f"assay: {url}: expected a Prefect API that answers, got ")
    assert names(folder) == before
