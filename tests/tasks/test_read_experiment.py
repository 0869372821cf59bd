"""Experiment files: defaults, one sentence for each fault, and paths that start at the file."""

from pathlib import Path

import pytest

from assay.evaluators.errors import InputError
from assay.tasks.experiment_settings import ExperimentSettings
from assay.tasks.read_experiment import Experiment, read_experiment

MINIMAL = "name: bot\ndataset: cases.jsonl\ntarget: bot:answer\nsuite: []\n"


def write(folder: Path, text: str, name: str = "experiment.yaml") -> Path:
    """A file in the folder."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str, name: str = "experiment.yaml") -> str:
    """The sentence with which the text is refused, without the folder."""
    with pytest.raises(InputError) as caught:
        read_experiment(write(folder, text, name))
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


def test_everything_but_four_settings_has_a_default(tmp_path: Path) -> None:
    """DESIGN 8.1: the file shows its defaults; this is that list."""
    settings = read_experiment(write(tmp_path, MINIMAL)).settings
    defaults = {
        "fixture_id": None,
        "limit": None,
        "select": None,
        "target_revision": None,
        "repeats": 1,
        "concurrency": 8,
        "grading_concurrency": None,
        "timeout_seconds": None,
        "retries": {
            "attempts": 3,
            "on": ["timeout", "rate_limited", "unavailable"],
            "backoff_seconds": 1.0,
            "jitter": 0.5,
        },
        "suite_concurrency": 1,
        "evaluator_timeout_seconds": 60.0,
        "error_policy": "collect",
        "target_failures": "failed",
        "adaptive_concurrency": False,
        "budget": {"cost": None, "tokens": None},
        "secrets": [],
        "trial_shape": "task",
        "runner": "local",
        "store": None,
        "baseline": None,
        "margin": {},
        "gates": [],
    }
    given = {"name": "bot", "dataset": "cases.jsonl", "target": "bot:answer", "suite": []}
    assert settings.model_dump(mode="json", by_alias=True) == {**given, **defaults}


def test_what_was_written_reads_back_equal(tmp_path: Path) -> None:
    """A plan keeps the experiment as written, and a resume makes the same settings of it."""
    more = "retries: {attempts: 5}\nselect: [a, b]\nmargin: {exact: 0.1}\n"
    settings = read_experiment(write(tmp_path, MINIMAL + more)).settings
    document = settings.document()
    assert document["retries"] == {"attempts": 5}
    assert "concurrency" not in document
    assert ExperimentSettings.model_validate(document) == settings


def test_a_file_and_an_object_give_the_same_settings(tmp_path: Path) -> None:
    """DESIGN 8: both give the same plan."""
    entry = "{id: a, use: text.contains, with: {value: x}}"
    text = f"name: bot\ndataset: d.csv\ntarget: {{command: [python, bot.py]}}\nsuite: [{entry}]\n"
    made = ExperimentSettings.model_validate(
        {
            "name": "bot",
            "dataset": "d.csv",
            "target": {"command": ["python", "bot.py"]},
            "suite": [{"id": "a", "use": "text.contains", "with": {"value": "x"}}],
        }
    )
    assert read_experiment(write(tmp_path, text)).settings == made
    assert made.target_value() == {"command": ["python", "bot.py"]}


def test_json_is_read_as_well(tmp_path: Path) -> None:
    """A program that writes experiments writes JSON."""
    text = '{"name": "b", "dataset": "d", "target": "b:a",\n "suite": [],\n "repeats": 0}'
    assert read_experiment(write(tmp_path, text.replace("0", "2"), "e.json")).settings.repeats == 2
    sentence = refused(tmp_path, text, "e.json")
    assert sentence == "e.json, line 3, column 2: repeats: expected at least 1, got 0"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("concurency: 3", "expected a known key, got 'concurency'; did you mean 'concurrency'?"),
        ("zzz: 1", "expected keys out of name, dataset, target, suite, fixture_id, "),
        ("concurrency: 0", "concurrency: expected at least 1, got 0"),
        ("concurrency: '8'", "concurrency: expected a whole number, got '8'"),
        ("concurrency: 8.5", "concurrency: expected a whole number, got 8.5"),
        ("concurrency: true", "concurrency: expected a whole number, got true"),
        ("grading_concurrency: 0", "grading_concurrency: expected at least 1, got 0"),
        ("suite_concurrency: -1", "suite_concurrency: expected at least 1, got -1"),
        ("repeats: 0", "repeats: expected at least 1, got 0"),
        ("limit: 0", "limit: expected at least 1, got 0"),
        ("select: []", "select: expected at least 1 item, got a list of 0"),
        ("select: [1]", "select[0]: expected text, got 1"),
        ("timeout_seconds: 0", "timeout_seconds: expected more than 0, got 0"),
        ("timeout_seconds: 1e999", "timeout_seconds: expected a finite number, got 1e999"),
        ("evaluator_timeout_seconds: null", "expected a number, got null"),
        ("retries: {attempts: 0}", "retries.attempts: expected at least 1, got 0"),
        ("retries: {backoff_seconds: -1}", "retries.backoff_seconds: expected at least 0, got -1"),
        ("retries: {jitter: 1.5}", "retries.jitter: expected at most 1, got 1.5"),
        (
            "retries: {on: [timeut]}",
            "internal, got 'timeut'; did you mean 'timeout'?",
        ),
        ("retries: {on: timeout}", "retries.on: expected a list, got 'timeout'"),
        ("retries: 3", "retries: expected a mapping, got 3"),
        ("error_policy: ignore", "error_policy: expected one of collect, fail_fast, got 'ignore'"),
        ("target_failures: unkown", "expected one of failed, unknown, got 'unkown'; did you mean"),
        (
            "runner: dusk",
            "expected one of local, dask, ray, got 'dusk'; did you mean 'dask'?",
        ),
        ("trial_shape: shard", "trial_shape: expected one of task, batch, got 'shard'"),
        ("adaptive_concurrency: no", "adaptive_concurrency: expected true or false, got 'no'"),
        ("budget: {cost: 0}", "budget.cost: expected more than 0, got 0"),
        (
            "budget: {token: 5}",
            "budget: expected keys out of cost, tokens, got 'token'; did you mean",
        ),
        ("secrets: [7]", "secrets[0]: expected text, got 7"),
        ("margin: {exact: -0.1}", "margin.exact: expected at least 0, got -0.1"),
        ("gates: ['pass_rate > ninety']", "got 'pass_rate > ninety'"),
        ("gates: pass_rate >= 1", "gates: expected a list, got 'pass_rate >= 1'"),
        ("store: ' '", "store: expected text that is not blank, got ' '"),
    ],
)
def test_a_setting_out_of_its_range_is_one_sentence_with_its_line(
    tmp_path: Path, line: str, expected: str
) -> None:
    """File, place, what was expected, what came, and for a slip of the pen the right word."""
    sentence = refused(tmp_path, MINIMAL + line + "\n")
    assert sentence.startswith("experiment.yaml, line 5, column ")
    assert expected in sentence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "experiment.yaml, line 1, column 1: expected a YAML document, got an empty file"),
        ("- a\n", "experiment.yaml: expected a mapping of settings"),
        ("name: a\n", "experiment.yaml: expected a key 'dataset', got none"),
        (MINIMAL + "name: b\n", "line 5, column 1: expected each key once, got 'name' twice"),
        (MINIMAL + "limit: 1\nselect: [a]\n", "expected either limit or select, got both"),
        (MINIMAL + "select: [a, a]\n", "expected each id under select once"),
        (
            MINIMAL.replace("bot:answer", "{comand: [a]}"),
            "target: expected an import string such as 'bot:answer', or a mapping with the key",
        ),
        (
            MINIMAL.replace("bot:answer", "{http: a, header: b}"),
            "line 3, column 19: target: expected keys out of http, got 'header'",
        ),
        (MINIMAL.replace("bot:answer", "{command: []}"), "target.command: expected at least 1"),
        (MINIMAL.replace("[]", "3"), "suite: expected a list of assessments, or the path"),
        (MINIMAL.replace("[]", "[{id: a}]"), "suite[0]: expected a key 'use', got none"),
        (
            MINIMAL.replace("[]", "[{id: a, use: b:c, wth: {}}]"),
            "line 4, column 27: suite[0]: expected keys out of use, with, select, ",
        ),
        (
            MINIMAL.replace("[]", "[{id: a, use: b:c, policy: all}]"),
            "suite[0]: expected 'policy' only beside use: composite",
        ),
        (
            MINIMAL.replace("[]", "[{id: a, use: composite}]"),
            "suite[0]: expected components beside use: composite, got none",
        ),
        (
            MINIMAL.replace("[]", "[{id: a, use: composite, components: [{use: b:c, wieght: 2}]}]"),
            "got 'wieght'; did you mean 'weight'?",
        ),
    ],
)
def test_a_file_that_is_no_experiment_is_one_sentence(
    tmp_path: Path, text: str, expected: str
) -> None:
    """All of this is known before anything is paid."""
    assert expected in refused(tmp_path, text)


def test_a_file_that_is_not_there_or_of_another_kind_is_one_sentence(tmp_path: Path) -> None:
    """The commonest fault of all."""
    with pytest.raises(InputError, match=r"none.yaml: expected a file, found none"):
        read_experiment(tmp_path / "none.yaml")
    assert "expected a .yaml or .json file, got .toml" in refused(tmp_path, "", "e.toml")


def test_paths_start_at_the_folder_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DESIGN 8.1: an experiment works from wherever it is started."""
    folder = tmp_path / "inner"
    folder.mkdir()
    write(folder, MINIMAL)
    monkeypatch.chdir(tmp_path)
    experiment = read_experiment("inner/experiment.yaml")
    assert experiment.base == folder
    assert experiment.dataset_url == str(folder / "cases.jsonl")
    assert experiment.resolve("/absolute/x.csv") == "/absolute/x.csv"
    assert experiment.resolve("s3://bucket/x.csv") == "s3://bucket/x.csv"


def test_settings_made_in_python_have_a_folder_but_no_lines(tmp_path: Path) -> None:
    """Their errors name the setting alone."""
    made = Experiment(read_experiment(write(tmp_path, MINIMAL)).settings, tmp_path)
    assert made.place(("target",)) == ""
    assert made.dataset_url == str(tmp_path / "cases.jsonl")
