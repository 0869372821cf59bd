"""Several evaluators as one: a weighted score and, if wanted, one verdict."""

import asyncio
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

from assay.evaluators.cancellation import Cancellation, current_cancellation, governed_by
from assay.evaluators.deadline import call_within
from assay.evaluators.decision import Decision
from assay.evaluators.descriptor import Descriptor
from assay.evaluators.errors import (
    ComponentFailed,
    InvalidEvaluatorConfig,
    InvalidReport,
    describe,
)
from assay.evaluators.evaluator import Evaluator, isolation_of, require_one_report
from assay.evaluators.metric import Metric
from assay.evaluators.open_map import OpenMap
from assay.evaluators.outcome import Given
from assay.evaluators.report import Report
from assay.evaluators.score import Score

S = TypeVar("S")

Policy = Literal["", "all", "any", "at_least"]
"""How components' verdicts make one; empty makes none."""

DEFAULT_CONCURRENCY = 4
_NAME = "composite"


# Not slots: `Component[Sample](...)` fails on a generic that is frozen and has slots (Python 3.11).
@dataclass(frozen=True)
class Component(Generic[S]):
    """A part of a composite.

    Attributes:
        evaluator: Must score, and decide where the composite has a policy.
        weight: Finite and at least 0; 0 means 1.
        required: True if the composite fails whenever this one does not pass.
    """

    evaluator: Evaluator[S]
    weight: float = 1.0
    required: bool = False


class Composite(Generic[S]):
    """A weighted mean of the components' scores, and a verdict under the policy.

    Attributes:
        parts: The components' evaluators, in declared order.
        isolation: `process` where any component needs it.

    Raises:
        InvalidEvaluatorConfig: when the configuration breaks a rule.
    """

    def __init__(
        self,
        components: Sequence[Component[S]],
        *,
        policy: Policy = "",
        minimum: int = 0,
        max_concurrency: int = 0,
    ) -> None:
        """Check the configuration.

        Args:
            components: At least one.
            policy: `all`, `any`, `at_least`, or empty for a score without a verdict.
            minimum: How many must pass under `at_least`, 1 to the number of components; else 0.
            max_concurrency: Components evaluated at the same time; 0 means 4.
        """
        self._components = tuple(components)
        self._policy: Policy = policy
        self._check(max_concurrency)
        self.parts = tuple(one.evaluator for one in self._components)
        self.isolation = isolation_of(self.parts)
        self._minimum = self._effective_minimum(minimum)
        self._limit = min(max_concurrency or DEFAULT_CONCURRENCY, len(self._components))
        self._weights = tuple(float(one.weight) or 1.0 for one in self._components)
        self._descriptor = self._describe()
        self._metric = Metric(name=_NAME, parameters=self._metric_parameters())

    def _check(self, max_concurrency: int) -> None:
        if not self._components:
            raise _refusal("components: expected at least one")
        if max_concurrency < 0:
            raise _refusal("max_concurrency: expected 0 or more")
        for index, component in enumerate(self._components):
            place = f"components[{index}]"
            require_one_report(component.evaluator, place)
            if not _is_weight(component.weight):
                raise _refusal(f"{place}.weight: expected a finite number of at least 0")
            if component.required and not self._policy:
                raise _refusal(f"{place}.required: expected a policy beside it")
        if self._policy not in get_args(Policy):
            raise _refusal("policy: expected one of all, any, at_least, or none")

    def _effective_minimum(self, minimum: int) -> int:
        count = len(self._components)
        if self._policy == "at_least":
            if not 1 <= minimum <= count:
                raise _refusal(f"minimum: expected 1 to {count}, got {minimum}")
            return minimum
        if minimum != 0:
            raise _refusal(f"minimum: expected none beside the policy {self._policy or 'none'}")
        return {"": 0, "all": count, "any": 1}[self._policy]

    def _describe(self) -> Descriptor:
        parts = [
            {
                "evaluator": component.evaluator.descriptor.identity,
                "weight": weight,
                "required": component.required,
            }
            for component, weight in zip(self._components, self._weights, strict=True)
        ]
        inner = [part.descriptor for part in self.parts]
        requires = dict.fromkeys(kind for one in inner for kind in one.requires)
        reusable = all(one.reusable for one in inner)
        return Descriptor.model_validate(
            {
                "name": _NAME,
                "revision": "1" if reusable else "unversioned",
                "method": "composite",
                "requires": tuple(requires),
                "configuration": {
                    "components": parts,
                    "policy": self._policy,
                    "minimum": self._minimum,
                },
            }
        )

    def _metric_parameters(self) -> OpenMap:
        # The children's metrics are not restated: they shape the observation through the details.
        weights = [{"weight": weight} for weight in self._weights]
        return OpenMap.of({"configuration": {"components": weights}})

    @property
    def descriptor(self) -> Descriptor:
        """The identity: every component's, its weight, and the policy."""
        return self._descriptor

    async def evaluate(self, subject: S) -> Report:
        """The weighted score, the verdict under the policy, and the components' reports as details.

        Raises:
            ComponentFailed: when a component fails; the first one in time, with its error as cause.
            InvalidReport: when a component has no score, or no decision beside a policy.
        """
        reports = await evaluate_all(self.parts, subject, self._limit)
        scores: list[float] = []
        for index, report in enumerate(reports):
            if report.score is None:
                msg = f"components[{index}]: expected a score"
                raise InvalidReport(msg)
            scores.append(report.score)
            if self._policy and report.decision is None:
                msg = f"components[{index}]: expected a decision beside the policy"
                raise InvalidReport(msg)
        return Report(
            metric=self._metric,
            score=self._score(scores),
            decision=self._decide(reports) if self._policy else None,
            feedback="\n\n".join(report.feedback for report in reports if report.feedback),
            details=reports,
        )

    def _score(self, scores: Sequence[float]) -> Score:
        # Scaling by a power of two loses nothing, cannot overflow, and keeps tiny weights apart.
        exponent = math.frexp(max(self._weights))[1]
        total = weights = 0.0
        for score, weight in zip(scores, self._weights, strict=True):
            scaled = math.ldexp(weight, -exponent)
            total += score * scaled
            weights += scaled
        # Rounding may leave the range of the components by a last digit: equal scores stay equal.
        return Score(min(max(total / weights, min(scores)), max(scores)))

    def _decide(self, reports: Sequence[Report]) -> Decision:
        passed = [report.verdict == "pass" for report in reports]
        required = all(
            ok for ok, component in zip(passed, self._components, strict=True) if component.required
        )
        parts = [{"required": True} if one.required else {} for one in self._components]
        configuration = {
            "components": parts,
            "pass_policy": self._policy,
            "minimum_passed": self._minimum,
        }
        return Decision(
            policy=_NAME,
            verdict="pass" if required and sum(passed) >= self._minimum else "fail",
            parameters=OpenMap.of({"configuration": configuration}),
        )


