"""What an experiment may name as its target, and how it is told that it may not."""

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from assay.evaluators.errors import InputError
from assay.tasks.read_target import python_target, read_target
from assay.tasks.settings.target_settings import TargetSettings
from assay.tasks.targets import CommandTarget, FunctionTarget, HttpTarget

BOT = """
import functools
from assay.tasks.targets import HttpTarget

def answer(given): return f"answer {given}"
async def later(given): return f"later {given}"
def long(prefix, given): return f"{prefix} {given}"
partial = functools.partial(long, "partial")

class Bot:
    def __init__(self, name="bot"): self.name = name
    def run(self, given): return f"{self.name} {given}"

bot = Bot()
method = Bot("method").run
endpoint = HttpTarget("http://host/")
number = 7
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The folder of an experiment file, with a module beside it."""
    (tmp_path / "read_target_bot.py").write_text(BOT)
    return tmp_path


@pytest.mark.parametrize("name", ["answer", "later", "partial", "bot", "method"])
def test_an_import_string_names_whatever_can_be_called(base: Path, name: str) -> None:
    """From the folder of the experiment file first."""
    target = read_target(f"read_target_bot:{name}", base)
    assert asyncio.run(target.run("x")).output == f"{name} x"
    assert target.identity.reference == f"read_target_bot:{name}"
    assert target.identity.source.startswith("sha256:")


def test_a_command_and_an_address_are_mappings_of_one_key(base: Path) -> None:
    """As the experiment file writes them."""
    command = read_target({"command": [sys.executable, "-c", "print(1)"]}, base, revision="4")
    assert asyncio.run(command.run(0)).output == 1
    assert command.identity.revision == "4"
    http = read_target({"http": "http://localhost:1/x"}, base)
    assert (http.identity.kind, http.identity.reference) == ("http", "http://localhost:1/x")


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("read_target_bot:answer", FunctionTarget),
        ({"command": [sys.executable]}, CommandTarget),
        ({"http": "http://host/"}, HttpTarget),
    ],
)
def test_validated_settings_are_read_like_the_file(base: Path, written: object, kind: type) -> None:
    """They are objects by then, and no mappings any more."""
    settings: TargetSettings = TypeAdapter(TargetSettings).validate_python(written)
    assert isinstance(read_target(settings, base), kind)


def test_a_target_object_keeps_its_kind_and_takes_the_revision(base: Path) -> None:
    """Whoever makes an HttpTarget in his module has an HTTP target."""
    target = read_target("read_target_bot:endpoint", base, revision="9")
    assert (target.identity.kind, target.identity.revision) == ("http", "9")
    assert python_target(target) is target


def test_a_python_object_is_a_target_as_it_is() -> None:
    """An experiment in Python needs no import string."""
    assert asyncio.run(python_target(str.upper).run("x")).output == "X"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("answer", r'expected "module:attribute", .* got \'answer\''),
        ("", r"got ''"),
        ("my bot:answer", r"got 'my bot:answer'"),
        ("http://host/x", r"write \{http: "),
        ("read_target_bot:answr", "answr"),
        ("no_such_module_here:answer", "no_such_module_here"),
        ("read_target_bot:Bot", "got the class Bot"),
        ("read_target_bot:number", "got int"),
        ("read_target_bot:long", r"needs nothing else, got \(prefix, given\)"),
        ({}, r"got \{\}"),
        ({"url": "http://host/"}, r"got \{url: a string\}"),
        ({"command": ["x"], "http": "y"}, r"got \{command: an array, http: a string\}"),
        ({"command": "python bot.py"}, r"got \{command: a string\}"),
        ({"command": []}, r"got \{command: an array\}"),
        ({"command": ["python", 3]}, r"every argument to be text, got '3': put it in quotes"),
        ({"command": ["no-such-program"]}, "found none named 'no-such-program' on the PATH"),
        ({"http": 8000}, r"got \{http: a number\}"),
        ({"http": "localhost:8000"}, "expected an address such as"),
        ({"model": "openai:gpt-5"}, "model targets are not available yet"),
    ],
)
def test_a_bad_target_is_one_clear_sentence(
    base: Path, value: str | Mapping[str, object], message: str
) -> None:
    """Before anything is written or paid."""
    with pytest.raises(InputError, match=message) as refused:
        read_target(value, base)
    assert refused.value.kind == "target"
    assert str(refused.value).startswith("target")
    assert "\n" not in str(refused.value)
