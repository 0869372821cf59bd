"""The rules of every model of a file that a user writes."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from assay.tasks.documents.places import bounded, close_match

T = TypeVar("T")

UNKNOWN_KEY = "unknown_key"
"""The type of the error about a key that a model does not have; its context names the key."""

_MOST_LISTED_BESIDE_A_HINT = 10


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


Text = Annotated[str, StringConstraints(pattern=r"\S")]
"""Text that is more than white space."""

Filled = Annotated[tuple[T, ...], Field(min_length=1), BeforeValidator(_as_tuple)]
"""A tuple of at least one item that also takes a list."""

AtLeastOne = Annotated[int, Field(ge=1)]

Seconds = Annotated[float, Field(gt=0)]


class FileModel(BaseModel):
    """A part of a file: strict, frozen, and without unknown keys."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, data: object) -> object:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in data if isinstance(data, Mapping) else ():
            if key not in known:
                context = {"message": _unknown(str(key), known), "key": key}
                raise PydanticCustomError(UNKNOWN_KEY, "{message}", context)
        return data


def _unknown(key: str, known: list[str]) -> str:
    hint = close_match(key, known)
    expected = f"keys out of {', '.join(known)}"
    if hint and len(known) > _MOST_LISTED_BESIDE_A_HINT:
        expected = "a known key"
    return f"expected {expected}, got {bounded(key)}{hint}"
