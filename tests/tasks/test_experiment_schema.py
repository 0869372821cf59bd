"""The JSON Schema that editors use says what the reader says."""

import json
from importlib.resources import files

import jsonschema
import pytest

from assay.tasks.experiment_schema import SCHEMA_FILE, experiment_schema

GIVEN = {"name": "bot", "dataset": "d.jsonl", "target": "bot:answer", "suite": []}


def test_the_shipped_schema_is_current() -> None:
    """After a change: python -m assay.tasks.experiment_schema > tasks/experiment.schema.json."""
    shipped = files("assay.tasks").joinpath(SCHEMA_FILE).read_text(encoding="utf-8")
    assert shipped == experiment_schema()


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"target": {"command": ["python", "bot.py"]}, "suite": "suite.yaml"},
        {"suite": [{"id": "a", "use": "text.contains", "with": {"value": "x"}, "select": "/a"}]},
        {"retries": {"attempts": 1, "on": []}, "budget": {"cost": 5}, "margin": {"a": 0.1}},
    ],
)
def test_what_can_be_read_is_valid(more: dict[str, object]) -> None:
    """An editor that underlines right files teaches people to ignore it."""
    jsonschema.validate({**GIVEN, **more}, json.loads(experiment_schema()))


@pytest.mark.parametrize(
    "more",
    [
        {"concurency": 1},
        {"concurrency": 0},
        {"retries": {"on": ["timeut"]}},
        {"target": {"comand": ["a"]}},
        {"target": {"command": []}},
        {"suite": [{"id": "a", "use": "text.contains", "wth": {}}]},
        {"select": []},
    ],
)
def test_what_is_refused_is_invalid(more: dict[str, object]) -> None:
    """So that the fault is seen where it is typed."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**GIVEN, **more}, json.loads(experiment_schema()))
