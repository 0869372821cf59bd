"""Types that the tests name by import string."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pydantic import BaseModel
from typing_extensions import TypedDict


class Inner(BaseModel):
    """A part of an answer."""

    n: int


class Answer(BaseModel):
    """An answer."""

    city: str
    parts: list[Inner] = []


@dataclass
class Point:
    """An answer as a dataclass."""

    x: int


class Row(TypedDict):
    """An answer as a typed mapping."""

    x: int


class Loose(Protocol):
    """A protocol that cannot be asked for at run time."""

    x: int


@runtime_checkable
class Sized(Protocol):
    """A protocol that can."""

    def __len__(self) -> int:
        """Return the size."""
        ...


NUMBER = 3
