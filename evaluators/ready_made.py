"""Evaluators that Assay brings along, written as functions in the folder of their family."""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, Self, TypeAlias, runtime_checkable

from typing_extensions import override

from assay.evaluators.decision import Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import InvalidEvaluatorConfig
from assay.evaluators.evaluator import Isolation, isolation_of
from assay.evaluators.evidence import Evidence, Requirement
from assay.evaluators.extra import require_extra
from assay.evaluators.finding import Finding
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.guide import Guide
from assay.evaluators.measured import Measured
from assay.evaluators.metric import Direction, Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.returned import ReturnRule
from assay.evaluators.score import Score
from assay.evaluators.setting import Setting
from assay.evaluators.signature import Signature

_Given: TypeAlias = Literal["pass", "fail"]


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a check passed, and why not.

    Attributes:
        passed: The verdict, and the score 1 or 0 unless something was measured.
        reason: For people; becomes the report's feedback.
        findings: What was noticed; a passing check has none that is high or critical.
        evidence: What the findings refer to.
        measured: The number that was held against a limit; it stands in the place of the score.
        label: The category that the answer fell into, or None.
    """

    passed: bool
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    measured: Measured | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A score, and the least one that passes.

    Attributes:
        value: In [0, 1].
        threshold: Without one nothing is decided.
        reason: For people; becomes the report's feedback.
    """

    value: float
    threshold: float | None = None
    reason: str = ""


@runtime_checkable
class Sourced(Protocol):
    """A setting that stands for code, such as a type that is named by its import string."""

    @property
    def code(self) -> str:
        """The digest of that code, part of the evaluator's identity; empty where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class FamilyRule(ReturnRule):
    """Turns return values into reports of a family's metric; a verdict is also a score of 1 or 0.

    Attributes:
        family: The namespace of the metric, and the beginning of the policy's name.
    """

    family: str = ""

    # super() without arguments looks for the class that slots=True has replaced.
    @override
    def report(self, value: object) -> Report:
        if isinstance(value, Scored):
            return self._scored(value)
        if not isinstance(value, Checked):
            return super(FamilyRule, self).report(value)
        if value == Checked(value.passed):
            return super(FamilyRule, self).report(value.passed)
        return self._judged(value)

    @override
    def _build(self, value: object) -> Report:
        if isinstance(value, bool):
            return self._judged(Checked(value))
        return super(FamilyRule, self)._build(value)

    def _judged(self, checked: Checked) -> Report:
        number = checked.measured
        return Report(
            metric=self._metric(number.unit, number.direction) if number else self._metric(),
            decision=self._decision(passed=checked.passed),
            score=None if number else Score(1.0 if checked.passed else 0.0),
            measurement=number.value if number else None,
            feedback=checked.reason,
            findings=checked.findings,
            evidence=checked.evidence,
            label=checked.label,
        )

    def _scored(self, scored: Scored) -> Report:
        score, threshold = Score(scored.value), scored.threshold
        return Report(
            metric=self._metric(),
            decision=None if threshold is None else score.decide(threshold),
            score=score,
            feedback=scored.reason,
        )

    @override
    def _metric(self, unit: str = "", direction: Direction = "") -> Metric:
        return _metric(self.family, self.name, unit, direction, self.parameters)

    @override
    def _decision(self, *, passed: bool) -> Decision:
        verdict: _Given = "pass" if passed else "fail"
        return _decision(f"{self.family}.{self.name}", verdict, self.acceptance)


# Both are immutable, and the reports of an evaluator share a few of them.
@functools.lru_cache(maxsize=1024)
def _metric(family: str, name: str, unit: str, direction: Direction, parameters: OpenMap) -> Metric:
    return Metric(
        namespace=family, name=name, unit=unit, direction=direction, parameters=parameters
    )


@functools.lru_cache(maxsize=1024)
def _decision(policy: str, verdict: _Given, parameters: OpenMap) -> Decision:
    return Decision(policy=policy, verdict=verdict, parameters=parameters)


class ReadyMade(FunctionEvaluator[object]):
    """An evaluator of a family; its metric stands in the family's namespace.

    Settings decide where it runs: one that can hold the interpreter says so by its `isolation`. One
    that is `Sourced` makes its code a part of the identity.

    Attributes:
        guide: What a user needs to know of it.
    """

    guide = Guide()

    def __init__(
        self,
        function: Callable[..., object],
        descriptor: Descriptor,
        *,
        outputs: tuple[str, ...] = (),
        acceptance: tuple[str, ...] = (),
        isolation: Isolation = "thread",
    ) -> None:
        super().__init__(
            function, descriptor, outputs=outputs, acceptance=acceptance, isolation=isolation
        )
        given = self._arguments.values()
        if isolation_of(given) == "process":
            self.isolation = "process"
        codes = [one.code for one in given if isinstance(one, Sourced) and one.code]
        if codes:
            self._descriptor = descriptor.model_copy(update={"code": " ".join(codes)})

    @property
    def family(self) -> str:
        """The folder of the function, which is the namespace of its metrics."""
        return family_of(self.function)

    @property
    def definition(self) -> str:
        """What its docstring says before it comes to the settings."""
        return (inspect.getdoc(self.function) or "").partition("\n\nArgs:")[0]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What can be configured, in the order of the function."""
        return self._signature.settings

    def references(self, settings: Mapping[str, object]) -> tuple[str, ...]:
        """The import strings among settings, which their reader resolves where the suite stands."""
        return self._signature.references(settings)

    @override
    def configured(self, settings: Mapping[str, object]) -> Self:
        made = super().configured(settings)
        made.guide = self.guide
        return made

    @override
    def require_settings(self) -> None:
        """As for every function, and raise InvalidEvaluatorConfig when its extra is missing."""
        super().require_settings()
        if self.guide.extra:
            try:
                require_extra(self.guide.extra)
            except InvalidEvaluatorConfig as error:
                raise self._refusal(str(error)) from error

    @override
    def _rule(self, output: str) -> ReturnRule:
        rule = super()._rule(output)
        return FamilyRule(rule.name, rule.parameters, rule.acceptance, family=self.family)


