"""What every stored value has in common: frozen, strict, and refused with a category."""

from collections.abc import Collection, Mapping
from typing import Annotated, ClassVar, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import ErrorDetails
from typing_extensions import override

from assay.evaluators.canonical import (
    HasWire,
    Json,
    Number,
    is_text,
    is_trimmed,
    parse,
)
from assay.evaluators.errors import AssayError, IncompleteRecording, MalformedJson

_T = TypeVar("_T")


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _placed(value: object, handler: ValidatorFunctionWrapHandler) -> object:
    # As a ValueError, so that pydantic notes the position; the refusal itself becomes its cause.
    try:
        return handler(value)
    except AssayError as error:
        raise ValueError(str(error)) from error


Items = Annotated[tuple[Annotated[_T, WrapValidator(_placed)], ...], BeforeValidator(_as_tuple)]
"""A tuple field that also takes a list, and keeps a snapshot of it."""


class Record(BaseModel, HasWire):
    """A frozen value that cannot exist in an illegal state.

    Every refusal is raised as the class's `category`, also when a nested value was refused: then
    the nested category is the cause, and `errors.is_a` finds both. `field_categories` names the
    category of a field whose value never became a record, such as a metric that is missing.
    """

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        arbitrary_types_allowed=True,
    )
    category: ClassVar[type[AssayError]] = AssayError
    field_categories: ClassVar[dict[str, type[AssayError]]] = {}

    @model_validator(mode="wrap")
    @classmethod
    def _refuse_with_category(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            raise cls._refusal(error) from cls._cause(error)
        except AssayError as error:
            # Evidence that is not there makes no record illegal; it is its own answer.
            if isinstance(error, (cls.category, IncompleteRecording)):
                raise
            raise cls.category(str(error)) from error

    @classmethod
    def _refusal(cls, error: ValidationError) -> AssayError:
        problem = _first_problem(error)
        place = ""
        for step in problem["loc"]:
            place += f"[{step}]" if isinstance(step, int) else f".{step[:60]}"
        message = problem["msg"].removeprefix("Value error, ")
        return cls.category(f"{place.lstrip('.')}: {message}" if place else message)

    @classmethod
    def _cause(cls, error: ValidationError) -> BaseException:
        problem = _first_problem(error)
        refused: object = problem.get("ctx", {}).get("error")
        if isinstance(refused, ValueError) and refused.__cause__ is not None:
            return refused.__cause__
        field = str(problem["loc"][0]) if problem["loc"] else ""
        category = cls.field_categories.get(field)
        return error if category is None else category(problem["msg"])

    @override
    def wire(self) -> object:
        """The JSON form: every field by its name, unless a subclass has another."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    @classmethod
    def refuse(cls, message: str) -> AssayError:
        """The error to raise for a broken rule of this class."""
        return cls.category(message)

    @classmethod
    def tree_of(cls, text: str | bytes) -> Json:
        """The strict JSON tree of a wire text, or this class's category."""
        try:
            return parse(text)
        except MalformedJson as error:
            raise cls.category(str(error)) from error

    @classmethod
    def members(cls, tree: Json, known: Collection[str], place: str) -> dict[str, Json]:
        """The members of a wire object, nulls left out because a null optional is absent.

        Raises:
            AssayError: this class's category, for anything but an object of known members.
        """
        if not isinstance(tree, dict):
            raise cls.refuse(f"{place}: expected a JSON object, got {kind_of(tree)}")
        unknown = [name for name in tree if name not in known]
        if unknown:
            names = ", ".join(known)
            raise cls.refuse(f"{place}: expected members out of {names}, got {unknown[0][:60]!r}")
        return {name: value for name, value in tree.items() if value is not None}


def _first_problem(error: ValidationError) -> ErrorDetails:
    return error.errors(include_url=False, include_input=False)[0]


def kind_of(tree: object) -> str:
    """The JSON word for the kind of a parsed value."""
    match tree:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case Number() | int() | float():
            return "a number"
        case str():
            return "a string"
        case Mapping():
            return "an object"
        case _:
            return "an array"


def require_text(
    value: str, field: str, category: type[AssayError], *, empty: bool = False, trimmed: bool = True
) -> None:
    """Raise the category unless the text is UTF-8 and, unless waived, not empty and trimmed."""
    if not is_text(value):
        msg = f"{field}: expected text that UTF-8 can hold, got a lone surrogate"
        raise category(msg)
    if not (value or empty):
        msg = f"{field}: expected text, got none"
        raise category(msg)
    if trimmed and not is_trimmed(value):
        msg = f"{field}: expected no white space at the ends"
        raise category(msg)


def require_bytes(value: str, field: str, category: type[AssayError], limit: int) -> None:
    """Raise the category when the text is longer than the limit in UTF-8 bytes."""
    if len(value) * 4 > limit and len(value.encode("utf-8", "surrogatepass")) > limit:
        msg = f"{field}: expected at most {limit} bytes"
        raise category(msg)


def read_text(tree: Json, field: str, category: type[AssayError]) -> str:
    """The text of a wire member; an absent or null one is the empty string."""
    if tree is None:
        return ""
    if isinstance(tree, str) and not isinstance(tree, Number):
        return tree
    msg = f"{field}: expected a string, got {kind_of(tree)}"
    raise category(msg)


def read_number(tree: Json, field: str, category: type[AssayError]) -> float:
    """The finite float of a wire member."""
    if not isinstance(tree, Number):
        msg = f"{field}: expected a number, got {kind_of(tree)}"
        raise category(msg)
    return float(tree)


def read_items(tree: Json, field: str, category: type[AssayError]) -> list[Json]:
    """The items of a wire array; an absent or null one is empty."""
    if tree is None:
        return []
    if not isinstance(tree, list):
        msg = f"{field}: expected an array, got {kind_of(tree)}"
        raise category(msg)
    return tree