def _is_weight(weight: object) -> bool:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        return False
    return 0 <= weight <= sys.float_info.max


def _refusal(message: str) -> InvalidEvaluatorConfig:
    return InvalidEvaluatorConfig(f"composite.{message}")


async def evaluate_all(
    evaluators: Sequence[Evaluator[S]], subject: S, limit: int
) -> tuple[Report, ...]:
    """The reports of all evaluators on one subject, in declared order.

    Args:
        evaluators: May be empty.
        subject: What all of them look at.
        limit: How many run at the same time; normalised to 1 up to the number of evaluators.

    Raises:
        ComponentFailed: labelled with the index of the first evaluator that failed in time. It
            cancels the others; those that have not started are not called.
    """
    places = asyncio.Semaphore(max(1, min(limit, len(evaluators))))
    group = Cancellation(current_cancellation())
    reports: list[Report | None] = [None] * len(evaluators)
    failures: list[ComponentFailed] = []

    async def one(index: int, evaluator: Evaluator[S]) -> None:
        async with places:
            if failures:
                return
            with governed_by(group):
                outcome = await call_within(lambda: _report(evaluator, subject, group), None)
            if isinstance(outcome, Given):
                reports[index] = outcome.value
                return
            failure = ComponentFailed(f"components[{index}]: {describe(outcome.error)}")
            failure.__cause__ = outcome.error
            failures.append(failure)
            group.cancel(failure)

    await asyncio.gather(*(one(index, each) for index, each in enumerate(evaluators)))
    if failures:
        raise failures[0]
    return tuple(report for report in reports if report is not None)


async def _report(evaluator: Evaluator[S], subject: S, token: Cancellation) -> Report:
    token.raise_if_canceled()
    report: object = await evaluator.evaluate(subject)
    if not isinstance(report, Report):
        msg = f"expected a Report, got {type(report).__name__}"
        raise InvalidReport(msg)
    return report