def ready_made(
    *,
    revision: str,
    name: str = "",
    requires: tuple[Requirement, ...] = (),
    acceptance: tuple[str, ...] = (),
    isolation: Isolation = "thread",
    guide: Guide = Guide(),  # noqa: B008 - frozen
) -> Callable[[Callable[..., object]], ReadyMade]:
    """A decorator that makes a family's evaluator of `def f(sample, *, setting: type = default)`.

    As `evaluator`, and the function may also return `Checked` or `Scored`. The family is the
    package of the function's module.

    Args:
        revision: Change it when the meaning changes: grades of an equal revision are reused.
        name: The evaluator's name; the function's where empty.
        requires: Evidence without which it is not called.
        acceptance: Settings that only decide (thresholds, limits), and are not part of the metric.
        isolation: `process` for code that can hold the interpreter.
        guide: What it yields, an example that is executed in tests, and the extra that it needs.
    """

    def decorate(function: Callable[..., object]) -> ReadyMade:
        # The family is part of the revision, so that equal names of two families stay apart.
        descriptor = Descriptor(
            name=name or getattr(function, "__name__", ""),
            revision=f"{family_of(function)}-{revision}",
            description=(inspect.getdoc(function) or "").partition("\n")[0],
            requires=requires,
            configuration=Signature(function).defaults,
        )
        made = ReadyMade(function, descriptor, acceptance=acceptance, isolation=isolation)
        made.guide = guide
        return made

    return decorate


def family_of(function: Callable[..., object]) -> str:
    """The name of the package that holds the function's module."""
    return function.__module__.rpartition(".")[0].rpartition(".")[2]
