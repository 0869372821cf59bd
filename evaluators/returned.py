"""What the return value of an evaluator function means."""

import inspect
from dataclasses import dataclass, field

from assay.evaluators.decision import Decision
from assay.evaluators.errors import InvalidReport, Skip
from assay.evaluators.measured import Measured
from assay.evaluators.metric import Direction, Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.report import Report
from assay.evaluators.score import Score

ASSERTION = "assertion"
"""The policy of a decision that a function made by returning a bool."""

_MOST_KEPT = 4096


@dataclass(frozen=True, slots=True)
class ReturnRule:
    """Turns return values into reports of one metric.

    Attributes:
        name: The metric's name.
        parameters: The metric's parameters.
        acceptance: The parameters of a decision.

    Raises:
        InvalidMetric: when the name breaks a rule.
    """

    name: str
    parameters: OpenMap = OpenMap()
    acceptance: OpenMap = OpenMap()
    # Reports are immutable and few of them differ, so an equal value gives the same one again.
    _kept: dict[tuple[object, ...], Report] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._metric()

    def report(self, value: object) -> Report:
        """The report that the value stands for.

        A bool is a decision, a float in [0, 1] a score, an int or `Measured` a measurement, a str a
        label; a `Report` stands for itself.

        Raises:
            Skip: when the value is a Skip.
            InvalidReport: for None, NaN, an infinity, a float outside [0, 1], or anything else.
        """
        if isinstance(value, Report):
            return value
        if isinstance(value, Skip):
            raise value
        key = _key(value)
        kept = self._kept.get(key)
        if kept is None:
            kept = self._build(value)
            if len(self._kept) < _MOST_KEPT:
                self._kept[key] = kept
        return kept

    def _build(self, value: object) -> Report:
        match value:
            case bool():
                return Report(metric=self._metric(), decision=self._decision(passed=value))
            case int():
                return Report(metric=self._metric(), measurement=_measurement(value))
            case float():
                if not 0 <= value <= 1:
                    shown = float(value)
                    msg = f"expected a score in [0, 1], got {shown}; use Measured for a raw number"
                    raise InvalidReport(msg)
                return Report(metric=self._metric(), score=Score(value))
            case str():
                return Report(metric=self._metric(), label=value)
            case Measured():
                metric = self._metric(value.unit, value.direction)
                return Report(metric=metric, measurement=value.value)
            case _:
                if inspect.iscoroutine(value):
                    value.close()  # or Python warns that nobody awaited it
                msg = (
                    "expected a Report, bool, float in [0, 1], int, Measured, str or Skip, "
                    f"got {type(value).__name__}"
                )
                raise InvalidReport(msg)

    def _metric(self, unit: str = "", direction: Direction = "") -> Metric:
        return Metric(name=self.name, unit=unit, direction=direction, parameters=self.parameters)

    def _decision(self, *, passed: bool) -> Decision:
        return Decision(
            policy=ASSERTION, verdict="pass" if passed else "fail", parameters=self.acceptance
        )


def _key(value: object) -> tuple[object, ...]:
    # 1, 1.0 and True are equal as keys but mean a measurement, a score and a decision; -0.0 and 0.0
    # are equal but are spelled differently.
    if isinstance(value, Measured):
        return Measured, repr(value.value), value.unit, value.direction
    if isinstance(value, float):
        return float, repr(float(value))
    if isinstance(value, bool | int | str):
        return type(value), value
    return (type(value), id(value))


def _measurement(value: int) -> float:
    try:
        return float(value)
    except OverflowError as error:
        msg = "expected a measurement that a float can hold"
        raise InvalidReport(msg) from error
