"""One setting of an evaluator, as people read it."""

import inspect
import json
import re
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue
from typing_extensions import Doc

_ENTRY = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A name, and what may stand behind it.

    Attributes:
        name: As in `with:` of a suite entry.
        type: What is expected, in words or as Python annotation.
        default: JSON text, or None where a value must be given.
        meaning: From the function's docstring, may be empty.
    """

    name: str
    type: str
    default: str | None
    meaning: str


class Imported:
    """Marks the annotation of a setting that is an import string, or a list of them, or none."""


def wanted(annotation: object) -> str:
    """What an annotation asks for, as people would say it.

    Examples:
        >>> wanted(typing.Literal["a", "b"]), wanted(list[str] | None)
        ('"a" or "b"', 'list[str] or null')
    """
    if annotation is JsonValue or annotation is type(None):
        return "null" if annotation is type(None) else "any JSON value"
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        words = [one.documentation for one in arguments[1:] if isinstance(one, Doc)]
        return words[0] if words else wanted(arguments[0])
    if origin is typing.Literal:
        return " or ".join(json.dumps(one) for one in arguments)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(wanted(one) for one in arguments)
    if isinstance(origin, type):
        return f"{origin.__name__}[{', '.join(wanted(one) for one in arguments)}]"
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def meanings(function: Callable[..., object]) -> dict[str, str]:
    """What the docstring's section `Args:` says of each parameter, on one line."""
    text = inspect.getdoc(function) or ""
    section = re.search(r"^Args:\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    if section is None:
        return {}
    return {name: " ".join(said.split()) for name, said in _ENTRY.findall(section[1])}
