"""A plain function as an evaluator."""

import inspect
import sys
import typing
from collections.abc import Callable, Mapping
from typing import Self, TypeVar

from pydantic import TypeAdapter, ValidationError
from typing_extensions import override

from assay.evaluators.canonical import digest, write
from assay.evaluators.descriptor import UNVERSIONED, Descriptor
from assay.evaluators.errors import AssayError, InvalidEvaluatorConfig, InvalidReport, NotJson, Skip
from assay.evaluators.evaluator import Isolation, Synchronous
from assay.evaluators.evidence import Requirement
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.returned import ReturnRule

S = TypeVar("S")

Answers = dict[str, Report | AssayError]
"""For each declared output its report, or the Skip or refusal that stands in its place."""


class FunctionEvaluator(Synchronous[S]):
    """An evaluator made by `@evaluator`; calling it calls the function.

    Attributes:
        function: The decorated function; its first parameter is the sample, the others settings.
        outputs: Names of the mapping's entries, when the function returns one; each is an
            assessment of its own.
        isolation: `thread` or `process`.
    """

    def __init__(
        self,
        function: Callable[..., object],
        descriptor: Descriptor,
        *,
        outputs: tuple[str, ...] = (),
        acceptance: tuple[str, ...] = (),
        isolation: Isolation = "thread",
    ) -> None:
        self.function = function
        self.outputs = outputs
        self.isolation = isolation
        self._descriptor = descriptor
        self._acceptance = acceptance
        self._settings = _typed_settings(function, descriptor.configuration.decoded())
        self._rules = {name: self._rule(name) for name in outputs or ("",)}
        self.__doc__ = function.__doc__
        self.__name__ = getattr(function, "__name__", descriptor.name)

    def _rule(self, output: str) -> ReturnRule:
        configuration = self._descriptor.configuration
        parameters = {k: v for k, v in configuration.items() if k not in self._acceptance}
        acceptance = {k: v for k, v in configuration.items() if k in self._acceptance}
        name = f"{self._descriptor.name}.{output}" if output else self._descriptor.name
        return ReturnRule(name, OpenMap(parameters), OpenMap(acceptance))

    @property
    @override
    def descriptor(self) -> Descriptor:
        return self._descriptor

    @property
    def is_async(self) -> bool:
        """True if the function is a coroutine function."""
        return inspect.iscoroutinefunction(self.function)

    def __call__(self, sample: S) -> object:
        """What the function returns for the sample, as it is."""
        return self.function(sample, **self._settings)

    @override
    def grade(self, subject: S) -> Report:
        return self._rules[""].report(self(subject))

    def grade_outputs(self, subject: S) -> Answers:
        """The answer to each declared output."""
        return self._split(self(subject))

    @override
    async def evaluate(self, subject: S) -> Report:
        if self.is_async:
            return self._rules[""].report(await _awaited(self(subject)))
        return await super().evaluate(subject)

    async def evaluate_outputs(self, subject: S) -> Answers:
        """The answer to each declared output, for a coroutine function."""
        return self._split(await _awaited(self(subject)))

    def _split(self, value: object) -> Answers:
        if isinstance(value, Skip):
            raise value
        if not isinstance(value, Mapping) or set(value) != set(self.outputs):
            msg = f"expected a mapping with exactly the keys {', '.join(self.outputs)}"
            raise InvalidReport(msg)
        answers: Answers = {}
        for name in self.outputs:
            try:
                answers[name] = self._rules[name].report(value[name])
            except AssayError as error:
                answers[name] = error
        return answers

    def configured(self, settings: Mapping[str, object]) -> Self:
        """The same evaluator with other settings, and therefore another identity.

        Raises:
            InvalidEvaluatorConfig: for a setting that the function does not have, or one of a
                wrong type; the message lists the valid ones.
        """
        known = _parameters(self.function)
        unknown = [name for name in settings if name not in known]
        if unknown:
            valid = ", ".join(known) or "none"
            msg = f"{self._descriptor.name}: expected settings out of {valid}, got {unknown[0]!r}"
            raise InvalidEvaluatorConfig(msg)
        configuration = {**self._descriptor.configuration.decoded(), **settings}
        try:
            encoded = OpenMap.of(configuration)
        except AssayError as error:
            msg = f"{self._descriptor.name}: {error}"
            raise InvalidEvaluatorConfig(msg) from error
        fields = {name: getattr(self._descriptor, name) for name in type(self._descriptor).model_fields}
        return type(self)(
            self.function,
            Descriptor(**{**fields, "configuration": encoded}),
            outputs=self.outputs,
            acceptance=self._acceptance,
            isolation=self.isolation,
        )

    def require_settings(self) -> None:
        """Raise InvalidEvaluatorConfig when a setting without a default was not given."""
        for name, parameter in _parameters(self.function).items():
            if parameter.default is inspect.Parameter.empty and name not in self._settings:
                msg = f"{self._descriptor.name}: expected the setting {name!r}, which has no default"
                raise InvalidEvaluatorConfig(msg)


