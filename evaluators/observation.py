"""What was observed: a metric, and the tree of metrics that its report rests on."""

from dataclasses import dataclass

from assay.evaluators.canonical import Json, parse
from assay.evaluators.errors import InvalidReport
from assay.evaluators.metric import Metric


@dataclass(frozen=True, slots=True)
class Observation:
    """The identity under which observations of one assessment are pooled.

    Attributes:
        metric: What was calculated.
        details: What the details of the report calculated, in their order.
    """

    metric: Metric
    details: tuple["Observation", ...] = ()

    @classmethod
    def decode(cls, text: str) -> "Observation":
        """The observation that an identity text spells; raises InvalidReport or InvalidMetric."""
        return cls.from_wire(parse(text))

    @classmethod
    def from_wire(cls, tree: Json) -> "Observation":
        """The observation that a parsed identity spells; raises InvalidReport or InvalidMetric."""
        details = tree.get("details", []) if isinstance(tree, dict) else None
        if not isinstance(tree, dict) or not isinstance(details, list):
            msg = "observation: expected an object of a metric and details"
            raise InvalidReport(msg)
        metric = Metric.from_wire(tree.get("metric"))
        return cls(metric, tuple(cls.from_wire(detail) for detail in details))
