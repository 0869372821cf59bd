"""Settings and what a command line puts in their place."""

import pytest
from pydantic import ValidationError

from assay.evaluators.errors import InputError
from assay.tasks.experiment_settings import ExperimentSettings, Overrides

GIVEN = {"name": "bot", "dataset": "d.jsonl", "target": "bot:answer", "suite": "suite.yaml"}


def settings(**more: object) -> ExperimentSettings:
    """Minimal settings and some more."""
    return ExperimentSettings.model_validate({**GIVEN, **more})


def test_overrides_change_what_they_name_and_nothing_else() -> None:
    """A flag that was not given says nothing."""
    changed = settings(repeats=3, concurrency=2).with_overrides(Overrides(concurrency=4))
    assert changed == settings(repeats=3, concurrency=4)
    assert changed.document() == {**GIVEN, "repeats": 3, "concurrency": 4}


def test_a_limit_takes_the_place_of_a_selection() -> None:
    """The file's select and the flag's limit would contradict each other."""
    assert settings(select=["a"]).with_overrides(Overrides(limit=2)) == settings(limit=2)
    assert settings(limit=2).with_overrides(Overrides(select=("a",))) == settings(select=["a"])


def test_settings_with_overrides_read_back_equal() -> None:
    """A plan keeps them as if they had been written."""
    changed = settings(select=["a"]).with_overrides(Overrides(limit=2, timeout_seconds=1.5))
    assert ExperimentSettings.model_validate(changed.document()) == changed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"concurrency": 0}, "--concurrency: expected at least 1, got 0"),
        ({"timeout_seconds": -1.0}, "--timeout-seconds: expected more than 0, got -1.0"),
        ({"runner": "dusk"}, "--runner: expected one of local, dask, ray, got 'dusk'"),
        ({"limit": 1, "select": ["a"]}, "--limit, --select: expected one of them, got both"),
        ({"name": ""}, "--name: expected text that is not blank, got ''"),
        ({"repeat": 2}, "--repeat: expected a known key, got 'repeat'; did you mean 'repeats'?"),
    ],
)
def test_a_bad_flag_is_one_sentence_that_names_it(given: dict[str, object], expected: str) -> None:
    """As for the file, but the place is the flag."""
    with pytest.raises(InputError) as caught:
        Overrides.model_validate(given)
    assert str(caught.value).startswith(expected)
    assert caught.value.kind == "flag"


def test_settings_are_frozen() -> None:
    """A run that could change its settings would not be the run of its plan."""
    with pytest.raises(ValidationError, match="frozen"):
        settings().repeats = 2
