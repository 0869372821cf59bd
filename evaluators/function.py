"""A plain function as an evaluator."""

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Self, SupportsIndex, TypeVar, get_args

from typing_extensions import override

from assay.evaluators.descriptor import UNVERSIONED, Descriptor
from assay.evaluators.errors import AssayError, InvalidEvaluatorConfig, InvalidReport, Skip
from assay.evaluators.evaluator import Isolation, Synchronous
from assay.evaluators.evidence import Requirement
from assay.evaluators.off_loop import run_off_loop
from assay.evaluators.open_map import OpenMap
from assay.evaluators.outcome import value_of
from assay.evaluators.report import Report
from assay.evaluators.returned import ReturnRule
from assay.evaluators.signature import Signature
from assay.evaluators.source import source_digest

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
        self._signature = Signature(function)
        self._check()
        self._arguments = self._signature.arguments(descriptor.configuration)
        self._rules = {name: self._rule(name) for name in outputs or ("",)}
        self.__doc__ = function.__doc__
        self.__name__ = getattr(function, "__name__", descriptor.name)

    def _check(self) -> None:
        if self.isolation not in get_args(Isolation):
            raise self._refusal(f"isolation: expected {' or '.join(get_args(Isolation))}")
        if len(set(self.outputs)) != len(self.outputs):
            raise self._refusal("outputs: expected each name once")
        foreign = [name for name in self._acceptance if name not in self._signature.names]
        if foreign:
            raise self._refusal(f"acceptance: expected settings of it, got {foreign[0]!r}")

    def _refusal(self, message: str) -> InvalidEvaluatorConfig:
        return InvalidEvaluatorConfig(f"{self._descriptor.name}: {message}")

    def _rule(self, output: str) -> ReturnRule:
        configuration = self._descriptor.configuration
        parameters = {k: v for k, v in configuration.items() if k not in self._acceptance}
        acceptance = {k: v for k, v in configuration.items() if k in self._acceptance}
        name = f"{self._descriptor.name}.{output}" if output else self._descriptor.name
        try:
            return ReturnRule(name, OpenMap(parameters), OpenMap(acceptance))
        except AssayError as error:
            raise self._refusal(f"outputs: {error}") from error

    @property
    @override
    def descriptor(self) -> Descriptor:
        return self._descriptor

    @cached_property
    def is_async(self) -> bool:
        """True if calling the function gives a coroutine."""
        as_object = type(self.function).__call__
        return any(inspect.iscoroutinefunction(one) for one in (self.function, as_object))

    def __call__(self, sample: S) -> object:
        """What the function returns for the sample, as it is."""
        return self.function(sample, **self._arguments)

    @override
    def grade(self, subject: S) -> Report:
        return self._one_rule().report(self(subject))

    def grade_outputs(self, subject: S) -> Answers:
        """The answer to each declared output."""
        return self._split(self(subject))

    @override
    async def evaluate(self, subject: S) -> Report:
        return self._one_rule().report(await self._returned(subject))

    async def evaluate_outputs(self, subject: S) -> Answers:
        """The answer to each declared output; a plain function runs in a daemon thread."""
        return self._split(await self._returned(subject))

    async def _returned(self, subject: S) -> object:
        if self.is_async:
            coroutine = self(subject)
            return await coroutine if inspect.isawaitable(coroutine) else coroutine
        return value_of(await run_off_loop(lambda: self(subject)))

    def _one_rule(self) -> ReturnRule:
        if self.outputs:
            msg = f"expected no outputs, got an evaluator of {', '.join(self.outputs)}"
            raise InvalidReport(msg)
        return self._rules[""]

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
        given = self._signature.with_settings(settings)
        configuration = self._descriptor.configuration.merged(given)
        fields = {name: getattr(self._descriptor, name) for name in Descriptor.model_fields}
        return type(self)(
            self.function,
            Descriptor.model_validate({**fields, "configuration": configuration}),
            outputs=self.outputs,
            acceptance=self._acceptance,
            isolation=self.isolation,
        )

    def require_settings(self) -> None:
        """Raise InvalidEvaluatorConfig when a setting without a default was not given."""
        missing = self._signature.missing(self._descriptor.configuration)
        if missing:
            raise self._refusal(f"expected the setting {missing[0]!r}, which has no default")

    @override
    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[object, ...]:
        """Travel as the name of the decorated function and its settings, where it has a name."""
        module = getattr(self.function, "__module__", None) or ""
        name = getattr(self.function, "__qualname__", "")
        found = _named(sys.modules.get(module), name)
        if not isinstance(found, FunctionEvaluator) or found.function is not self.function:
            return super().__reduce_ex__(protocol)
        return _restore, (module, name, dict(self._descriptor.configuration))


def _named(module: object, name: str) -> object:
    found = module
    for step in name.split("."):
        found = getattr(found, step, None)
    return found


def _restore(module: str, name: str, configuration: dict[str, str]) -> object:
    found = _named(importlib.import_module(module), name)
    if not isinstance(found, FunctionEvaluator):
        msg = f"expected an evaluator at {module}:{name}"
        raise InvalidEvaluatorConfig(msg)
    if dict(found.descriptor.configuration) == configuration:
        return found
    return found.configured(OpenMap(configuration).decoded())


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
        descriptor = Descriptor(
            name=name or getattr(function, "__name__", ""),
            revision=revision,
            description=_first_line(function),
            requires=requires,
            configuration=Signature(function).defaults,
            code=source_digest(function) if revision == UNVERSIONED else "",
        )
        return FunctionEvaluator(
            function, descriptor, outputs=outputs, acceptance=acceptance, isolation=isolation
        )

    return decorate


def _first_line(function: Callable[..., object]) -> str:
    text = inspect.getdoc(function) or ""
    return text.strip().split("\n", 1)[0][:256]