async def _awaited(value: object) -> object:
    return await value if inspect.isawaitable(value) else value


def evaluator(
    *,
    name: str = "",
    revision: str = UNVERSIONED,
    requires: tuple[Requirement, ...] = (),
    outputs: tuple[str, ...] = (),
    acceptance: tuple[str, ...] = (),
    isolation: Isolation = "thread",
) -> Callable[[Callable[..., object]], FunctionEvaluator[object]]:
    """A decorator that makes an evaluator of `def f(sample, *, setting: type = default)`.

    The function may be a coroutine function, and returns a bool (decision), a float in [0, 1]
    (score), an int or `Measured` (measurement), a str (label), a `Report`, or `Skip(reason)`.

    Args:
        name: The evaluator's name; the function's where empty.
        revision: Change it when the meaning changes: grades of an equal revision are reused.
            Without one, the source of the module stands in.
        requires: Evidence without which it is not called.
        outputs: The keys of the mapping that it returns; each becomes the assessment `<id>.<key>`.
        acceptance: Settings that only decide (thresholds), and so are not part of the metric.
        isolation: `process` for code that can hold the interpreter.

    Raises:
        InvalidEvaluatorConfig: when the function cannot take a sample, or a name is illegal.

    Examples:
        >>> @evaluator(revision="1")
        ... def short(sample, *, limit: int = 10):
        ...     return len(sample.output) <= limit
        >>> short.descriptor.name, short.configured({"limit": 3}).descriptor.configuration["limit"]
        ('short', '3')
    """

    def decorate(function: Callable[..., object]) -> FunctionEvaluator[object]:
        parameters = _parameters(function)
        foreign = [one for one in acceptance if one not in parameters]
        if foreign:
            msg = f"acceptance: expected settings of the function, got {foreign[0]!r}"
            raise InvalidEvaluatorConfig(msg)
        defaults = {
            key: parameter.default
            for key, parameter in parameters.items()
            if parameter.default is not inspect.Parameter.empty
        }
        descriptor = Descriptor(
            name=name or getattr(function, "__name__", ""),
            revision=revision,
            description=_first_line(function),
            requires=requires,
            configuration=_configuration(defaults),
            code=_source_digest(function) if revision == UNVERSIONED else "",
        )
        return FunctionEvaluator(
            function, descriptor, outputs=outputs, acceptance=acceptance, isolation=isolation
        )

    return decorate


def _configuration(defaults: Mapping[str, object]) -> OpenMap:
    try:
        return OpenMap.of(defaults)
    except AssayError as error:
        msg = f"expected defaults that JSON can hold: {error}"
        raise InvalidEvaluatorConfig(msg) from error


def _first_line(function: Callable[..., object]) -> str:
    text = inspect.getdoc(function) or ""
    return text.strip().split("\n", 1)[0][:256]


def _parameters(function: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """The settings of the function: every parameter but the first."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        msg = "expected a function whose signature can be read"
        raise InvalidEvaluatorConfig(msg) from error
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not parameters or parameters[0].kind not in positional:
        msg = "expected a function whose first parameter is the sample"
        raise InvalidEvaluatorConfig(msg)
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {one.name: one for one in parameters[1:] if one.kind in named}


def _typed_settings(
    function: Callable[..., object], settings: Mapping[str, object]
) -> dict[str, object]:
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # noqa: BLE001 - an annotation may be any expression; then nothing is checked
        hints = {}
    typed: dict[str, object] = {}
    for name, value in settings.items():
        if name not in hints:
            typed[name] = value
            continue
        try:
            typed[name] = TypeAdapter(hints[name]).validate_json(write(value), strict=True)
        except ValidationError as error:
            msg = f"{name}: expected {_type_name(hints[name])}, got {type(value).__name__}"
            raise InvalidEvaluatorConfig(msg) from error
    return typed


def _type_name(hint: object) -> str:
    return getattr(hint, "__name__", None) or str(hint)


def _source_digest(function: Callable[..., object]) -> str:
    """The digest of all that decides what the function does, or empty where it cannot be known."""
    module = sys.modules.get(getattr(function, "__module__", "") or "")
    if module is None:
        return ""
    try:
        source = inspect.getsource(module)
        closure = inspect.getclosurevars(function).nonlocals
        known = {
            "source": source,
            "name": function.__qualname__,
            "defaults": list(getattr(function, "__defaults__", None) or ()),
            "keyword_defaults": getattr(function, "__kwdefaults__", None),
            "closure": dict(closure),
        }
        return digest(write(known))
    except (OSError, TypeError, ValueError, NotJson):
        return ""
