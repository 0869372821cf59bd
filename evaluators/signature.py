"""The settings of an evaluator function: every parameter behind the sample."""

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping

from pydantic import PydanticUserError, TypeAdapter, ValidationError

from assay.evaluators.canonical import write
from assay.evaluators.errors import AssayError, InvalidEvaluatorConfig
from assay.evaluators.excerpt import excerpt
from assay.evaluators.open_map import OpenMap
from assay.evaluators.setting import Imported, Setting, meanings, wanted

_EMPTY = inspect.Parameter.empty
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_NAMED = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Signature:
    """Names, types and defaults of a function's settings.

    Attributes:
        names: The settings, in the order of the function.
        defaults: The JSON text of every default.

    Raises:
        InvalidEvaluatorConfig: when the function cannot take a sample as its first argument, or a
            default has no JSON form.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = getattr(function, "__name__", "evaluator")
        self._parameters = self._read(function)
        self._hints = _hints(function)
        self._types = _types(self._hints, self._parameters)
        self._meanings = meanings(function)
        self.names = tuple(self._parameters)
        self.defaults = self._encoded(
            {
                name: parameter.default
                for name, parameter in self._parameters.items()
                if parameter.default is not _EMPTY
            }
        )

    def with_settings(self, settings: Mapping[str, object]) -> OpenMap:
        """The JSON texts of the settings; raises InvalidEvaluatorConfig for an unknown one."""
        unknown = [name for name in settings if name not in self._parameters]
        if unknown:
            valid = ", ".join(self.names) or "none"
            raise self._refusal(f"expected settings out of {valid}, got {unknown[0][:60]!r}")
        return self._encoded(settings)

    def arguments(self, configuration: OpenMap) -> dict[str, object]:
        """What to call the function with, checked against its annotations.

        A setting that is spelled like its default is left to the function, so that a default keeps
        its Python type.

        Raises:
            InvalidEvaluatorConfig: when a setting is not of its annotated type.
        """
        return {
            name: self._typed(name, configuration.decode(name))
            for name, text in configuration.items()
            if self.defaults.get(name) != text
        }

    def missing(self, configuration: OpenMap) -> tuple[str, ...]:
        """The settings that have neither a default nor a value."""
        return tuple(name for name in self.names if name not in configuration)

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Every setting with its type, its default and what the docstring says of it."""
        said = self._meanings
        return tuple(
            Setting(name, self._wanted(name), self.defaults.get(name), said.get(name, ""))
            for name in self.names
        )

    def references(self, settings: Mapping[str, object]) -> tuple[str, ...]:
        """The import strings among the settings, of those that are declared to hold them."""
        given = [
            settings[name]
            for name, hint in self._hints.items()
            if name in settings and _is_imported(hint)
        ]
        texts = [text for one in given for text in (one if isinstance(one, list) else [one])]
        return tuple(text for text in texts if isinstance(text, str) and ":" in text)

    def _typed(self, name: str, value: object) -> object:
        adapter = self._types.get(name)
        if adapter is None:
            return value
        try:
            return adapter.validate_json(write(value), strict=True)
        except ValidationError as error:
            raise self._refusal(f"{name}: {_reason(error, self._wanted(name), value)}") from error
        except InvalidEvaluatorConfig as error:  # a value of the right type that means nothing
            raise self._refusal(f"{name}: {error}") from error

    def _wanted(self, name: str) -> str:
        annotation = self._hints.get(name, self._parameters[name].annotation)
        return "any JSON value" if annotation is _EMPTY else wanted(annotation)

    def _read(self, function: Callable[..., object]) -> dict[str, inspect.Parameter]:
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError) as error:
            raise self._refusal("expected a function whose signature can be read") from error
        if not parameters or parameters[0].kind not in _POSITIONAL:
            raise self._refusal("expected a function whose first parameter is the sample")
        return {one.name: one for one in parameters[1:] if one.kind in _NAMED}

    def _encoded(self, values: Mapping[str, object]) -> OpenMap:
        try:
            return OpenMap.of(values)
        except AssayError as error:
            raise self._refusal(f"expected settings that JSON can hold: {error}") from error

    def _refusal(self, message: str) -> InvalidEvaluatorConfig:
        return InvalidEvaluatorConfig(f"{self._function}: {message}")


def _reason(error: ValidationError, wanted: str, value: object) -> str:
    problem = error.errors(include_url=False, include_input=False)[0]
    if problem["loc"] or "ctx" not in problem:  # of a wrong type, or within a member of a union
        return f"expected {wanted}, got {type(value).__name__}"
    return f"{problem['msg'].replace('Input should be', 'expected a value')}, got {excerpt(value)}"


def _is_imported(hint: object) -> bool:
    return any(isinstance(one, Imported) for one in typing.get_args(hint)[1:])


def _hints(function: Callable[..., object]) -> dict[str, type]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # noqa: BLE001 - an annotation may be any expression; then nothing is checked
        return {}


def _types(hints: Mapping[str, type], names: Iterable[str]) -> dict[str, TypeAdapter[object]]:
    adapters: dict[str, TypeAdapter[object]] = {}
    for name in names:
        if name not in hints:
            continue
        try:
            adapters[name] = TypeAdapter(hints[name])
        except PydanticUserError:  # a type of which JSON knows nothing
            continue
    return adapters
