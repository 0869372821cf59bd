"""A rule that a summary satisfies, breaks, or leaves open because something is missing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal

from assay.evaluators.distribution import Payload
from assay.evaluators.errors import InputError
from assay.evaluators.known_range import (
    Range,
    cost_range,
    mean_range,
    pass_rate_range,
    slowest_range,
)
from assay.evaluators.summary import Summary

GateOutcome = Literal["pass", "fail", "undecided"]
"""Whether the rule holds whatever the missing numbers are, for none of them, or for some."""

VALID_FORMS = (
    "pass_rate >= 0.9",
    "mean(<assessment id>) >= 0.8",
    "p95(duration_seconds) <= 20",
    "cost <= 5",
)
"""One example of each form; `>=`, `>`, `<=` and `<` go with all of them."""

TOLERANCE = Fraction(1, 10**9)
"""By how much a mean may miss its limit; rates are compared as whole numbers, without any."""

_RULE = re.compile(r"\s*(?P<subject>.*?)\s*(?P<operator>>=|<=|>|<)\s*(?P<limit>[-+.\deE]+)\s*")
_MEAN = re.compile(r"mean\(\s*(?P<id>.+?)\s*\)")
_PLAIN = ("pass_rate", "p95(duration_seconds)", "cost")
_LARGEST_POWER = 300
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class GateResult:
    """What became of a gate.

    Attributes:
        rule: The rule as it was written.
        outcome: Pass, fail or undecided.
        value: The number that was judged, over what is known; None where there is none.
        n: How many trials the value rests on.
        reason: Why it failed over nothing, or what is missing; empty otherwise.
    """

    rule: str
    outcome: GateOutcome
    value: float | None
    n: int
    reason: str = ""

    def payload(self) -> Payload:
        """The machine form."""
        return {"rule": self.rule, "outcome": self.outcome, "value": self.value, "n": self.n}


@dataclass(frozen=True, slots=True)
class Gate:
    """A number of a summary and its limit.

    Attributes:
        rule: The rule as it was written.
        subject: `pass_rate`, `mean`, `p95(duration_seconds)` or `cost`.
        operator: `>=`, `>`, `<=` or `<`.
        limit: Exactly what was written; 0.9 is nine tenths.
        assessment: The id inside `mean(...)`, else None.
    """

    rule: str
    subject: str
    operator: str
    limit: Fraction
    assessment: str | None = None

    @classmethod
    def parse(cls, text: str) -> "Gate":
        """The gate that a rule spells.

        Raises:
            InputError: when it has no valid form; the message lists them. Also for a pass rate
                that no run can have, such as 90 for 0.9.

        Examples:
            >>> Gate.parse("mean(exact) >= 0.8").assessment
            'exact'
        """
        found = _RULE.fullmatch(text)
        limit = _number(found["limit"]) if found else None
        if found is None or limit is None:
            raise _refusal(text)
        subject, operator = found["subject"], found["operator"]
        if subject == "pass_rate" and not 0 <= limit <= 1:
            msg = f"gate: expected a pass rate between 0 and 1, got {text[:_SHOWN]!r}"
            raise InputError(msg, kind="gate")
        if subject in _PLAIN:
            return cls(text, subject, operator, limit)
        mean = _MEAN.fullmatch(subject)
        if mean is None:
            raise _refusal(text)
        return cls(text, "mean", operator, limit, assessment=mean["id"])

    def judge(self, summary: Summary) -> GateResult:
        """Pass if the rule holds for all that the number may be, fail if for none of it.

        A gate over nothing fails. Where something is missing and the rule would hold for one end of
        the range alone, it is undecided.
        """
        found = self._range(summary)
        outcome = self._outcome(found) if found.n else "fail"
        return GateResult(self.rule, outcome, found.value, found.n, found.reason)

    def _range(self, summary: Summary) -> Range:
        match self.subject:
            case "pass_rate":
                return pass_rate_range(summary)
            case "cost":
                return cost_range(summary)
            case "mean":
                return mean_range(summary, self.assessment or "")
            case _:
                return slowest_range(summary)

    def _outcome(self, found: Range) -> GateOutcome:
        ends = {self._holds(end, above=above) for end, above in _ends(found)}
        return "undecided" if len(ends) > 1 else "pass" if ends == {True} else "fail"

    def _holds(self, end: Fraction | None, *, above: bool) -> bool:
        upwards = self.operator in (">=", ">")
        if end is None:
            return above == upwards
        # Only a mean is rounded on its way here, so only a mean needs room at its limit.
        room = TOLERANCE if self.subject == "mean" else Fraction(0)
        distance = end - self.limit if upwards else self.limit - end
        return distance >= -room if self.operator in (">=", "<=") else distance > room


def judge_gates(gates: Sequence[Gate], summary: Summary) -> tuple[GateResult, ...]:
    """What becomes of each gate."""
    return tuple(gate.judge(summary) for gate in gates)


def exit_code(results: Sequence[GateResult], summary: Summary) -> Literal[0, 1, 3]:
    """The exit code of a run: 0 passed, 1 a gate failed, 3 undecided.

    Without gates, unknown trials alone leave a run undecided.
    """
    outcomes = {result.outcome for result in results}
    if "fail" in outcomes:
        return 1
    open_end = "undecided" in outcomes if results else summary.headline.unknown > 0
    return 3 if open_end else 0


def _ends(found: Range) -> tuple[tuple[Fraction | None, bool], ...]:
    return (found.low, False), (found.high, True)


def _number(text: str) -> Fraction | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    # A fraction spells out its power of ten, and a rule must not be able to fill the memory.
    return Fraction(number) if abs(number.adjusted()) <= _LARGEST_POWER else None


def _refusal(text: str) -> InputError:
    forms = ", ".join(f"`{form}`" for form in VALID_FORMS)
    return InputError(
        f"gate: expected a form like {forms} (or with >, <=, <), got {text[:_SHOWN]!r}", kind="gate"
    )
