"""What is under test, as an experiment file writes it."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Discriminator, Tag

from assay.tasks.settings.file_model import FileModel, Filled, Text

_KINDS = ("command", "http", "model")


class CommandTarget(FileModel):
    """A program that reads the input as JSON and writes the output as JSON."""

    command: Filled[str]
    """The program and its arguments; it runs in the folder of the experiment file."""


class HttpTarget(FileModel):
    """An address that takes the input as JSON and answers with the output as JSON."""

    http: Text
    """The URL that is posted to."""


class ModelTarget(FileModel):
    """A model, asked directly."""

    model: Text
    """The provider and the model, such as `openai:gpt-5`."""


def _kind(value: object) -> str | None:
    if isinstance(value, str):
        return "<import>"
    for kind in _KINDS:
        if kind in value if isinstance(value, Mapping) else hasattr(value, kind):
            return f"<{kind}>"  # no tag looks like a key, so that the path of an error stays clear
    return None


TargetSettings = Annotated[
    Annotated[Text, Tag("<import>")]
    | Annotated[CommandTarget, Tag("<command>")]
    | Annotated[HttpTarget, Tag("<http>")]
    | Annotated[ModelTarget, Tag("<model>")],
    Discriminator(
        _kind,
        custom_error_type="target",
        custom_error_message="expected an import string such as 'bot:answer', "
        "or a mapping with the key command, http or model",
    ),
]
"""An import string, or a mapping with the one key `command`, `http` or `model`."""
