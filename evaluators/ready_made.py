"""Evaluators that Assay brings along, written as functions in the folder of their family."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from typing_extensions import override

from assay.evaluators.decision import Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.evaluator import Isolation
from assay.evaluators.evidence import Evidence, Requirement
from assay.evaluators.finding import Finding
from assay.evaluators.function import FunctionEvaluator
from assay.evaluators.measured import Measured
from assay.evaluators.metric import Direction, Metric
from assay.evaluators.report import Report
from assay.evaluators.returned import ReturnRule
from assay.evaluators.score import Score
from assay.evaluators.signature import Signature


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a check passed, and why not.

    Attributes:
        passed: The verdict, and the score 1 or 0 unless something was measured.
        reason: For people; becomes the report's feedback.
        findings: What was noticed; a passing check has none that is high or critical.
        evidence: What the findings refer to.
        measured: The number that was held against a limit; it stands in the place of the score.
    """

    passed: bool
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    measured: Measured | None = None


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
        )

    @override
    def _metric(self, unit: str = "", direction: Direction = "") -> Metric:
        return Metric(
            namespace=self.family,
            name=self.name,
            unit=unit,
            direction=direction,
            parameters=self.parameters,
        )

    @override
    def _decision(self, *, passed: bool) -> Decision:
        return Decision(
            policy=f"{self.family}.{self.name}",
            verdict="pass" if passed else "fail",
            parameters=self.acceptance,
        )


class ReadyMade(FunctionEvaluator[object]):
    """An evaluator of a family; its metric stands in the family's namespace."""

    @property
    def family(self) -> str:
        """The folder of the function, which is the namespace of its metrics."""
        return family_of(self.function)

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
) -> Callable[[Callable[..., object]], ReadyMade]:
    """A decorator that makes a family's evaluator of `def f(sample, *, setting: type = default)`.

    As `evaluator`, and the function may also return `Checked`. The family is the package of the
    function's module.

    Args:
        revision: Change it when the meaning changes: grades of an equal revision are reused.
        name: The evaluator's name; the function's where empty.
        requires: Evidence without which it is not called.
        acceptance: Settings that only decide (thresholds, limits), and are not part of the metric.
        isolation: `process` for code that can hold the interpreter.
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
        return ReadyMade(function, descriptor, acceptance=acceptance, isolation=isolation)

    return decorate


def family_of(function: Callable[..., object]) -> str:
    """The name of the package that holds the function's module."""
    return function.__module__.rpartition(".")[0].rpartition(".")[2]
